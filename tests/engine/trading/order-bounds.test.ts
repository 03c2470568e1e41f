// Bounds of a request: an order at the bound is accepted, one step above it is rejected and changes nothing; and what
// happens to an order that could exceed its bound later. N-H12 is one hour, so dollars are price x quantity / 100.

import { describe, expect, test } from "bun:test";
import type { OrderBounds } from "../../../protocol/index.ts";
import { Engine } from "../../../engine/engine.ts";
import { NOTIONAL_PER_DOLLAR } from "../../../engine/market/units.ts";
import { eventsOf } from "../../support/executions.ts";
import { type Checked, EngineDriver } from "../support/engine-driver.ts";
import { EPOCH, marketWithoutCredit, scheduledMarket, SECRET, START, USERS } from "../support/market.ts";

const { alpha, alphaSecond, beta, gamma, operator } = USERS;
const S_PEAK = "S-PK";

function sell(engine: EngineDriver, price: number, quantity: number, bounds: OrderBounds, userId: string = alpha) {
  return engine.sell(userId, { price, quantity, bounds });
}

function buy(engine: EngineDriver, price: number, quantity: number, bounds: OrderBounds, userId: string = alpha) {
  return engine.buy(userId, { price, quantity, bounds });
}

/** Expects a rejection that leaves nothing but its event and its audit event. */
function expectExceeded(engine: EngineDriver, attempt: () => Checked): void {
  const before = [...engine.modules].filter(([path]) => !path.startsWith("/MARKET/"));
  const refused = attempt();
  expect(refused.outcome).toBe("limit_exceeded");
  expect(refused.message).toContain("Nothing was changed");
  expect(refused.paths).toEqual([]);
  expect(refused.eventTypes.filter((type) => type !== "reject.order")).toEqual([]);
  expect([...engine.modules].filter(([path]) => !path.startsWith("/MARKET/"))).toEqual(before);
}

function grantEverything(engine: EngineDriver): Checked {
  return engine.execute(operator, "dev.reset", { secret: SECRET, creditLimit: 1e12 });
}

describe("maxNotional of a new order", () => {
  test("limits what the order trades, at the trades' prices: a sell at 0 against bids at 5000", () => {
    const engine = new EngineDriver();
    engine.buy(beta, { price: 5000, quantity: 84 });
    expectExceeded(engine, () => sell(engine, 0, 84, { maxNotional: 20_000 / 100 }));
    expectExceeded(engine, () => sell(engine, 0, 84, { maxNotional: 4199.99 }));
    expect(sell(engine, 0, 84, { maxNotional: 4200 }).order).toMatchObject({ status: "filled", averagePrice: 5000 });
  });

  test("is exact above 2^53 and to the hundredth of a cent", () => {
    const engine = new EngineDriver();
    grantEverything(engine);
    const terms = { contractId: S_PEAK, price: 499_995, quantity: 1_000_000 };
    engine.buy(beta, terms);
    // 499,995 cents x 16,000,000 MWh.
    const dollars = 4999.95 * 16_000_000;
    expectExceeded(engine, () => engine.sell(alpha, { ...terms, bounds: { maxNotional: dollars - 0.0001 } }));
    expect(engine.sell(alpha, { ...terms, bounds: { maxNotional: dollars } }).outcome).toBe("ok");
  });

  test("of 0 allows only trades at a price of 0", () => {
    const engine = new EngineDriver();
    expectExceeded(engine, () => buy(engine, 1, 1, { maxNotional: 0 }));
    expect(buy(engine, 0, 5, { maxNotional: 0 }).outcome).toBe("ok");
  });

  test("counts each part at the limit price, or at a price further from 0 that it could trade at", () => {
    const engine = new EngineDriver();
    for (const price of [-3000, -900, 400]) engine.sell(beta, { price, quantity: 2 });
    // 2 MW at -30 and 4 MW at 10 dollars.
    expectExceeded(engine, () => buy(engine, 1000, 6, { maxNotional: 99.99 }));
    const { orderId } = buy(engine, 1000, 6, { maxNotional: 100 });
    // -60 - 18 + 8 dollars for 6 MW.
    expect(engine.order(orderId)).toMatchObject({ status: "filled", averagePrice: -1166.666667 });
  });
});

