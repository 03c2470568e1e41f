import { describe, expect, test } from "bun:test";
import { audienceOfEvent, audienceOfModule, maySee } from "../../../engine/api/visibility.ts";
import type { PublishedEvent, PublishedMessage } from "../../../engine/api/messages.ts";
import { MODULE_TYPES, type ModuleType } from "../../../protocol/modules/registry.ts";
import { type EventMessage, EVENTS, type EventType } from "../../../protocol/index.ts";
import { required } from "../../../engine/state/required.ts";
import { type Checked, EngineDriver } from "../support/engine-driver.ts";
import { seenBy } from "../../support/executions.ts";
import { SECRET, START, USERS } from "../support/market.ts";

const { alpha, beta, blind, gamma, operator, publisher, viewer } = USERS;

/** A market in which ALPHA and GAMMA have traded and BETA has an order. */
function tradedMarket(): EngineDriver {
  const engine = new EngineDriver();
  engine.sell(alpha, { price: 5, quantity: 1 });
  engine.buy(gamma, { price: 5, quantity: 1 });
  engine.buy(beta, { price: 4, quantity: 1 });
  return engine;
}

function seenOf(engine: EngineDriver, userId: string, types: string[]): string[] {
  return seenBy(engine.engine.user(userId), engine.engine.snapshot(engine.now))
    .filter(({ type }) => types.includes(type)).map(({ type, id }) => `/${type}/${id}`).toSorted();
}

function publishedEvents({ execution }: Checked): PublishedEvent[] {
  return execution.messages.filter((message) => message.kind === "event");
}

function typeOf({ text }: PublishedEvent): string {
  const { type }: EventMessage = JSON.parse(text);
  return type;
}

function mayAll(engine: EngineDriver, users: string[], event: PublishedEvent | undefined): boolean[] {
  return users.map((id) => maySee(required(engine.engine.user(id), "user"), required(event, "event").audience));
}

