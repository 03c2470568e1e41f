// What an open order takes of its user's limits and bounds comes back on every way on which an order ends, exactly once. Each
// row opens one order of 4 MW at 10 dollars and ends it; then the user has exactly as much as before the order.

import { describe, expect, test } from "bun:test";
import type { Action, ActionRequest, OrderBounds } from "../../protocol/index.ts";
import type { ModuleData } from "../../protocol/modules/registry.ts";
import type { Execution } from "../../engine/api/market-engine.ts";
import type { MarketDefinition } from "../../engine/definition/market-definition.ts";
import { Engine } from "../../engine/engine.ts";
import { changedModulesOf, resultOf } from "../support/executions.ts";
import { wholeCheckpoint } from "./support/checkpoints.ts";
import { EPOCH, scheduledMarket, smallMarket, START, USERS } from "./support/market.ts";

const { alpha, alphaSecond, beta, operator } = USERS;
const TERMS = { price: 1000, quantity: 4 };

const OPTIONS = { epoch: EPOCH, now: START, engineId: "test-engine", secret: null };

/** An engine without the checks of EngineDriver, because these tests make many calls. */
class Market {
  #operations = 0;
  readonly engine: Engine;

  constructor(private readonly definition: MarketDefinition = smallMarket(), restored: Engine | null = null) {
    this.engine = restored ?? new Engine(definition, OPTIONS);
  }

  restored(): Market {
    const engine = Engine.restore(this.definition, wholeCheckpoint(this.engine), OPTIONS);
    const market = new Market(this.definition, engine);
    market.#operations = this.#operations;
    return market;
  }

  execute<Name extends Action>(userId: string, action: Name, payload: ActionRequest<Name>) {
    const request = { userId, operationId: `operation-${++this.#operations}`, action, payload };
    const execution = this.engine.execute(request, this.engine.now);
    const order = resultOf(execution)?.["order"] as ModuleData<"ORDER"> | undefined;
    return { outcome: outcomeOf(execution), orderId: order?.id ?? "", changed: changedModulesOf(execution) };
  }

  buy(userId: string, terms: Terms) {
    return this.execute(userId, "order.submit", { contractId: "N-H12", side: 0, ...terms });
  }

  sell(userId: string, terms: Terms) {
    return this.execute(userId, "order.submit", { contractId: "N-H12", side: 1, ...terms });
  }

  advanceTo(time: string): void {
    this.engine.advance(Date.parse(time), Date.parse(time));
  }
}

type Terms = Partial<ActionRequest<"order.submit">> & { price: number; quantity: number };

const outcomeOf = ({ response }: Execution) => response?.code ?? response?.status;

interface Ending {
  readonly end: (engine: Market, id: string) => void;
  /** Before the order. */
  readonly before?: (engine: Market) => void;
  /** The user's position afterwards, MW. */
  readonly net?: number;
}

const trade = (quantity: number) => (engine: Market) => void engine.sell(beta, { price: TERMS.price, quantity });
const change = (terms: { price?: number; quantity?: number }) => (engine: Market, orderId: string) =>
  expect(engine.execute(alpha, "order.modify", { orderId, ...terms }).outcome).toBe("ok");
const cancel = (engine: Market, orderId: string) =>
  expect(engine.execute(alpha, "order.cancel", { orderId }).outcome).toBe("ok");
const halt = (engine: Market) => void engine.execute(operator, "market.halt", {});
const resume = (engine: Market) => void engine.execute(operator, "market.resume", {});
const inTurn = (...steps: readonly ((engine: Market, id: string) => unknown)[]): Ending["end"] => (engine, id) => {
  for (const step of steps) step(engine, id);
};

const ENDINGS: Readonly<Record<string, Ending>> = {
  "is cancelled": { end: cancel },
  "is cancelled by a colleague": {
    end: (engine, orderId) => void engine.execute(alphaSecond, "order.cancel", { orderId }),
  },
  "is cancelled with its connection": { end: (engine, id) => void engine.engine.cancelDisconnected([id], START) },
  "is cancelled after a lower quantity": { end: inTurn(change({ quantity: 1 }), cancel) },
  "is cancelled after a higher quantity and price": { end: inTurn(change({ quantity: 9, price: 1100 }), cancel) },
  "is cancelled after a lower price": { end: inTurn(change({ price: -2000 }), cancel) },
  "is filled at once": { before: trade(4), end: () => {}, net: 4 },
  "is filled in one trade": { end: trade(4), net: 4 },
  "is filled in three trades": { end: inTurn(trade(1), trade(2), trade(1)), net: 4 },
  "is filled at a better price": {
    before: (engine) => void engine.sell(beta, { price: 300, quantity: 4 }),
    end: () => {},
    net: 4,
  },
  "is filled in part and cancelled": { end: inTurn(trade(3), cancel), net: 3 },
  "is filled in part, changed and cancelled": {
    end: inTurn(
      trade(1),
      change({ quantity: 3, price: 900 }),
      (engine) => engine.sell(beta, { price: 900, quantity: 1 }),
      cancel,
    ),
    net: 2,
  },
  "is held and cancelled": { before: halt, end: inTurn(cancel, resume) },
  "is held, released and filled": { before: halt, end: inTurn(resume, trade(4)), net: 4 },
  "is held and cancelled with its connection": {
    before: halt,
    end: (engine, id) => {
      engine.engine.cancelDisconnected([id], START);
      resume(engine);
    },
  },
  "is flushed with the market": { end: (engine) => void engine.execute(operator, "market.flush", {}) },
  "is flushed with its book": {
    end: (engine) => void engine.execute(operator, "engine.flush", { engineId: "ENG-N-H12" }),
  },
  "is held and flushed": {
    before: halt,
    end: (engine) => {
      engine.execute(operator, "market.flush", {});
      resume(engine);
    },
  },
};

