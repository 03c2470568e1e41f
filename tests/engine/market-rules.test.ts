// Checks every row of the tables of docs/market-rules.md against the engine.

import { describe, expect, test } from "bun:test";
import { AUDIT_EVENTS, LOCKSTEP_CLOCK } from "../../protocol/index.ts";
import type { EngineRequest } from "../../engine/api/market-engine.ts";
import { type Checked, EngineDriver } from "./support/engine-driver.ts";
import { marketWithoutCredit, USERS, withMonth } from "./support/market.ts";
import { CLOSE, marketAt, OPEN, PREOPEN } from "./support/sessions.ts";

const { alpha, beta, operator, viewer, stranger, publisher } = USERS;
const DOCUMENT = await Bun.file(new URL("../../docs/market-rules.md", import.meta.url)).text();

/** The table under a heading: first cell -> the names in code style of the second cell. */
function tableUnder(heading: string): Map<string, string[]> {
  const [, section = ""] = DOCUMENT.split(`## ${heading}\n`);
  const rows = (section.split("\n## ", 1)[0] ?? "").split("\n").filter((line) => line.startsWith("| ")).slice(2);
  return new Map(rows.map((row) => {
    const [, first = "", second = ""] = row.split("|").map((cell) => cell.trim());
    return [first.replaceAll("`", ""), [...second.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name)];
  }));
}

function halted(): EngineDriver {
  const engine = new EngineDriver();
  engine.execute(operator, "market.halt", {});
  return engine;
}

/** An engine, halted or not, with a working or held order of ALPHA. */
function ordered(engine = new EngineDriver()) {
  return { engine, orderId: engine.buy(alpha, one).orderId };
}

const pair = { entityId: "ALPHA", counterpartyId: "BETA" };
const one = { price: 5, quantity: 1 };
const contractLimit = { contractId: "N-H12", limit: 5 };

const SCENARIOS: Readonly<Record<string, () => Checked>> = {
  "an order is submitted and rests": () => new EngineDriver().buy(alpha, one),
  "an order is submitted and trades with one that rests": () => {
    const engine = new EngineDriver();
    engine.sell(beta, one);
    return engine.buy(alpha, one);
  },
  "an order is submitted in preopen or while halted": () => {
    const preopen = marketAt(PREOPEN).buy(alpha, one);
    expect(halted().buy(alpha, one).eventTypes).toEqual(preopen.eventTypes);
    return preopen;
  },
  "an order is submitted and rejected": () => new EngineDriver().buy(alpha, { price: 5, quantity: 0.5 }),
  "an order gets less quantity": () => {
    const engine = new EngineDriver();
    const { orderId } = engine.buy(alpha, { price: 5, quantity: 2 });
    return engine.execute(alpha, "order.modify", { orderId, quantity: 1 });
  },
  "an order gets another price and rests": () => {
    const { engine, orderId } = ordered();
    return engine.execute(alpha, "order.modify", { orderId, price: 4 });
  },
  "a working order gets another price while halted": () => {
    const { engine, orderId } = ordered();
    engine.execute(operator, "market.halt", {});
    return engine.execute(alpha, "order.modify", { orderId, price: 4 });
  },
  "a held order gets another price": () => {
    const { engine, orderId } = ordered(halted());
    return engine.execute(alpha, "order.modify", { orderId, price: 4 });
  },
  "a working order is cancelled": () => {
    const { engine, orderId } = ordered();
    return engine.execute(alpha, "order.cancel", { orderId });
  },
  "a held order is cancelled": () => {
    const { engine, orderId } = ordered(halted());
    return engine.execute(alpha, "order.cancel", { orderId });
  },
  "a market is halted": () => new EngineDriver().execute(operator, "market.halt", {}),
  "a market is resumed into open, with one order held": () => {
    const { engine } = ordered(halted());
    return engine.execute(operator, "market.resume", {});
  },
  "a limit is set that changes nothing else": () => new EngineDriver().setLimit(alpha, "ALPHA:BETA", contractLimit),
  "documents are set, and two crossed orders may trade": () => {
    const engine = new EngineDriver();
    engine.setDocuments(alpha, "ALPHA:BETA", "pending");
    engine.sell(beta, one);
    engine.buy(alpha, one);
    return engine.setDocuments(alpha, "ALPHA:BETA", "docs_in_place");
  },
  "a book with one order is flushed": () => {
    const { engine } = ordered();
    return engine.execute(operator, "engine.flush", { engineId: "ENG-N-H12" });
  },
  "two spot prices are published": () => {
    const price = { price: 1, regime: "base" as const, time: "2026-01-14T13:00:00Z" };
    const prices = [{ ...price, node: "NORTH" }, { ...price, node: "SOUTH" }];
    return new EngineDriver().execute(publisher, "spot.publish", { prices });
  },
  "the clock gets another speed": () => new EngineDriver().execute(operator, "clock.set", { speed: 10 }),
  "a user's first connection comes": () => new EngineDriver().setConnected(alpha, true),
  "a session opens, with one order held": () => {
    const { engine } = ordered(marketAt(PREOPEN));
    return engine.advanceTo(OPEN);
  },
  "a session closes, with one day order working": () => {
    const engine = marketAt(OPEN);
    engine.buy(alpha, { ...one, timeInForce: "day" });
    return engine.advanceTo(CLOSE);
  },
  "a delivery begins, with one order working": () => {
    const { engine } = ordered();
    return engine.advanceTo("2026-01-20T17:00:00Z");
  },
  "a contract leaves that one limit names": () => {
    const engine = new EngineDriver();
    engine.setLimit(alpha, "ALPHA:BETA", contractLimit);
    engine.advanceTo("2026-01-23T17:59:59.999Z");
    return engine.advanceTo("2026-01-23T18:00:00Z");
  },
  "a month is listed while the one before it goes to delivery": () => {
    const engine = marketAt("2026-02-01T04:59:59.999Z", withMonth());
    return engine.advanceTo("2026-02-01T05:00:00Z");
  },
};