describe("what a user may see", () => {
  test("includes the public parts of the market for everyone", () => {
    const engine = tradedMarket();
    const publicTypes = ["MARKET", "PRODUCT", "CONTRACT", "ENGINE", "QUEUE"];
    expect(seenOf(engine, publisher, publicTypes)).toEqual(seenOf(engine, operator, publicTypes));
    expect(seenOf(engine, publisher, publicTypes)).toHaveLength(1 + 2 + 2 + 2 + 2);
  });

  test("includes every entity and user with Market.View, and otherwise those of the user's entity", () => {
    const engine = tradedMarket();
    for (const user of [viewer, alpha, operator]) expect(seenOf(engine, user, ["ENTITY", "USER"])).toHaveLength(3 + 9);
    expect(seenOf(engine, blind, ["ENTITY", "USER"])).toEqual(["/ENTITY/BETA", `/USER/${beta}`, `/USER/${blind}`]);
    expect(seenOf(engine, publisher, ["ENTITY", "USER"])).toEqual([]);
    const ofBeta = publishedEvents(engine.setConnected(beta, true));
    const ofNone = publishedEvents(engine.setConnected(publisher, true));
    const users = [viewer, alpha, blind, publisher];
    expect(mayAll(engine, users, ofBeta[0])).toEqual([true, true, true, false]);
    expect(mayAll(engine, users, ofNone[0])).toEqual([true, true, false, false]);
  });

  test("includes all orders, fills and trades with Market.View", () => {
    const engine = tradedMarket();
    for (const user of [viewer, alpha, operator]) {
      expect(seenOf(engine, user, ["ORDER", "FILL", "TRADE"])).toHaveLength(6);
    }
  });

  test("includes only those of the user's entity without Market.View, and none without an entity", () => {
    const engine = tradedMarket();
    expect(seenOf(engine, blind, ["ORDER", "FILL", "TRADE"])).toEqual(["/ORDER/ORD-3"]);
    engine.sell(gamma, { price: 4, quantity: 1 });
    expect(seenOf(engine, blind, ["ORDER", "FILL", "TRADE"])).toEqual(["/FILL/FIL-3", "/ORDER/ORD-3", "/TRADE/TRD-2"]);
    expect(seenOf(engine, publisher, ["ORDER", "FILL", "TRADE", "CREDIT"])).toEqual([]);
  });

  test("includes credit of the user's entity only, unless with Scope.Global", () => {
    const engine = tradedMarket();
    expect(seenOf(engine, alpha, ["CREDIT"])).toEqual(["/CREDIT/ALPHA:BETA", "/CREDIT/ALPHA:GAMMA"]);
    expect(seenOf(engine, blind, ["CREDIT"])).toEqual(["/CREDIT/BETA:ALPHA", "/CREDIT/BETA:GAMMA"]);
    expect(seenOf(engine, viewer, ["CREDIT"])).toEqual([]);
    expect(seenOf(engine, operator, ["CREDIT"])).toHaveLength(6);
  });

  test("includes a change of credit for the granting entity, and a change of documents for both of the pair", () => {
    const engine = tradedMarket();
    const users = [alpha, beta, gamma, viewer, operator];
    const [limit] = publishedEvents(engine.setLimit(alpha, "ALPHA:BETA", { limit: 1 }));
    expect(mayAll(engine, users, limit)).toEqual([true, false, false, false, true]);
    const [documents] = publishedEvents(engine.setDocuments(alpha, "ALPHA:BETA", "pending"));
    expect(mayAll(engine, users, documents)).toEqual([true, true, false, false, true]);
  });

  test("includes events of orders, fills and trades as their modules; market and pricing events for everyone", () => {
    const engine = new EngineDriver();
    const rested = publishedEvents(engine.buy(alpha, { price: 5, quantity: 1 }));
    const traded = publishedEvents(engine.sell(gamma, { price: 5, quantity: 1 }));
    const own = publishedEvents(engine.buy(beta, { price: 5, quantity: 1 }));
    const halted = publishedEvents(engine.execute(operator, "market.halt", {}));
    const typesSeen = (events: readonly PublishedEvent[], user: string) =>
      seenBy(engine.engine.user(user), events).map(typeOf);
    expect(typesSeen(rested, viewer)).toEqual(["new.order", "change.book"]);
    expect(typesSeen(rested, blind)).toEqual(["change.book"]);
    expect(typesSeen(traded, blind)).toEqual(["change.book"]);
    expect(typesSeen(traded, alpha)).toHaveLength(traded.length);
    expect(typesSeen(own, blind)).toEqual(["new.order", "change.book"]);
    expect(typesSeen(halted, blind)).toEqual(["halt.market"]);
  });

  test("never includes an undeclared type of event or module, which is not published", () => {
    const undeclared = /only declared types are published/;
    for (const type of ["new.weather", "new.credits", "toString", "__proto__", ""]) {
      const data = { entityId: "ALPHA", counterpartyId: "BETA" };
      expect(() => audienceOfEvent(type as EventType, data)).toThrow(undeclared);
    }
    for (const type of ["WEATHER", "CREDITS", "toString", "__proto__", ""]) {
      expect(() => audienceOfModule(type as ModuleType, { id: "1" })).toThrow(undeclared);
    }
  });

  test("includes every declared type of event and module for some user", () => {
    const { engine } = tradedMarket();
    const all = required(engine.user(operator), "user");
    for (const type of Object.keys(EVENTS)) expect(maySee(all, audienceOfEvent(type as EventType, {}))).toBe(true);
    for (const type of MODULE_TYPES) expect(maySee(all, audienceOfModule(type, { id: "1" }))).toBe(true);
    const types = [...engine.snapshot(START)].map(({ type }) => type);
    expect([...new Set(types)].toSorted()).toEqual([...MODULE_TYPES].toSorted());
  });

  test("is all that the user's snapshot has: for every user, the visible part of the whole one, in the same order", () => {
    const { engine } = tradedMarket();
    for (const id of Object.values(USERS)) {
      const user = required(engine.user(id), "user");
      const own = [...engine.snapshot(START, user)];
      expect([id, own]).toEqual([id, seenBy(user, engine.snapshot(START))]);
    }
    expect([...engine.snapshot(START, required(engine.user(blind), "user"))].map(({ type }) => type)).toContain(
      "CREDIT",
    );
    const parts = Object.values(USERS).map((id) =>
      [...engine.snapshot(START, required(engine.user(id), "user"))].length
    );
    expect(new Set(parts).size).toBeGreaterThan(3);
  });

  test("includes a trade of the user's entity on either side", () => {
    const engine = new EngineDriver();
    engine.buy(blind, { price: 5, quantity: 1 });
    const asBuyer = engine.sell(alpha, { price: 5, quantity: 1 });
    engine.sell(blind, { price: 5, quantity: 1 });
    const asSeller = engine.buy(alpha, { price: 5, quantity: 1 });
    for (const traded of [asBuyer, asSeller]) {
      const trade = publishedEvents(traded).find((event) => typeOf(event) === "new.trade");
      expect(mayAll(engine, [blind, publisher], trade)).toEqual([true, false]);
    }
  });

  test("includes the removal of every module for everyone", () => {
    const engine = tradedMarket();
    const { messages } = engine.execute(operator, "market.flush", {}).execution;
    const removals = messages.filter((message) => message.kind === "state" && message.change === "removed");
    expect(removals.length).toBeGreaterThan(0);
    expect(seenBy(engine.engine.user(publisher), removals)).toEqual(removals);
  });
});

