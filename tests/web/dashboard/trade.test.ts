// Trading on the pages of a contract and of the own entity: who sees it, what a click prepares, and what a key sends.
// reading.ts explains the notation.

import { beforeEach, describe, expect, test } from "bun:test";
import { h } from "preact";
import { settle, show, type Shown } from "../support/browser.ts";
import { openDashboard, type State } from "../support/dashboard.ts";
import { at, BOOK, hour } from "../support/market.ts";
import { update } from "../updates.ts";

const dashboard = await openDashboard();
const { answers, applyUpdates, inState, later, sent } = dashboard;
const { ContractTrading } = await import("../../../web/dashboard/trade/contract-trading.tsx");
const { EntityTrading } = await import("../../../web/dashboard/trade/entity-trading.tsx");
const { drop, leave, ticket } = await import("../../../web/dashboard/trade/desk.ts");
const { ConfirmDialog } = await import("../../../web/dashboard/operation/confirm-dialog.tsx");
const { confirmation } = await import("../../../web/dashboard/operation/confirmation.ts");

const LINKS = { orderAddress: (id: string) => `#/order/${id}`, contractAddress: (id: string) => `#/contract/${id}` };
const FACTS = {
  id: "N-9",
  name: "N-9",
  productId: "N-HOURS",
  marketId: "M",
  status: "listed" as const,
  deliveryStart: at(3),
  deliveryEnd: at(4),
  hours: 2,
  lot: 0.5,
  tick: 25,
  minimumPrice: -50_000,
  maximumPrice: 300_000,
};
const ORDER = {
  id: "ORD-1",
  contractId: "N-9",
  userId: "anna",
  side: "BUY",
  price: 4_600,
  quantity: 3,
  filledQuantity: 0.5,
  remainingQuantity: 2.5,
  status: "partial",
};
const FILL = {
  id: "FIL-1",
  orderId: "ORD-1",
  contractId: "N-9",
  counterpartyId: "ELM",
  side: "BUY",
  price: 4_600,
  quantity: 0.5,
  time: at(0),
};
const POSITION = {
  contractId: "N-9",
  netQuantity: 0.5,
  netEnergy: 1,
  boughtQuantity: 0.5,
  soldQuantity: 0,
  averagePrice: 4_600,
  mark: 4_650,
  markSource: "book",
  realisedProfit: 0,
  unrealisedProfit: 0.5,
  profit: 0.5,
};
const TRADER = { permissions: ["Order.Submit", "Credit.View"] };
const PAIR = {
  entityId: "CEDAR",
  counterpartyId: "ELM",
  tradable: true,
  limits: [{ limitType: "notional", contractId: null, limit: 9_000, used: 4_000, available: 5_000, ownOrders: null }],
};

beforeEach(async () => {
  inState({ connection: TRADER });
  ticket.value = { step: "none" };
  answers["mkt_find_modules"] = ({ moduleType }: { moduleType: string }) => (
    { modules: moduleType === "ORDER" ? [ORDER] : [FILL], cursor: null }
  );
  answers["mkt_get_entity"] = { positions: [POSITION] };
  answers["GET /dashboard/credit"] = { pairs: [PAIR] };
  const books = [{ ...BOOK, contractId: "N-9" }];
  await settle(() => applyUpdates([update({ isWhole: true, contracts: [hour(3)], books })]));
});

const trading = () => show(h(ContractTrading, { facts: FACTS, ...LINKS }));
const panel = (page: Shown, name: string) => page.readingOf(page.all(name)[0]!);
const submit = (page: Shown) => settle(() => void page.all("form")[0]!.dispatch({ type: "submit" }));
const changes = () => sent.filter(({ path }) => /create|cancel|orders/.test(path));

test.each<[name: string, state: Partial<State>]>([
  ["the acting user lacks the permission", {}],
  ["the acting user has no entity", { connection: { ...TRADER, entityId: null } }],
  ["nobody acts", { connection: null }],
  ["the session only views", { connection: TRADER, session: { access: "view" } }],
])("there is no ladder, and nothing of the own entity is read, if %s", async (_name, state) => {
  inState(state);
  expect((await trading()).text).toBe("");
  expect((await show(h(EntityTrading, { entityId: "CEDAR", ...LINKS }))).text).toBe("");
  expect(sent).toEqual([]);
});