/** One order more, at the very limits: of the user's other orders and position there is nothing else. */
function expectAllFree(engine: Market, net: number): void {
  const exact: Required<Pick<OrderBounds, "maxOpenOrders" | "maxOpenNotional" | "maxNetPosition">> = {
    maxOpenOrders: 1,
    maxOpenNotional: 40,
    maxNetPosition: net + 4,
  };
  engine.engine.setLimits({ openOrdersPerUser: 1, openOrdersPerBook: 1 });
  const submit = (bounds: OrderBounds) => engine.buy(alpha, { ...TERMS, bounds }).outcome;
  expect(submit({ ...exact, maxOpenOrders: 0 })).toBe("limit_exceeded");
  expect(submit({ ...exact, maxOpenNotional: 39.99 })).toBe("limit_exceeded");
  expect(submit({ ...exact, maxNetPosition: net + 3.99 })).toBe("limit_exceeded");
  const sold = engine.sell(alpha, { price: 9000, quantity: 4, bounds: { maxNetPosition: 4 - net } });
  expect(sold.outcome).toBe("ok");
  expect(submit(exact)).toBe("limit_exceeded");
  engine.execute(alpha, "order.cancel", { orderId: sold.orderId });
  expect(submit(exact)).toBe("ok");
}

describe.each(Object.entries(ENDINGS))("an order that %s", (_name, { before, end, net = 0 }) => {
  test("gives back its place, its notional and its part of the position, of a restored engine, too", () => {
    const engine = new Market();
    before?.(engine);
    const { orderId } = engine.buy(alpha, TERMS);
    end(engine, orderId);
    expectAllFree(engine.restored(), net);
    expectAllFree(engine, net);
  });
});

test("an order that is refused takes nothing", () => {
  const engine = new Market();
  for (const bounds of [{ maxQuantity: 3 }, { maxNotional: 39 }, { maxOpenNotional: 39 }, { maxNetPosition: 3 }]) {
    expect(engine.buy(alpha, { ...TERMS, bounds }).outcome).toBe("limit_exceeded");
  }
  expect(engine.buy(alpha, { price: 1000, quantity: 0.0001 }).outcome).not.toBe("ok");
  expectAllFree(engine, 0);
});

test("a change that is refused leaves what the order takes", () => {
  const engine = new Market();
  const { orderId } = engine.buy(alpha, TERMS);
  for (const bounds of [{ maxNotional: 1 }, { maxOpenNotional: 1 }, { maxNetPosition: 1 }, { maxQuantity: 1 }]) {
    expect(engine.execute(alpha, "order.modify", { orderId, price: 2000, quantity: 9, bounds }).outcome)
      .toBe("limit_exceeded");
  }
  cancel(engine, orderId);
  expectAllFree(engine, 0);
});

test("a held order that would exceed its notional when it is released gives back all that it took", () => {
  const engine = new Market();
  halt(engine);
  engine.buy(beta, { price: 5000, quantity: 10 });
  engine.sell(alpha, { price: 0, quantity: 10, bounds: { maxNotional: 499 } });
  const { changed } = engine.execute(operator, "market.resume", {});
  expect(JSON.stringify(changed)).toContain("limit_exceeded");
  engine.execute(operator, "market.flush", {});
  expectAllFree(engine, 0);
});

test("a day order that expires at the close, and orders whose delivery begins, give back what they took", () => {
  const engine = new Market(scheduledMarket());
  engine.advanceTo("2026-01-14T14:00:00Z");
  engine.buy(alpha, { ...TERMS, timeInForce: "day" });
  engine.advanceTo("2026-01-14T22:00:00Z");
  engine.advanceTo("2026-01-15T14:00:00Z");
  expectAllFree(engine, 0);

  const delivered = new Market(smallMarket());
  delivered.buy(alpha, TERMS);
  delivered.sell(beta, { price: 1000, quantity: 1 });
  delivered.advanceTo("2026-01-20T18:00:00Z");
  delivered.engine.setLimits({ openOrdersPerUser: 1, openOrdersPerBook: 1 });
  // 16 hours.
  const bounds = { maxOpenOrders: 1, maxOpenNotional: 3.2, maxNetPosition: 4 };
  const south = { contractId: "S-PK", price: 5, quantity: 4 };
  expect(delivered.buy(alpha, { ...south, bounds: { ...bounds, maxOpenNotional: 3.19 } }).outcome).toBe(
    "limit_exceeded",
  );
  expect(delivered.buy(alpha, { ...south, bounds }).outcome).toBe("ok");
});
