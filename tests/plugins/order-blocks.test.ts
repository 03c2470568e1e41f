// What mkt_create_test_order and mkt_get_order say about an order that crosses the book and does not trade, with a real
// engine. A proxy in front of its HTTP API counts the requests for reasons, and can answer as another backend would.

import { beforeEach, describe, expect, test } from "bun:test";
import { atEnd } from "../support/at-end.ts";
import { whyNotTraded } from "../../web/dashboard/pages/order/why.ts";
import { Desk, list, text, type Value } from "./support/desk.ts";
import { BASE, MARKET } from "./support/market.ts";
import { until } from "../support/until.ts";

const desk = await Desk.open({
  ...MARKET,
  users: [
    ...MARKET.users,
    { id: "blind", name: "Blind", entityId: "alpha", permissions: ["Order.Submit", "Credit.View"] },
    { id: "iris", name: "Iris", entityId: "alpha", permissions: ["Market.View", "Order.Submit"] },
    { id: "eve", name: "Eve", entityId: "gamma", permissions: ["Order.Submit", "Credit.View"] },
  ],
});

/** Answers requests for reasons; null passes them on to the engine. */
let answer: (() => Response | Promise<Response>) | null = null;
let asked = 0;
const proxy = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  fetch: (request) => {
    const url = new URL(request.url);
    url.port = String(desk.engine.port);
    if (!url.pathname.endsWith("/blocks")) return fetch(url, { headers: request.headers });
    asked += 1;
    return answer === null ? fetch(url, { headers: request.headers }) : answer();
  },
});
atEnd(() => proxy.stop(true));

const through = { MKT_BASE_URL: `http://127.0.0.1:${proxy.port}` };
const [alice, bob] = [await desk.connected("alice", through), await desk.connected("bob", through)];
const [greta, olga] = [await desk.connected("greta", through), await desk.connected("olga", through)];

beforeEach(async () => {
  answer = null;
  await olga.ok("mkt_flush_all_orders", { confirm: true });
  asked = 0;
});

