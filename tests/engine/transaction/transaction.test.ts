// What a call tells of credit, books and queues. The driver checks after each call that clients then know every module as it
// is; these tests say which modules are sent, and which are not.

import { describe, expect, test } from "bun:test";
import { marketDefinition } from "../../../engine/definition/market-definition.ts";
import { EngineDriver } from "../support/engine-driver.ts";
import { marketWithoutCredit, smallMarket, START, USERS } from "../support/market.ts";

const { alpha, beta, gamma, operator } = USERS;
const DELIVERY = "2026-01-20T17:00:00Z";
const iso = (time: string | number) => new Date(time).toISOString();

/** ALPHA and BETA grant each other a limit in MW; GAMMA has no credit. */
function twoWithCredit(ofAlpha: number, ofBeta: number): EngineDriver {
  const engine = new EngineDriver(marketWithoutCredit());
  for (const [user, pair, limit] of [[alpha, "ALPHA:BETA", ofAlpha], [beta, "BETA:ALPHA", ofBeta]] as const) {
    engine.setDocuments(user, pair, "docs_in_place");
    engine.setLimit(user, pair, { limit });
  }
  return engine;
}

const statuses = (engine: EngineDriver) => engine.all("ENTITY").map(({ creditStatus }) => creditStatus);

describe("a change of credit", () => {
  test("of one's own limit is sent of the own pair alone, and of both if they may now trade or no longer may", () => {
    const engine = twoWithCredit(5, 5);
    expect(engine.setLimit(alpha, "ALPHA:BETA", { limit: 4 }).paths).toEqual(["/CREDIT/ALPHA:BETA"]);
    const before = engine.credit("BETA", "ALPHA").updatedAt;
    engine.now += 1_000;
    const ended = engine.setLimit(alpha, "ALPHA:BETA", { limit: 0.4 });
    expect(ended.paths).toEqual(["/ENTITY/ALPHA", "/CREDIT/ALPHA:BETA", "/CREDIT/BETA:ALPHA"]);
    expect([engine.credit("BETA", "ALPHA").tradable, statuses(engine)]).toEqual([false, ["exhausted", "ok", "none"]]);
    expect([before, engine.credit("BETA", "ALPHA").updatedAt]).toEqual([iso(START), iso(START + 1_000)]);
    const begun = engine.setLimit(alpha, "ALPHA:BETA", { limit: 0.5 });
    expect(begun.paths).toEqual(["/ENTITY/ALPHA", "/CREDIT/ALPHA:BETA", "/CREDIT/BETA:ALPHA"]);
    expect([engine.credit("BETA", "ALPHA").tradable, statuses(engine)]).toEqual([true, ["ok", "ok", "none"]]);
  });

  test("of documents is sent of both, and of notes alone of the own pair", () => {
    const engine = twoWithCredit(5, 5);
    expect(engine.setDocuments(beta, "BETA:ALPHA", "docs_in_place", "by fax").paths).toEqual(["/CREDIT/BETA:ALPHA"]);
    expect(engine.setDocuments(beta, "BETA:ALPHA", "pending", "by fax").paths)
      .toEqual(["/CREDIT/BETA:ALPHA", "/CREDIT/ALPHA:BETA"]);
    expect([engine.credit("ALPHA", "BETA").counterpartyDocumentation, engine.credit("ALPHA", "BETA").tradable])
      .toEqual(["pending", false]);
  });

  test("by a trade is sent of both, and tells when it is used up and when it is free again", () => {
    const engine = twoWithCredit(3, 2);
    engine.sell(alpha, { price: 5, quantity: 9 });
    expect(engine.buy(beta, { price: 5, quantity: 1 }).paths)
      .toEqual(["/CREDIT/ALPHA:BETA", "/CREDIT/BETA:ALPHA"]);
    const last = engine.buy(beta, { price: 5, quantity: 1 });
    expect(last.paths).toEqual(["/ENTITY/BETA", "/CREDIT/ALPHA:BETA", "/CREDIT/BETA:ALPHA"]);
    expect([engine.credit("ALPHA", "BETA").usedMw, statuses(engine)]).toEqual([2, ["ok", "exhausted", "none"]]);
    engine.execute(operator, "market.flush", {});
    engine.advanceTo("2026-01-20T18:00:00Z");
    expect([engine.credit("BETA", "ALPHA").tradable, engine.credit("BETA", "ALPHA").usedMw, statuses(engine)])
      .toEqual([true, 0, ["ok", "ok", "none"]]);
  });
});