describe("a counterparty's credit", () => {
  /** Bids of BETA, who grants ALPHA so many MW. */
  function marketWith(megawatts: number) {
    const engine = new EngineDriver();
    engine.setLimit(beta, "BETA:ALPHA", { limit: megawatts });
    for (const price of [5000, 4000]) engine.buy(beta, { price, quantity: 5 });
    return engine;
  }
  const LIMITS = [0, 1, 4, 5, 9, 10, 1000];
  const outcomes = (attempt: (engine: EngineDriver) => Checked) =>
    new Set(LIMITS.map((megawatts) => {
      const { outcome, message } = attempt(marketWith(megawatts));
      return `${outcome} ${message}`;
    }));

  test.each([0, 199.99, 200, 449.99])(
    "is not seen in the answer to an order with a maxNotional of %d",
    (maxNotional) => {
      const [answer, ...others] = outcomes((engine) => sell(engine, 0, 10, { maxNotional }));
      expect(others).toEqual([]);
      expect(answer).toBe(
        `limit_exceeded The order could come to more than ${maxNotional} dollars (maxNotional), at its limit price or at the ` +
          "prices of the orders that it could trade with. Nothing was changed.",
      );
    },
  );

  test.each([0, 50, 99.99])("is not seen in the answer to an order with a maxOpenNotional of %d", (maxOpenNotional) => {
    const [answer, ...others] = outcomes((engine) => sell(engine, 1000, 10, { maxOpenNotional }));
    expect([answer?.split(" ")[0], others]).toEqual(["limit_exceeded", []]);
  });

  test("is not seen in what a change or a release of an order does", () => {
    const change = outcomes((engine) => {
      const { orderId } = sell(engine, 9000, 10, { maxNotional: 900 });
      return engine.execute(alpha, "order.modify", { orderId, price: 0, bounds: { maxNotional: 449.99 } });
    });
    expect(change.size).toBe(1);
    const released = LIMITS.map((megawatts) => {
      const engine = marketWith(megawatts);
      engine.execute(operator, "market.halt", {});
      const { orderId } = sell(engine, 0, 10, { maxNotional: 449.99 });
      engine.execute(operator, "market.resume", {});
      return engine.order(orderId).closeReason;
    });
    expect(new Set(released)).toEqual(new Set(["limit_exceeded"]));
  });
});

describe("maxNotional of a changed order", () => {
  test("stays if the request has none, and becomes that of the request if it has one", () => {
    const engine = new EngineDriver();
    const { orderId } = buy(engine, 1000, 10, { maxNotional: 100 });
    const raise = (price: number, bounds?: OrderBounds) =>
      engine.execute(alpha, "order.modify", { orderId, price, bounds });
    expectExceeded(engine, () => raise(1001));
    expect(raise(1001, { maxNotional: 101 }).outcome).toBe("ok");
    expect(raise(1010).outcome).toBe("ok");
    expectExceeded(engine, () => raise(1011));
  });
});