describe("an order that crosses the book without trading", () => {
  test("says why, in blockedBy and in one sentence, and who can fix it", async () => {
    await greta.sell(BASE, 4200, 10);
    const bid = await alice.buy(BASE, 4300, 10);
    expect(list(bid, "blockedBy")).toEqual([
      {
        counterpartyId: "gamma",
        quantity: 10,
        contractId: BASE,
        price: 4200,
        reason: "entity_documents",
        documentation: "no_docs",
      },
      {
        counterpartyId: "gamma",
        quantity: 10,
        contractId: BASE,
        price: 4200,
        reason: "counterparty_documents",
        documentation: "no_docs",
      },
      { counterpartyId: "gamma", quantity: 10, contractId: BASE, price: 4200, reason: "entity_no_limit" },
    ]);
    expect(text(bid, "message")).toBe(
      `Order ${
        bid["orderId"]
      } is working: 0 of 10 MW filled. It crosses asks of gamma at 4200 cents/MWh but can't trade ` +
        "with them: alpha has not set docs_in_place for gamma (10 MW); gamma has not set docs_in_place for alpha (10 MW); " +
        `alpha has set no credit limit for gamma that covers ${BASE} (10 MW). ` +
        "You can fix it with mkt_set_documentation_status and mkt_set_credit_limit; a user of gamma with Credit.Manage " +
        "can fix it with mkt_set_documentation_status. The orders then trade by themselves.",
    );
    const got = await alice.ok("mkt_get_order", { orderId: bid["orderId"] });
    expect(got).toMatchObject({ side: "BUY", message: bid["message"], blockedBy: bid["blockedBy"] });
    expect(asked).toBe(2);
  });

  test("the orders trade by themselves once the reasons are gone", async () => {
    await bob.ok("mkt_set_documentation_status", { entityId: "beta", counterpartyId: "alpha", status: "pending" });
    await alice.sell(BASE, 100, 5);
    const bid = await bob.buy(BASE, 100, 5);
    expect(text(bid, "message")).toContain("beta has not set docs_in_place for alpha yet (pending) (5 MW)");
    const set = { entityId: "beta", counterpartyId: "alpha", status: "docs_in_place" };
    await bob.ok("mkt_set_documentation_status", set);
    const after = await bob.ok("mkt_get_order", { orderId: bid["orderId"] });
    expect(after).toMatchObject({ status: "filled", blockedBy: [] });
    expect(text(after, "message")).toBe(`Order ${bid["orderId"]} is filled: 5 of 5 MW filled.`);
  });

  test("gives the figures of one's own limit, and not those of the counterparty's", async () => {
    const limit = {
      entityId: "beta",
      counterpartyId: "alpha",
      limitType: "mw",
      scope: "per_contract",
      contractId: BASE,
    };
    await bob.ok("mkt_set_credit_limit", { ...limit, limit: 0.5 });
    const ask = await bob.sell(BASE, 200, 3);
    const bid = await alice.buy(BASE, 200, 2);
    expect(list(bid, "blockedBy")).toEqual([
      { counterpartyId: "beta", reason: "counterparty_limit", quantity: 3, contractId: BASE, price: 200 },
    ]);
    expect(text(bid, "message")).toContain(
      "beta's limit for alpha leaves too little; you may not see its figures (3 MW)",
    );
    const readAsk = () => bob.ok("mkt_get_order", { orderId: ask["orderId"] });
    const seen = await until(readAsk, (order) => list(order, "blockedBy").length > 0);
    expect(list(seen, "blockedBy")[0]).toMatchObject({
      reason: "entity_limit",
      limitType: "mw",
      limit: 0.5,
      needed: 1,
    });
    expect(text(seen, "message")).toMatch(
      /per_contract mw limit for alpha leaves -?[\d.]+ of 0\.5 MW, and one lot needs 1/,
    );
    const iris = await desk.connected("iris");
    expect((await iris.ok("mkt_get_order", { orderId: bid["orderId"] }))["blockedBy"]).toEqual(bid["blockedBy"]);
    await bob.ok("mkt_set_credit_limit", { ...limit, limit: 80 });
    const read = () => alice.ok("mkt_get_order", { orderId: bid["orderId"] });
    await until(read, ({ status }) => status === "filled");
  });

  test("tells a user without Market.View neither owner nor reason, but which tool shows more", async () => {
    const blind = await desk.connected("blind");
    await greta.sell(BASE, 4200, 10);
    const bid = await blind.buy(BASE, 4300, 10);
    expect(list(bid, "blockedBy")).toEqual([
      { counterpartyId: null, reason: "documents_or_credit", quantity: 10, contractId: BASE, price: 4200 },
    ]);
    expect(JSON.stringify(bid)).not.toContain("gamma");
    expect(text(bid, "message")).toContain("mkt_get_credit_status with entityId alpha shows with whom it can trade.");
  });

  test("names a halt and its end, also for a held order, and own orders", async () => {
    await bob.sell(BASE, 100, 5);
    await alice.sell(BASE, 100, 1);
    await olga.ok("mkt_halt_market");
    const bid = await alice.buy(BASE, 100, 5);
    await olga.ok("mkt_resume_market");
    expect(bid).toMatchObject({ orderDetails: { status: "held" } });
    expect(list(bid, "blockedBy").map(({ reason, quantity }) => [reason, quantity])).toEqual([
      ["market_halted", 6],
      ["self_trade", 1],
    ]);
    expect(text(bid, "message")).toContain(
      "Market power is halted, so nothing trades now; a user with Market.Operate resumes it with mkt_resume_market. It " +
        "crosses asks of alpha at 100 cents/MWh and couldn't trade with them in an open market either: alpha doesn't trade with " +
        "itself (1 MW).",
    );
  });
});

describe("the dashboard's page of an order", () => {
  /** All that it says of why the order doesn't trade, to a user of alpha who has read it. */
  const wordsOn = (order: Value) =>
    JSON.stringify(whyNotTraded({
      order: order as never,
      ...{ book: undefined, market: undefined, queue: null },
      viewer: { entityId: "alpha", permissions: [] },
    }));

  test("names no owner and no reason to who may not see them, and is empty for others", async () => {
    const [blind, eve] = [await desk.connected("blind"), await desk.connected("eve")];
    await greta.sell(BASE, 4200, 10);
    const { orderId } = await blind.buy(BASE, 4300, 10);
    const words = wordsOn(await blind.ok("mkt_get_order", { orderId }));
    expect(words).toContain("Which, is hidden from you.");
    expect(words).not.toMatch(/gamma|docs_in_place|no_docs/);
    expect(wordsOn(await alice.ok("mkt_get_order", { orderId }))).toContain("gamma has not marked its documents");
    const { isError, value } = await eve.call("mkt_get_order", { orderId });
    expect([isError, value["error"]]).toEqual([true, expect.objectContaining({ code: "not_found" })]);
    expect(JSON.stringify(value)).not.toMatch(/alpha|4300/);
  });

  test("has figures of a limit for who may see them alone", async () => {
    const pair = {
      entityId: "beta",
      counterpartyId: "alpha",
      limitType: "mw",
      scope: "per_contract",
      contractId: BASE,
    };
    await bob.ok("mkt_set_credit_limit", { ...pair, limit: 0.25 });
    const { orderId: ask } = await bob.sell(BASE, 200, 3);
    const { orderId } = await alice.buy(BASE, 200, 2);
    const seen = await until(
      () => bob.ok("mkt_get_order", { orderId: ask }),
      (order) => list(order, "blockedBy").length > 0,
    );
    expect(wordsOn(seen)).toMatch(/of 0\.25 MW.*one lot needs 1 MW/);
    const words = wordsOn(await alice.ok("mkt_get_order", { orderId }));
    expect(words).toContain("Its figures are hidden from you.");
    expect(words).not.toContain("0.25");
    await bob.ok("mkt_set_credit_limit", { ...pair, limit: 80 });
  });
});