describe("the events of a command", () => {
  const table = tableUnder("Events of a command");

  test("are documented for exactly the scenarios that are tested", () => {
    expect([...table.keys()]).toEqual(Object.keys(SCENARIOS));
  });

  test.each(Object.entries(SCENARIOS))("%s", (name, scenario) => {
    expect(scenario().eventTypes).toEqual(table.get(name) ?? []);
  });
});

interface Attempt {
  readonly engine: EngineDriver;
  readonly userId: string;
  readonly payload: Record<string, unknown>;
  readonly validUntil?: string;
}

/** For each code, in the order of the document, a request with that fault and with as many later faults as possible. */
const PRECEDENCE: Readonly<Record<string, () => readonly Attempt[]>> = {
  "order.submit": () => {
    const open = new EngineDriver();
    const closed = marketAt(CLOSE);
    const over = marketAt("2026-01-20T23:00:00Z");
    const wrong = { contractId: "none", side: 0, price: 10_000_000, quantity: 0.5 };
    const bounds = { maxQuantity: 1 };
    return [
      { engine: closed, userId: viewer, payload: wrong },
      { engine: closed, userId: stranger, payload: wrong },
      { engine: closed, userId: alpha, payload: wrong },
      { engine: over, userId: alpha, payload: { ...wrong, contractId: "N-H12" } },
      { engine: over, userId: alpha, payload: { ...wrong, contractId: "N-H12", quantity: 2 } },
      { engine: over, userId: alpha, payload: { ...wrong, contractId: "N-H12", quantity: 2, price: 5, bounds } },
      { engine: closed, userId: alpha, payload: { ...wrong, contractId: "N-H12", quantity: 2, price: 5, bounds } },
      { engine: open, userId: alpha, payload: { ...wrong, contractId: "N-H12", quantity: 2, price: 5, bounds } },
    ];
  },
  "order.modify": () => {
    const closed = marketAt(OPEN);
    const ended = closed.buy(alpha, one).orderId;
    const { orderId } = closed.buy(alpha, { price: 4, quantity: 2 });
    closed.execute(alpha, "order.cancel", { orderId: ended });
    closed.advanceTo(CLOSE);
    const open = new EngineDriver();
    const working = open.buy(alpha, { price: 4, quantity: 2 }).orderId;
    const wrong = { price: 10_000_000, quantity: 0.5 };
    return [
      { engine: closed, userId: viewer, payload: { orderId: "ORD-99" } },
      { engine: closed, userId: beta, payload: { orderId: "ORD-99" } },
      { engine: closed, userId: beta, payload: { orderId: ended } },
      { engine: closed, userId: alpha, payload: { orderId: ended } },
      { engine: closed, userId: alpha, payload: { orderId: ended, ...wrong } },
      { engine: closed, userId: alpha, payload: { orderId, ...wrong } },
      { engine: open, userId: alpha, payload: { orderId: working, ...wrong } },
      { engine: open, userId: alpha, payload: { orderId: working, price: 10_000_000, quantity: 3 } },
      { engine: open, userId: alpha, payload: { orderId: working, price: 5, quantity: 3, bounds: { maxQuantity: 1 } } },
    ];
  },
  "order.cancel": () => {
    const { engine, orderId } = ordered();
    engine.execute(alpha, "order.cancel", { orderId });
    return [
      { engine, userId: viewer, payload: { orderId: "ORD-99" } },
      { engine, userId: beta, payload: { orderId: "ORD-99" } },
      { engine, userId: beta, payload: { orderId } },
      { engine, userId: alpha, payload: { orderId } },
    ];
  },
  "market.halt": () => operatorsOnly({ marketId: "none" }),
  "market.resume": () => operatorsOnly({ marketId: "none" }),
  "engine.flush": () => operatorsOnly({ engineId: "none" }),
  "credit.setLimit": () => {
    const engine = new EngineDriver(marketWithoutCredit());
    const wrong = { ...pair, limitType: "mw", scope: "total", limit: 1, contractId: "none" };
    return [
      { engine, userId: viewer, payload: { ...wrong, counterpartyId: "NOBODY" } },
      { engine, userId: beta, payload: { ...wrong, counterpartyId: "NOBODY" } },
      { engine, userId: alpha, payload: { ...wrong, counterpartyId: "NOBODY" } },
      { engine, userId: alpha, payload: { ...wrong, counterpartyId: "ALPHA" } },
      { engine, userId: alpha, payload: wrong },
      { engine, userId: alpha, payload: { ...wrong, scope: "per_contract" } },
    ];
  },
  "spot.publish": () => {
    const prices = [{ node: "none", price: 1, regime: "base", time: "2026-01-14T13:00:00Z" }];
    const engine = new EngineDriver();
    return [{ engine, userId: alpha, payload: { prices } }, { engine, userId: publisher, payload: { prices } }];
  },
  "clock.set": () => {
    const engine = inLockstep();
    return [alpha, operator].map((userId) => ({ engine, userId, payload: { speed: 2 } }));
  },
  "clock.advance": () => {
    const payload = { to: "2026-01-01T00:00:00.000Z" };
    const running = new EngineDriver();
    return [
      { engine: running, userId: alpha, payload },
      { engine: running, userId: operator, payload },
      { engine: inLockstep(), userId: operator, payload },
    ];
  },
};