describe("maxNotional of an open order that trades later", () => {
  test("allows it to trade completely at its own limit price, at the bound", () => {
    const engine = new EngineDriver();
    const { orderId } = buy(engine, 1000, 10, { maxNotional: 100 });
    engine.sell(beta, { price: -50_000, quantity: 10 });
    expect(engine.order(orderId)).toMatchObject({ status: "filled", averagePrice: 1000 });
  });

  /** ALPHA's sell at 0 and BETA's bid at 5000 rest crossed until both have documents. */
  function crossed() {
    const engine = new EngineDriver(marketWithoutCredit());
    engine.buy(beta, { price: 5000, quantity: 10 });
    expectExceeded(engine, () => sell(engine, 0, 10, { maxNotional: 499.99 }));
    const { orderId } = sell(engine, 0, 10, { maxNotional: 500 });
    expect(engine.order(orderId).status).toBe("working");
    return { engine, orderId };
  }

  test("allows it to trade after a change of credit or documents", () => {
    const { engine, orderId } = crossed();
    grantEverything(engine);
    expect(engine.order(orderId)).toMatchObject({ status: "filled", averagePrice: 5000 });
  });

  test("cancels an order of an earlier version that would exceed it, with nothing traded, while others trade", () => {
    const { engine: driver, orderId } = crossed();
    const other = driver.sell(gamma, { price: 10, quantity: 4 });
    // Earlier versions did not count what documents forbade.
    const text = JSON.stringify([...driver.engine.checkpoint()]);
    const earlier = text.replace(`"${500 * NOTIONAL_PER_DOLLAR}"`, `"${499.99 * NOTIONAL_PER_DOLLAR}"`);
    expect(earlier).not.toBe(text);
    const options = { epoch: EPOCH, now: START, engineId: "test-engine", secret: SECRET };
    const engine = Engine.restore(marketWithoutCredit(), JSON.parse(earlier), options);
    const payload = { secret: SECRET, creditLimit: 1e12 };
    const changed = engine.execute({ userId: operator, operationId: "grant", action: "dev.reset", payload }, START);
    const closed = eventsOf(changed).flatMap(({ type, data }) =>
      type === "cancel.order" || (type === "change.order" && data["status"] === "filled") ? [[type, data["id"]]] : []
    );
    expect(closed).toEqual([["cancel.order", orderId], ["change.order", other.orderId]]);
  });

  test("allows the older of two crossed orders to trade at its own price, whatever the other's", () => {
    const engine = new EngineDriver(marketWithoutCredit());
    const { orderId } = sell(engine, 0, 10, { maxNotional: 0 });
    engine.buy(beta, { price: 5000, quantity: 10 });
    grantEverything(engine);
    expect(engine.order(orderId)).toMatchObject({ status: "filled", averagePrice: 0 });
  });

  test.each([[500, "filled", "filled"], [499.99, "cancelled", "limit_exceeded"]])(
    "released from being held with a bound of %d dollars it is %s",
    (maxNotional, status, closeReason) => {
      const engine = new EngineDriver();
      engine.execute(operator, "market.halt", {});
      engine.buy(beta, { price: 5000, quantity: 10 });
      const { orderId } = sell(engine, 0, 10, { maxNotional });
      expect(engine.order(orderId).status).toBe("held");
      const resumed = engine.execute(operator, "market.resume", {});
      expect(engine.order(orderId)).toMatchObject({ status, closeReason });
      if (status === "cancelled") {
        expect(resumed.story).toContain(`release.order ${orderId} working`);
        expect(resumed.story).toContain(`cancel.order ${orderId} cancelled`);
        expect(engine.module("ENGINE", "ENG-N-H12")).toMatchObject({ totalWorkingOrders: 1, heldOrders: 0 });
      }
    },
  );

  test("holds when a session opens", () => {
    const engine = new EngineDriver(scheduledMarket());
    engine.advanceTo("2026-01-14T13:30:00Z");
    engine.buy(beta, { price: 5000, quantity: 10 });
    const { orderId } = sell(engine, 0, 10, { maxNotional: 499 });
    engine.advanceTo("2026-01-14T14:00:00Z");
    expect(engine.order(orderId)).toMatchObject({ closeReason: "limit_exceeded", filledQuantity: 0 });
  });
});