test("a held order that crosses nothing says why it is held, without a request", async () => {
  await olga.ok("mkt_halt_market");
  const bid = await alice.buy(BASE, 100, 5);
  await olga.ok("mkt_resume_market");
  expect(bid).toMatchObject({
    blockedBy: [],
    message:
      `Order ${bid["orderId"]} is held: 0 of 5 MW filled. Market power is halted, so nothing trades now; a user with ` +
      "Market.Operate resumes it with mkt_resume_market.",
  });
  expect(asked).toBe(0);
});

describe("the backend is asked for reasons", () => {
  test("only for an open order that crosses the book", async () => {
    const ask = await bob.sell(BASE, 500, 5);
    const bid = await alice.buy(BASE, 499, 5);
    expect(bid).toMatchObject({ blockedBy: [], message: `Order ${bid["orderId"]} is working: 0 of 5 MW filled.` });
    const filled = await alice.buy(BASE, 500, 5);
    for (const { orderId } of [ask, bid, filled]) {
      expect(await alice.ok("mkt_get_order", { orderId })).toMatchObject({ blockedBy: [] });
    }
    const gone = await alice.ok("mkt_cancel_order", { orderId: bid["orderId"] });
    expect(await alice.ok("mkt_get_order", { orderId: gone["orderId"] })).toMatchObject({ status: "cancelled" });
    await greta.call("mkt_create_test_order", { contractId: BASE, side: "BUY", price: 500, quantity: 0.5 });
    expect(asked).toBe(0);
    await greta.sell(BASE, 400, 5);
    expect(await alice.buy(BASE, 400, 5)).toMatchObject({ blockedBy: [{}, {}, {}] });
    expect(asked).toBe(1);
  });

  const faults: [string, () => Response | Promise<Response>, string][] = [
    ["has no such route", () => new Response("not here", { status: 404 }), "The backend gives no reasons"],
    ["fails", () => new Response("broken", { status: 500 }), "are unknown. The backend answered 500"],
    ["answers nonsense", () => Response.json({ blockedBy: 7 }), "are unknown. The backend's answer"],
    ["refuses", () => Response.json({ error: { code: "forbidden", message: "No." } }, { status: 403 }), "refused: No."],
    [
      "forgets the order",
      () => Response.json({ error: { code: "unknown_order", message: "gone" } }, { status: 404 }),
      "gone",
    ],
  ];

  test("but only the first 30 reasons are shown", async () => {
    await greta.sell(BASE, 400, 5);
    const whole = { orderId: "o", contractId: BASE, marketStatus: "open", moreCounterparties: 4, complete: true };
    const figures = { limitType: "notional", scope: "per_contract", limit: 1e12, used: 999_999.1234, unit: "dollars" };
    const one = { reason: "entity_limit", quantity: 1000.5, contractId: BASE, price: 400, ...figures };
    const blockedBy = Array.from(
      { length: 90 },
      (_, at) => ({ counterpartyId: `a-long-name-of-an-entity-${at}`, ...one }),
    );
    answer = () => Response.json({ ...whole, blockedBy });
    const bid = await alice.buy(BASE, 400, 5);
    expect(list(bid, "blockedBy")).toHaveLength(30);
    expect(text(bid, "message")).toEndWith("blockedBy leaves out 60 further reasons.");
    expect(JSON.stringify(bid).length).toBeLessThan(12_000);
  });

  test.each(faults)("and the call succeeds if it %s", async (_what, reply, message) => {
    await greta.sell(BASE, 400, 5);
    answer = reply;
    const bid = await alice.buy(BASE, 400, 5);
    expect(bid).toMatchObject({ status: "success", blockedBy: null, orderDetails: { status: "working" } });
    expect(text(bid, "message")).toContain("It crosses the book.");
    expect(text(bid, "message")).toContain(message);
    expect(await alice.ok("mkt_get_order", { orderId: bid["orderId"] })).toMatchObject({ blockedBy: null });
  });
});