function inLockstep(): EngineDriver {
  const engine = new EngineDriver();
  engine.setClock(LOCKSTEP_CLOCK);
  return engine;
}

function operatorsOnly(payload: Record<string, unknown>): Attempt[] {
  const engine = new EngineDriver();
  return [{ engine, userId: alpha, payload }, { engine, userId: operator, payload }];
}

describe("the precedence of refusals", () => {
  const table = tableUnder("Precedence of rejections");

  test("is documented for exactly the actions that are tested", () => {
    expect([...table.keys()]).toEqual(["any", ...Object.keys(PRECEDENCE)]);
  });

  test("of any request: lateness, then payload, then user, then operationId", () => {
    const engine = new EngineDriver();
    const code = (change: Partial<EngineRequest>) => {
      const payload = { contractId: "N-H12", side: 0, price: 5, quantity: 1 };
      const request = { userId: alpha, operationId: "op", action: "order.submit", payload, ...change };
      return engine.engine.execute(request, engine.now).response?.code ?? "ok";
    };
    expect(code({})).toBe("ok");
    const wrong = { userId: "nobody", payload: { side: 7 } };
    expect([
      code({ ...wrong, validUntil: "2026-01-14T12:59:59.999Z" }),
      code({ ...wrong, validUntil: "2026-01-14T13:00:00Z" }),
      code({ userId: "nobody" }),
      code({ payload: { contractId: "none", side: 0, price: 5, quantity: 1 } }),
    ]).toEqual(table.get("any") ?? []);
  });

  test.each(Object.entries(PRECEDENCE))("of %s", (action, attempts) => {
    const codes = attempts().map(({ engine, userId, payload }, index) =>
      engine.send(userId, action, payload, `attempt-${index}`).outcome
    );
    expect(codes).toEqual(table.get(action) ?? []);
  });
});

test("the audit trail's event names are documented", () => {
  const [, section = ""] = DOCUMENT.split("## Names in the audit trail\n");
  for (const name of AUDIT_EVENTS) expect(section).toContain(`\`${name}\``);
});
