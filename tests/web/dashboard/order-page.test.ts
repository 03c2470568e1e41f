// The page of one order. reading.ts explains the notation.

import { beforeEach, describe, expect, test } from "bun:test";
import { h } from "preact";
import type { OrderAuditEvent, OrderResult } from "../../../web/contract/tool-results.ts";
import { Refusal, settle, show } from "../support/browser.ts";
import { openDashboard } from "../support/dashboard.ts";
import { BOOK, NOON } from "../support/market.ts";
import { update } from "../updates.ts";

const dashboard = await openDashboard();
const { answers, applyUpdates, market, sent } = dashboard;
const { default: Order } = await import("../../../web/dashboard/pages/order/order.tsx");

describe("the page of an order", () => {
  const RESULT: OrderResult = {
    id: "O1",
    clientOrderId: "c",
    contractId: "N-6",
    marketId: "M",
    entityId: "CEDAR",
    userId: "anna",
    side: "BUY",
    timeInForce: "gtc",
    createdAt: NOON,
    updatedAt: NOON,
    price: 4_600,
    quantity: 5,
    filledQuantity: 2,
    remainingQuantity: 3,
    averagePrice: 4_550,
    status: "partial",
    closeReason: null,
    blockedBy: [],
  };
  const trail = (id: number, name: string, details: object, userId = "anna"): OrderAuditEvent => (
    {
      id: `A${id}`,
      time: new Date(Date.parse(NOON) + id * 1_500).toISOString(),
      event: name,
      userId,
      details: { ...details },
    }
  );
  const EVENTS = [
    trail(2, "orderFilled", { fillQuantity: 2, fillPrice: 4_550, counterpartyId: "ASH" }, "bob"),
    trail(1, "orderModified", { previousPrice: 4_500, price: 4_600, quantity: 5 }),
    trail(0, "orderQueued", { side: "BUY", price: 4_500, quantity: 5, timeInForce: "gtc" }),
  ];
  const order = (change: Partial<OrderResult> = {}, page: object = {}) => {
    if (typeof answers["mkt_get_order"] !== "function") answers["mkt_get_order"] = { ...RESULT, ...change };
    answers["mkt_get_order_events"] ??= { orderId: "O1", events: EVENTS, hasMore: false, cursor: null, ...page };
    return show(h(Order, { argument: "O1" }));
  };

  test("has its terms, and its life as steps with what was filled", async () => {
    expect((await order()).text).toBe(
      `O1
‹info›partial
Side: ‹buy›BUY
Price, $/MWh: 46.00 / filled at 45.50
Filled of ordered, MW: 2 of 5▭40% / 3 MW open
Contract: [N-6](#/contract/N-6)
Entity: [CEDAR](#/entities/CEDAR) / anna
Accepted: Nov 23, 05:00:00 / until cancelled
Why doesn't it trade?
What is in the book is not known yet.
To the best ask, $/MWh: – / the book is on its way
What happened
‹info›Accepted
BUY 5 MW at 45.00 $/MWh, gtc
Nov 23, 05:00:00 · by anna
▭0% 0 of 5 MW filled
‹neutral›Changed
45.00 $/MWh → 46.00 $/MWh
Nov 23, 05:00:01 · 1 s later · by anna
‹good›Filled in part
2 MW at 45.50 $/MWh
Nov 23, 05:00:03 · 1 s later · with [ASH](#/entities/ASH)
▭40% 2 of 5 MW filled`,
    );
  });

  test.each<[change: Partial<OrderResult>, has: string, hasNot: string]>([
    [{ side: "SELL" }, "Side: ‹sell›SELL", "‹buy›"],
    [{ averagePrice: null }, "Price, $/MWh: 46.00\n", "filled at"],
    [{ timeInForce: "day" }, "until the day ends", "until cancelled"],
    [{ status: "cancelled", closeReason: "cancelled" }, "‹warning›cancelled\n", "cancelled:"],
    [{ status: "cancelled", closeReason: "limit_exceeded" }, "‹warning›cancelled: limit exceeded", "partial"],
    [{ status: "filled" }, "‹good›filled", "partial"],
    [{ status: "held" }, "‹warning›held", "partial"],
    [{ filledQuantity: 7 }, "7 of 5▭100%", "140%"],
  ])("says of an order with %j", async (change, has, hasNot) => {
    const { text } = await order(change);
    expect(text).toContain(has);
    expect(text).not.toContain(hasNot);
  });

  test("shows what is filled again at the last step, and between only if it has changed", async () => {
    const change = (id: number) => trail(id, "orderModified", { previousPrice: 4_500, price: 4_600, quantity: 5 });
    answers["mkt_get_order_events"] = { orderId: "O1", events: [change(4), change(3), ...EVENTS], hasMore: false };
    const { text } = await order();
    expect([...text.matchAll(/(\d) of 5 MW filled/g)].map(([, filled]) => filled)).toEqual(["0", "2", "2"]);
    expect(text).toEndWith("▭40% 2 of 5 MW filled");
  });

  test("has times of its own market, whatever the first one is", async () => {
    dashboard.inState({ markets: [{ id: "A", timezone: "Europe/Berlin" }, {}] });
    const { text } = await order();
    expect(text).toContain("Accepted: Nov 23, 05:00:00");
    expect(text).toContain("Nov 23, 05:00:03 · 1 s later");
    expect((await order({ marketId: "A" })).text).toContain("Accepted: Nov 23, 13:00:00");
  });

  test("that the market has forgotten is told by its trail, and an unknown one is an error", async () => {
    answers["mkt_get_order"] = () => {
      throw new Refusal(404, { code: "not_found", message: "No such order." });
    };
    const { text } = await order();
    expect(text).toContain("The market has no such order now");
    expect(text).toContain("‹good›Filled in part");
    expect(text).not.toContain("No such order.");
    answers["mkt_get_order_events"] = {
      orderId: "O1",
      events: [],
      hasMore: false,
      cursor: null,
      note: "Nothing is kept.",
    };
    const unknown = (await order()).text;
    expect(unknown).toContain("not_found No such order.\n<Try again>");
    expect(unknown).toEndWith("No events\nNothing is kept.");
    expect((await show(h(Order, { argument: "" }))).text).toContain("No order is named");
  });

  test("is read from the audit log by who may not read its trail, page by page, at most six", async () => {
    answers["mkt_get_order_events"] = () => {
      throw new Refusal(403, { code: "forbidden", message: "No." });
    };
    let pages = 0;
    answers["mkt_get_audit_log"] = () => (
      { orderId: "O1", events: [trail(-pages, "orderHeld", {})], hasMore: true, cursor: `c${++pages}` }
    );
    const { text } = await order();
    const asked = sent.filter(({ path }) => path.endsWith("audit_log")).map(({ body }) =>
      (body as { arguments: Record<string, unknown> }).arguments
    );
    expect(asked[0]).toEqual({ moduleType: "ORDER", moduleId: "O1", limit: 50, detail: "full" });
    expect(asked.map(({ cursor }) => cursor)).toEqual([undefined, "c1", "c2", "c3", "c4", "c5"]);
    expect(text).toContain("only the newest events are shown");
    expect(text.match(/‹warning›Held/g)).toHaveLength(6);
  });

  test("is read again after an event of its own, and after no other", async () => {
    await order();
    const reads: number[] = [];
    for (const data of [{ id: "O2" }, { id: "O1" }, { id: "F", orderId: "O1" }, { id: "F", orderId: "O2" }]) {
      const before = sent.length;
      const change = { sequence: reads.length + 1, category: "order", type: "change.order", time: NOON, data } as const;
      await settle(() => applyUpdates([update({ events: [change] })]));
      reads.push(sent.length - before);
    }
    expect(reads).toEqual([0, 2, 2, 0]);
  });

  describe("why it doesn't trade", () => {
    const block = { counterpartyId: "ASH", reason: "entity_no_limit", quantity: 7.5, contractId: "N-6", price: 4_590 };
    const withBook = (asks = BOOK.asks) => void (market.books.value = new Map([["N-6", { ...BOOK, asks }]]));
    const asked = (tool: string) => sent.filter(({ path }) => path.endsWith(tool)).length;

    beforeEach(() => withBook());

    test("is said in a sentence, in figures, and with what would change it", async () => {
      const { text } = await order();
      expect(text).toContain(`Why doesn't it trade?
Nobody offers at its price: it is 0.75 $/MWh below the best ask, 7.5 MW at 46.75 $/MWh. Up to 2 MW at its own price go before it.
To the best ask, $/MWh: 0.75 / ask 46.75, 7.5 MW
Ahead at better prices, MW: 0 / no orders
Ahead at its own price, MW: 0 to 2 / 1 order; who came first, the book does not say
What would change that
A higher price: at 46.75 $/MWh it reaches 7.5 MW, if documents and credit allow it.`);
    });

    test("has a row for each reason that the acting user may see, and no name that is hidden", async () => {
      withBook([{ price: 4_590, volume: 7.5, orderCount: 1 }]);
      const hidden = { ...block, counterpartyId: null, reason: "documents_or_credit" };
      const { text } = await order({ blockedBy: [block, hidden] });
      expect(text).toContain(`With | MW | From, $/MWh | Why not, and what would change that
[ASH](#/entities/ASH) | 7.5 | 45.90 | CEDAR has set no credit limit for ASH that covers this contract. CEDAR sets one: a user \
of CEDAR with Credit.Manage may do that.
hidden from you | 7.5 | 45.90 | Documents or credit limits of CEDAR and the other entity do not allow it.`);
    });

    test("of a held order has its place in the queue, read again while it is held", async () => {
      dashboard.inState({ markets: [{ halted: true }] });
      answers["mkt_find_modules"] = { modules: [{ length: 4, orderIds: ["A", "B", "O1", "C"] }] };
      const { text } = await order({ status: "held" });
      expect(text).toContain("The market Plains is halted, so nothing trades now. The order is held");
      expect(text).toContain("Place among held orders: 3 of 4");
      const { body } = sent.find(({ path }) => path.endsWith("mkt_find_modules"))!;
      expect(body).toEqual({
        arguments: {
          moduleType: "QUEUE",
          filters: { contractId: "N-6" },
          fields: ["length", "orderIds"],
          limit: 1,
        },
      });
      await dashboard.later(5_000);
      expect(asked("mkt_find_modules")).toBe(2);
    });

    test("is asked again once its price reaches others, of which no event of its own tells", async () => {
      await order();
      const before = asked("mkt_get_order");
      await settle(() => withBook([{ price: 4_600, volume: 1, orderCount: 1 }]));
      await settle(() => withBook([{ price: 4_590, volume: 1, orderCount: 1 }]));
      expect(asked("mkt_get_order") - before).toBe(1);
    });

    test("is not asked of an order that is closed, or that the acting user may not see", async () => {
      expect((await order({ status: "filled", closeReason: "filled" })).text).not.toContain("Why doesn't it trade?");
      answers["mkt_get_order"] = () => {
        throw new Refusal(404, { code: "not_found", message: "There is no order O1 that you can see." });
      };
      answers["mkt_get_order_events"] = { orderId: "O1", events: [], hasMore: false, cursor: null };
      const { text } = await order();
      expect(text).toContain("There is no order O1 that you can see.");
      expect(text).not.toMatch(/Why doesn't it trade|CEDAR|46\.00/);
    });

    test("may be old while there is no contact with the market", async () => {
      dashboard.inState({ connection: { status: "reconnecting" } });
      expect((await order()).text).toContain("There is no contact with the market, so this may be old.");
    });
  });
});