describe("the ladder", () => {
  test("has prices around the best ones, with what is bid and asked, and own orders, position and fills", async () => {
    const page = await trading();
    expect(panel(page, "trade-ladder")).toContain("<◆ 2.5> | <‹bid›5.0> | ‹bid›46.00, best bid | <Sell at 46.00> |");
    expect(panel(page, "trade-ladder")).toContain("‹ask›46.75, best ask | <7.5>");
    expect(panel(page, "trade-position")).toContain("Net, MW: +0.5");
    expect(panel(page, "trade-orders")).toContain(
      "[ORD-1](#/order/ORD-1) | <Change> <Cancel> | ‹buy›BUY | 46.00 | 2.5 | 0.5 | partial | anna",
    );
    expect(panel(page, "trade-fills")).toContain("‹buy›BUY | 46.00 | 0.5 | ELM | [ORD-1](#/order/ORD-1)");
  });

  test("a click prepares an order with its cost and credit, and sends nothing; Enter sends it once", async () => {
    const page = await trading();
    await page.click("Buy at 46.00, 5 MW bid");
    expect(panel(page, "trade-ticket")).toContain("New order: buy 0.5 MW at 46.00 $/MWh");
    await page.type("Quantity, MW", "2");
    expect(panel(page, "trade-ticket")).toContain(
      "Cost if all of it trades: $184.00 to pay\nCredit left by your own limits: $5K with each; enough with the one counterparty",
    );
    expect(changes()).toEqual([]);
    answers["mkt_create_test_order"] = { status: "success", message: "Order ORD-2 is working: 0 of 2 MW filled." };
    await submit(page);
    await submit(page);
    const given = { contractId: "N-9", side: "BUY", price: 4_600, quantity: 2 };
    expect(changes().map(({ body }) => body)).toMatchObject([{ arguments: given }]);
    expect(panel(page, "trade-ticket")).toContain("‹good›Done Order ORD-2 is working: 0 of 2 MW filled.");
  });

  test("a click on the button of the form, and a key that is held down, send nothing", async () => {
    const page = await trading();
    await page.click("Sell at 46.75, 7.5 MW asked");
    const form = page.all("form")[0]!;
    const button = page.find("Send: Enter");
    expect(button.dispatch({ type: "click", detail: 1 } as never)).toBe(true);
    expect(button.dispatch({ type: "click", detail: 0 } as never)).toBe(false);
    expect(form.dispatch({ type: "keydown", key: "Enter", repeat: true } as never)).toBe(true);
    expect(form.dispatch({ type: "keydown", key: "Enter" })).toBe(false);
    expect(changes()).toEqual([]);
  });

  test("what can't be sent says why, and Escape drops what is prepared", async () => {
    const page = await trading();
    await page.click("Buy at 46.00, 5 MW bid");
    await page.type("Price, $/MWh", "46.10");
    expect(panel(page, "trade-ticket")).toContain(
      "‹reason›Price: dollars per MWh from −500.00 to 3,000.00, in steps of 0.25.",
    );
    await submit(page);
    await page.type("Price, $/MWh", "46.25");
    await settle(() => inState({ connection: TRADER, frozen: { reason: null, since: null } }));
    expect(panel(page, "trade-ticket")).toContain("‹reason›The server is frozen");
    await submit(page);
    expect(changes()).toEqual([]);
    await settle(() => void page.all("form")[0]!.dispatch({ type: "keydown", key: "Escape" }));
    expect(panel(page, "trade-ticket")).toContain("Nothing is prepared.");
  });

  test("stands still under the mouse, but has the price of a new own order", async () => {
    const page = await trading();
    const ladder = () => panel(page, "trade-ladder");
    const box = page.all("table-box")[0]!.parentNode!;
    await settle(() => void box.dispatch({ type: "pointerenter" }));
    const moved = { ...BOOK, contractId: "N-9", asks: [{ ...BOOK.asks[0]!, price: 4_900 }] };
    await settle(() => applyUpdates([update({ books: [moved] })]));
    expect(ladder()).not.toContain("49.00");
    answers["mkt_find_modules"] = {
      modules: [ORDER, { ...ORDER, id: "ORD-9", side: "SELL", price: 4_800 }],
      cursor: null,
    };
    await settle(() => applyUpdates([update({ isWhole: true, contracts: [hour(3)], books: [moved] })]));
    await later(1_100);
    expect(ladder()).toContain("48.00");
    expect(ladder()).not.toContain("49.00");
  });

  test("an own order that is dragged to another price is prepared for a change, and Delete prepares its cancel", async () => {
    const page = await trading();
    const chip = page.all("trade-order")[0]!;
    await settle(() => void chip.dispatch({ type: "dragstart" }));
    const row = page.find("Buy at 46.25").closest("tr")!;
    expect(row.dispatch({ type: "dragover" })).toBe(true);
    await settle(() => void row.dispatch({ type: "drop" }));
    expect(panel(page, "trade-ticket")).toContain("Change order ORD-1: buy 2.5 MW at 46.00 $/MWh");
    answers["POST /dashboard/orders/ORD-1"] = { kind: "result", isError: false, result: { message: "Changed." } };
    await submit(page);
    expect(changes().map(({ path, body }) => [path, body])).toEqual([
      ["/dashboard/orders/ORD-1", { price: 4_625, idempotencyKey: expect.any(String) }],
    ]);
    sent.length = 0;
    await settle(() => void chip.dispatch({ type: "keydown", key: "Delete" }));
    expect(panel(page, "trade-ticket")).toContain("Cancel order ORD-1: buy 2.5 MW at 46.00 $/MWh");
    answers["mkt_cancel_order"] = { status: "success", message: "Order ORD-1 is cancelled." };
    await submit(page);
    expect(changes().map(({ body }) => body)).toMatchObject([{ arguments: { orderId: "ORD-1" } }]);
  });

  test("a lost answer is told as unknown, is kept over the page, and is repeated under the same key by the same user only", async () => {
    const page = await trading();
    await page.click("Sell");
    answers["mkt_create_test_order"] = {
      kind: "result",
      isError: true,
      result: { error: { code: "timeout", message: "Lost." } },
    };
    await submit(page);
    expect(panel(page, "trade-ticket")).toContain(
      "‹warning›Unknown It may have taken effect, or not: look at the order list.",
    );
    await page.click("Buy at 46.00, 5 MW bid");
    leave();
    expect(ticket.value.step).toBe("unknown");
    await settle(() => inState({ connection: { ...TRADER, userId: "bert" } }));
    expect(panel(page, "trade-ticket")).toContain("‹reason›Only anna can repeat it");
    await settle(() => inState({ connection: TRADER }));
    answers["mkt_create_test_order"] = { status: "success", message: "Order ORD-3 is working." };
    await submit(page);
    const keys = changes().map(({ body }) =>
      (body as { arguments: { idempotencyKey: string } }).arguments.idempotencyKey
    );
    expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
    expect(panel(page, "trade-ticket")).toContain("‹good›Done Order ORD-3 is working.");
    drop();
  });

  test("what is prepared vanishes once another user acts, or the page is left", async () => {
    const page = await trading();
    await page.click("Buy");
    expect(ticket.value.step).toBe("prepared");
    await settle(() => inState({ connection: { ...TRADER, userId: "bert" } }));
    expect(ticket.value.step).toBe("none");
    await page.click("Buy");
    await page.redraw(h("p", {}));
    expect(ticket.value.step).toBe("none");
  });

  test("is read again after an event of the own entity, and not after one of another", async () => {
    await trading();
    const reads = () => sent.filter(({ path }) => path.endsWith("mkt_find_modules")).length;
    const event = (entityId: string) => ({
      sequence: 1,
      category: "order" as const,
      type: "new.order",
      time: at(0),
      data: { contractId: "N-9", entityId },
    });
    sent.length = 0;
    await settle(() => applyUpdates([update({ events: [event("ELM")] })]));
    await dashboard.later(1_000);
    expect(reads()).toBe(0);
    await settle(() => applyUpdates([update({ events: [event("CEDAR")] })]));
    await dashboard.later(1_000);
    expect(reads()).toBe(2);
  });
});

test("all orders of the acting user are cancelled after one confirmation, and the page says what is left", async () => {
  const page = await show([
    h(EntityTrading, { entityId: "CEDAR", ...LINKS }),
    h(ConfirmDialog, {}),
  ]);
  const open = new Set(["ORD-1", "ORD-2"]);
  answers["mkt_find_modules"] = () => ({ modules: [...open].map((id) => ({ ...ORDER, id })), cursor: null });
  answers["mkt_cancel_order"] = ({ orderId }: { orderId: string }) => {
    open.delete(orderId);
    return { status: "success", message: "" };
  };
  sent.length = 0;
  await page.click("Cancel all of mine");
  expect(panel(page, "dialog")).toContain("Every open order of anna in every contract is cancelled");
  expect(changes()).toEqual([]);
  await settle(() => confirmation.value!.agree());
  expect(changes()).toHaveLength(2);
  expect(sent.find(({ path }) => path.endsWith("mkt_find_modules"))?.body).toMatchObject({
    arguments: { filters: { userId: "anna" } },
  });
  expect(panel(page, "dialog")).toContain("2 orders were cancelled; none of yours is open.");
  await settle(() => confirmation.value!.close());
});