describe("a contract that is listed or goes to delivery", () => {
  test("ends and begins what pairs may trade, and tells both of them", () => {
    const engine = twoWithCredit(5, 5);
    engine.setLimit(alpha, "ALPHA:BETA", { limit: 9, contractId: "N-H12" });
    engine.setLimit(alpha, "ALPHA:BETA", { limit: 0, contractId: "S-PK" });
    expect(engine.credit("BETA", "ALPHA").tradable).toBe(true);
    const begun = engine.advanceTo(DELIVERY);
    expect(begun.paths.filter((path) => !path.includes("CONTRACT")))
      .toEqual(["/ENTITY/ALPHA", "/CREDIT/BETA:ALPHA", "/CREDIT/ALPHA:BETA"]);
    expect([engine.credit("ALPHA", "BETA").updatedAt, engine.credit("BETA", "ALPHA").updatedAt])
      .toEqual([iso(DELIVERY), iso(DELIVERY)]);
    expect(statuses(engine)).toEqual(["exhausted", "ok", "none"]);
  });

  test("changes the status of an entity that may trade with nobody in any case", () => {
    const engine = new EngineDriver(marketWithoutCredit());
    engine.setLimit(gamma, "GAMMA:ALPHA", { limit: 9, contractId: "N-H12" });
    expect(statuses(engine)).toEqual(["none", "none", "ok"]);
    expect(engine.advanceTo(DELIVERY).paths).toEqual(["/ENTITY/GAMMA"]);
    expect(statuses(engine)).toEqual(["none", "none", "exhausted"]);
  });

  test("by a rule, lets pairs trade that had no contract to trade", () => {
    const [hour, peak] = smallMarket().products;
    const listing = { ahead: 1, at: "09:00" };
    const engine = new EngineDriver(marketDefinition.parse({
      ...smallMarket(),
      products: [{ ...hour, type: "base", listing }, peak],
      contracts: [],
      markets: smallMarket().markets.map((market) => ({ ...market, keepDeliveredHours: 0 })),
    }));
    expect(engine.credit("ALPHA", "BETA").tradable).toBe(false);
    const listed = engine.advanceTo("2026-01-14T14:00:00Z");
    expect(listed.dataOf("new.contract").map(({ id }) => id)).toEqual(["N-HOUR-2026-01-15"]);
    expect(listed.paths.filter((path) => path.startsWith("/CREDIT/"))).toHaveLength(6);
    expect([engine.credit("ALPHA", "BETA").tradable, engine.credit("BETA", "GAMMA").updatedAt])
      .toEqual([true, iso("2026-01-14T14:00:00Z")]);
    // The next day's contract is listed after the first one has gone to delivery.
    const gone = engine.advanceTo("2026-01-15T05:00:00Z");
    expect(gone.paths.filter((path) => path.startsWith("/CREDIT/"))).toHaveLength(6);
    expect(engine.credit("ALPHA", "BETA").tradable).toBe(false);
  });
});

test("a book and a queue that change have the time of the call, and others keep theirs", () => {
  const engine = new EngineDriver();
  engine.now += 1_000;
  engine.buy(alpha, { price: 5, quantity: 1 });
  engine.now += 1_000;
  engine.execute(operator, "market.halt", {});
  engine.buy(alpha, { contractId: "S-PK", price: 5, quantity: 1 });
  const times = (type: "ENGINE" | "QUEUE") => engine.all(type).map(({ lastUpdate }) => Date.parse(lastUpdate) - START);
  expect([times("ENGINE"), times("QUEUE")]).toEqual([[1_000, 0], [0, 2_000]]);
  engine.now += 1_000;
  engine.execute(alpha, "order.cancel", { orderId: "ORD-2" });
  engine.execute(alpha, "order.cancel", { orderId: "ORD-1" });
  expect([times("ENGINE"), times("QUEUE")]).toEqual([[3_000, 0], [0, 3_000]]);
});

test("a book that changes before the end of a late call has the time of its event, which is that of the call", () => {
  const engine = new EngineDriver();
  engine.buy(alpha, { price: 5, quantity: 1 });
  engine.setClock({ mode: "fast", speed: 60 });
  const late = engine.advanceTo("2026-01-20T17:30:00Z");
  expect(late.events.map(({ type, time }) => [type, time])).toEqual([
    ["change.contract", iso(DELIVERY)],
    ["expire.order", iso(DELIVERY)],
    ["change.book", iso("2026-01-20T17:30:00Z")],
  ]);
  expect(engine.module("ENGINE", "ENG-N-H12").lastUpdate).toBe(iso("2026-01-20T17:30:00Z"));
});
