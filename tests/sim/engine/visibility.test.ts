import { describe, expect, test } from "bun:test";
import { maySee } from "../../../sim/engine/visibility.ts";
import type { EventMessage } from "../../../core/protocol/index.ts";
import { required } from "../../../sim/engine/engine-state.ts";
import { EngineDriver } from "../support/engine-driver.ts";
import { USERS } from "../support/market.ts";

const { alpha, beta, blind, gamma, operator, publisher, viewer } = USERS;

/** ALPHA and GAMMA have traded; BETA has an order. */
function tradedMarket(): EngineDriver {
  const engine = new EngineDriver();
  engine.sell(alpha, { price: 5, quantity: 1 });
  engine.buy(gamma, { price: 5, quantity: 1 });
  engine.buy(beta, { price: 4, quantity: 1 });
  return engine;
}

function seenOf(engine: EngineDriver, userId: string, types: string[]): string[] {
  const user = required(engine.engine.user(userId), "user");
  return [...engine.engine.snapshot(engine.now)].filter((message) => maySee(user, message))
    .map(({ statePath }) => statePath).filter((path) => types.includes(path.split("/")[1] ?? "")).toSorted();
}

function mayAll(engine: EngineDriver, users: string[], event: EventMessage | undefined): boolean[] {
  return users.map((id) => maySee(required(engine.engine.user(id), "user"), required(event, "event")));
}

describe("what a user may see", () => {
  test("the public parts of the market are for everybody", () => {
    const engine = tradedMarket();
    const publicTypes = ["MARKET", "PRODUCT", "CONTRACT", "ENGINE", "QUEUE", "ENTITY", "USER"];
    expect(seenOf(engine, publisher, publicTypes)).toEqual(seenOf(engine, operator, publicTypes));
    expect(seenOf(engine, publisher, publicTypes)).toHaveLength(1 + 2 + 2 + 2 + 2 + 3 + 9);
  });

  test("with Market.View orders, fills and trades of all", () => {
    const engine = tradedMarket();
    for (const user of [viewer, alpha, operator]) {
      expect(seenOf(engine, user, ["ORDER", "FILL", "TRADE"])).toHaveLength(6);
    }
  });

  test("without Market.View only those of one's own entity, and none without an entity", () => {
    const engine = tradedMarket();
    expect(seenOf(engine, blind, ["ORDER", "FILL", "TRADE"])).toEqual(["/ORDER/ORD-3"]);
    engine.sell(gamma, { price: 4, quantity: 1 });
    expect(seenOf(engine, blind, ["ORDER", "FILL", "TRADE"])).toEqual(["/FILL/FIL-3", "/ORDER/ORD-3", "/TRADE/TRD-2"]);
    expect(seenOf(engine, publisher, ["ORDER", "FILL", "TRADE", "CREDIT"])).toEqual([]);
  });

  test("credit only of one's own entity, unless Scope.Global", () => {
    const engine = tradedMarket();
    expect(seenOf(engine, alpha, ["CREDIT"])).toEqual(["/CREDIT/ALPHA:BETA", "/CREDIT/ALPHA:GAMMA"]);
    expect(seenOf(engine, blind, ["CREDIT"])).toEqual(["/CREDIT/BETA:ALPHA", "/CREDIT/BETA:GAMMA"]);
    expect(seenOf(engine, viewer, ["CREDIT"])).toEqual([]);
    expect(seenOf(engine, operator, ["CREDIT"])).toHaveLength(6);
  });

  test("a change of credit is seen by who grants it, one of documents by both of the pair", () => {
    const engine = tradedMarket();
    const users = [alpha, beta, gamma, viewer, operator];
    const pair = { entityId: "ALPHA", counterpartyId: "BETA" };
    const [limit] =
      engine.execute(alpha, "credit.setLimit", { ...pair, limitType: "mw", scope: "total", limit: 1 }).execution.events;
    expect(mayAll(engine, users, limit)).toEqual([true, false, false, false, true]);
    const [documents] =
      engine.execute(alpha, "credit.setDocumentation", { ...pair, status: "pending" }).execution.events;
    expect(mayAll(engine, users, documents)).toEqual([true, true, false, false, true]);
  });

  test("events of orders, fills and trades follow their modules; market, pricing and system events are for all", () => {
    const engine = new EngineDriver();
    const rested = engine.buy(alpha, { price: 5, quantity: 1 }).execution.events;
    const traded = engine.sell(gamma, { price: 5, quantity: 1 }).execution.events;
    const own = engine.buy(beta, { price: 5, quantity: 1 }).execution.events;
    const halted = engine.execute(operator, "market.halt", {}).execution.events;
    const connected = engine.setConnected(alpha, true).execution.events;
    const typesSeen = (events: readonly EventMessage[], user: string) =>
      events.filter((event) => maySee(required(engine.engine.user(user), "user"), event)).map(({ type }) => type);
    expect(typesSeen(rested, viewer)).toEqual(["new.order", "change.book"]);
    expect(typesSeen(rested, blind)).toEqual(["change.book"]);
    expect(typesSeen(traded, blind)).toEqual(["change.book"]);
    expect(typesSeen(traded, alpha)).toHaveLength(traded.length);
    expect(typesSeen(own, blind)).toEqual(["new.order", "change.book"]);
    expect(typesSeen([...halted, ...connected], blind)).toEqual(["halt.market", "change.user"]);
    const other: EventMessage = {
      kind: "event",
      sequence: 1,
      type: "new.weather",
      time: "2026-01-14T13:00:00Z",
      data: {},
    };
    expect([typesSeen([other], viewer), typesSeen([other], blind)]).toEqual([["new.weather"], []]);
  });

  test("one's own trade is seen whichever side one was on", () => {
    const engine = new EngineDriver();
    engine.buy(blind, { price: 5, quantity: 1 });
    const asBuyer = engine.sell(alpha, { price: 5, quantity: 1 });
    engine.sell(blind, { price: 5, quantity: 1 });
    const asSeller = engine.buy(alpha, { price: 5, quantity: 1 });
    for (const { execution } of [asBuyer, asSeller]) {
      const trade = execution.events.find(({ type }) => type === "new.trade");
      expect(mayAll(engine, [blind, publisher], trade)).toEqual([true, false]);
    }
  });

  test("the removal of a module is for everybody", () => {
    const engine = tradedMarket();
    const { states } = engine.execute(operator, "market.flush", {}).execution;
    const removals = states.filter(({ state }) => state === null);
    expect(removals.length).toBeGreaterThan(0);
    const user = required(engine.engine.user(publisher), "user");
    expect(removals.every((message) => maySee(user, message))).toBe(true);
  });
});