describe("maxOpenOrders", () => {
  test("counts only the user's open orders, of every contract, held ones included", () => {
    const engine = new EngineDriver();
    const bounds = { maxOpenOrders: 2 };
    engine.buy(alphaSecond, { price: 1, quantity: 1 });
    engine.buy(alpha, { contractId: S_PEAK, price: 5, quantity: 1 });
    engine.execute(operator, "market.halt", {});
    const second = buy(engine, 1, 1, bounds);
    expect(second.outcome).toBe("ok");
    expectExceeded(engine, () => buy(engine, 1, 1, bounds));
    expectExceeded(engine, () => engine.buy(alpha, { contractId: S_PEAK, price: 5, quantity: 1, bounds }));
    const { orderId } = second;
    expect(engine.execute(alpha, "order.modify", { orderId, price: 2, bounds }).outcome).toBe("ok");
    engine.execute(alpha, "order.cancel", { orderId });
    expect(buy(engine, 1, 1, bounds).outcome).toBe("ok");
  });
});

describe("maxOpenNotional", () => {
  test("limits the user's open orders at their limit prices, with the whole of the new one", () => {
    const engine = new EngineDriver();
    engine.buy(alpha, { price: -1000, quantity: 10 });
    engine.buy(alpha, { contractId: S_PEAK, price: 100, quantity: 0.5 });
    // 100 + 8 dollars are open.
    expectExceeded(engine, () => buy(engine, 1000, 5, { maxOpenNotional: 157.99 }));
    const { orderId } = buy(engine, 1000, 5, { maxOpenNotional: 158 });
    const modify = (price: number, maxOpenNotional: number) =>
      engine.execute(alpha, "order.modify", { orderId, price, bounds: { maxOpenNotional } });
    expectExceeded(engine, () => modify(1002, 158));
    expect(modify(1002, 158.1).outcome).toBe("ok");
    engine.sell(beta, { price: 1002, quantity: 4 });
    expectExceeded(engine, () => sell(engine, 2000, 1, { maxOpenNotional: 138.01 }));
    expect(sell(engine, 2000, 1, { maxOpenNotional: 138.02 }).outcome).toBe("ok");
  });
});

describe("maxNetPosition", () => {
  const bounds = { maxNetPosition: 10 };

  test("limits the position and what open orders of the same side could add to it, in one contract", () => {
    const engine = new EngineDriver();
    engine.sell(beta, { price: 10, quantity: 4 });
    engine.buy(alpha, { price: 10, quantity: 4 });
    engine.buy(alpha, { price: 5, quantity: 3 });
    expectExceeded(engine, () => buy(engine, 6, 4, bounds));
    const { orderId } = buy(engine, 6, 3, bounds);
    expect(engine.buy(alpha, { contractId: S_PEAK, price: 5, quantity: 10, bounds }).outcome).toBe("ok");
    expectExceeded(engine, () => engine.execute(alpha, "order.modify", { orderId, quantity: 4, bounds }));
    expect(engine.execute(alpha, "order.modify", { orderId, price: 7, bounds }).outcome).toBe("ok");
  });

  test.each([["buy", "sell"], ["sell", "buy"]] as const)(
    "counts what a changed %s has traded once: in the position, and not again in its quantity",
    (own, opposite) => {
      const engine = new EngineDriver();
      engine[opposite](beta, { price: 10, quantity: 6 });
      const { orderId } = engine[own](alpha, { price: 10, quantity: 10 });
      expect(engine.order(orderId)).toMatchObject({ filledQuantity: 6, remainingQuantity: 4 });
      const modify = (terms: { price: number; quantity?: number }) =>
        engine.execute(alpha, "order.modify", { orderId, ...terms, bounds });
      expect(modify({ price: 9 }).outcome).toBe("ok");
      expectExceeded(engine, () => modify({ price: 8, quantity: 11 }));
      expect(modify({ price: 8, quantity: 10 }).outcome).toBe("ok");
    },
  );

  test("applies to the order's user if a colleague changes the order", () => {
    const engine = new EngineDriver();
    const { orderId } = engine.buy(alpha, { price: 1, quantity: 8 });
    expectExceeded(
      engine,
      () => engine.execute(alphaSecond, "order.modify", { orderId, quantity: 11, bounds }),
    );
    expect(engine.execute(alphaSecond, "order.modify", { orderId, quantity: 10, bounds }).outcome).toBe("ok");
  });
});