describe("credit that ALPHA grants to BETA", () => {
  const others = [alpha, beta, blind, gamma, viewer, operator, publisher];

  /** For each user, the credit states (path) and credit events (type) of an execution that the user sees. */
  function toldOf(engine: EngineDriver, { execution }: Checked): Record<string, string[]> {
    const messages = execution.messages.filter((message) => !nameOf(message).endsWith(".book"));
    return Object.fromEntries(others.map((id) => [id, seenBy(engine.engine.user(id), messages).map(nameOf)]));
  }

  function nameOf(message: PublishedMessage): string {
    return message.kind === "state" ? `/${message.type}/${message.id}` : typeOf(message);
  }

  const nobody = Object.fromEntries(others.map((id): [string, string[]] => [id, []]));

  test("a limit is shown to ALPHA and to users who see all credit, and to BETA neither as state nor as event", () => {
    const engine = new EngineDriver();
    const before = engine.credit("BETA", "ALPHA");
    engine.now += 1000;
    const set = engine.setLimit(alpha, "ALPHA:BETA", { limit: 1 });
    const told = ["/CREDIT/ALPHA:BETA", "change.credit"];
    expect(toldOf(engine, set)).toEqual({ ...nobody, [alpha]: told, [operator]: told });
    expect(set.paths).toEqual(["/CREDIT/ALPHA:BETA"]);
    expect(engine.credit("BETA", "ALPHA")).toEqual(before);
    expect(engine.credit("ALPHA", "BETA").updatedAt).toBe(new Date(engine.now).toISOString());
  });

  test("a limit of the development reset is shown to the entity that grants it", () => {
    const engine = new EngineDriver();
    engine.execute(alpha, "dev.reset", { secret: SECRET, creditLimit: 5 });
    engine.now += 1000;
    engine.setLimit(alpha, "ALPHA:BETA", { limitType: "notional", limit: 6 });
    const reset = engine.execute(gamma, "dev.reset", { secret: SECRET, creditLimit: 5 });
    const told = ["/CREDIT/ALPHA:BETA", "change.credit"];
    expect(toldOf(engine, reset)).toEqual({ ...nobody, [alpha]: told, [operator]: told });
  });

  test("a limit that exhausts ALPHA's credit changes its credit status, which the market sees, and what GAMMA may trade", () => {
    const engine = new EngineDriver();
    engine.sell(beta, { price: 5000, quantity: 1 });
    engine.buy(alpha, { price: 5000, quantity: 1 });
    engine.setLimit(alpha, "ALPHA:BETA", { limitType: "notional", limit: 0 });
    const last = engine.setLimit(alpha, "ALPHA:GAMMA", { limitType: "notional", limit: 0 });
    const told = { [gamma]: ["/ENTITY/ALPHA", "/CREDIT/GAMMA:ALPHA"], [viewer]: ["/ENTITY/ALPHA"], [blind]: [] };
    expect(toldOf(engine, last)).toMatchObject(told);
    expect(last.paths).toEqual(["/ENTITY/ALPHA", "/CREDIT/ALPHA:GAMMA", "/CREDIT/GAMMA:ALPHA"]);
  });

  test("a documentation status is shown to both, each in the module of its own entity", () => {
    const engine = new EngineDriver();
    const set = engine.setDocuments(alpha, "ALPHA:BETA", "pending", "draft");
    expect(toldOf(engine, set)).toEqual({
      ...nobody,
      [alpha]: ["/CREDIT/ALPHA:BETA", "change.documentation"],
      [beta]: ["/CREDIT/BETA:ALPHA", "change.documentation"],
      [blind]: ["/CREDIT/BETA:ALPHA", "change.documentation"],
      [operator]: ["/CREDIT/ALPHA:BETA", "/CREDIT/BETA:ALPHA", "change.documentation"],
    });
    expect(engine.credit("BETA", "ALPHA")).toMatchObject({ counterpartyDocumentation: "pending", notes: null });
  });

  test("notes change only the module of ALPHA", () => {
    const engine = new EngineDriver();
    const before = engine.credit("BETA", "ALPHA");
    engine.now += 1000;
    const noted = engine.setDocuments(alpha, "ALPHA:BETA", "docs_in_place", "n");
    expect(noted.paths).toEqual(["/CREDIT/ALPHA:BETA"]);
    expect(engine.credit("BETA", "ALPHA")).toEqual(before);
  });

  test("the usage of a trade is shown to both", () => {
    const engine = new EngineDriver();
    engine.sell(blind, { price: 5, quantity: 1 });
    const traded = engine.buy(alpha, { price: 5, quantity: 1 });
    const credit = Object.entries(toldOf(engine, traded)).map(([id, told]) => [
      id,
      told.filter((name) => name.startsWith("/CREDIT/")),
    ]);
    expect(Object.fromEntries(credit)).toEqual({
      ...nobody,
      [alpha]: ["/CREDIT/ALPHA:BETA"],
      [beta]: ["/CREDIT/BETA:ALPHA"],
      [blind]: ["/CREDIT/BETA:ALPHA"],
      [operator]: ["/CREDIT/BETA:ALPHA", "/CREDIT/ALPHA:BETA"],
    });
  });

  test("a limit that lets resting orders trade is shown to BETA by its trades alone", () => {
    const engine = new EngineDriver();
    engine.setLimit(alpha, "ALPHA:BETA", { limit: 0 });
    engine.sell(beta, { price: 5, quantity: 1 });
    engine.buy(alpha, { price: 5, quantity: 1 });
    const told = toldOf(engine, engine.setLimit(alpha, "ALPHA:BETA", { limit: 1 }));
    expect(told[beta]).toContain("/CREDIT/BETA:ALPHA");
    expect(told[beta]).not.toContain("change.credit");
    expect(told[beta]).not.toContain("/CREDIT/ALPHA:BETA");
  });
});
