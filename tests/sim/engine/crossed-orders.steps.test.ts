// What one call costs in a book whose orders rest crossed, by counted steps: every call of a book's method and every
// question to the credit ledger. What a book's method costs does not depend on the orders (order-book.steps.test.ts).
//
// Ten times the orders may take twelve times the steps at most. An order that trades with none of them takes the same.

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { ActionRequest, OrderBounds } from "../../../protocol/index.ts";
import { Engine } from "../../../sim/engine/engine.ts";
import type { Execution } from "../../../sim/engine/api/market-engine.ts";
import { CreditLedger } from "../../../sim/market/credit-ledger.ts";
import { PriceTimeBook } from "../../../sim/market/price-time-book.ts";
import { PartyIndexedBook } from "../../../sim/market/party-indexed-book.ts";
import { EPOCH, SECRET, START, strangersMarket, USERS } from "../support/market.ts";

const FEW = 1_000;
const MANY = 10_000;
const GREATEST_GROWTH = 12;
const TIMEOUT_MS = 60_000;
/** Whether an array grows differs from order to order. */
const SAME = 1.05;
const { alpha, beta, gamma, operator } = USERS;

let steps = 0;
let restore: (() => void)[] = [];

beforeEach(() => {
  restore = [
    ...counted(PriceTimeBook.prototype),
    ...counted(PartyIndexedBook.prototype),
    ...counted(CreditLedger.prototype, ["availableCredit", "addTrade"]),
  ];
});

afterEach(() => {
  for (const put of restore) put();
});

/** Puts in the place of a class's methods ones that count their calls; returns what puts them back. */
function counted(prototype: object, names = Object.getOwnPropertyNames(prototype)): (() => void)[] {
  return names.flatMap((name) => {
    const method: unknown = Object.getOwnPropertyDescriptor(prototype, name)?.value;
    if (typeof method !== "function" || name === "constructor") return [];
    Reflect.set(prototype, name, function (this: unknown, ...values: unknown[]) {
      steps += 1;
      return Reflect.apply(method, this, values);
    });
    return [() => void Reflect.set(prototype, name, method)];
  });
}

/** Strangers to one another, of whom ALPHA has bids and BETA asks, all crossed. */
class Market {
  readonly engine = new Engine(strangersMarket(), {
    epoch: EPOCH,
    now: START,
    engineId: "test-engine",
    secret: SECRET,
  });
  #operations = 0;

  send(userId: string, action: string, payload: unknown): Execution {
    const execution = this.engine.execute({ userId, operationId: `op-${++this.#operations}`, action, payload }, START);
    expect(execution.response?.status).toBe("ok");
    return execution;
  }

  submit(userId: string, side: 0 | 1, price: number, bounds?: OrderBounds): Execution {
    const order: ActionRequest<"order.submit"> = { contractId: "N-H12", side, price, quantity: 1, bounds };
    return this.send(userId, "order.submit", order);
  }

  /** Bids at 50 and above, asks at 49 and below, all of 1 MW. */
  cross(orders: number, bounds?: OrderBounds): this {
    for (let at = 0; at < orders / 2; at++) {
      this.submit(alpha, 0, 50 + at % 40, bounds);
      this.submit(beta, 1, 49 - at % 40, bounds);
    }
    return this;
  }

  /** Each other's documents and a limit; `megawatts` is that of ALPHA for BETA. */
  befriend(megawatts = 1e6): this {
    this.send(alpha, "credit.setDocumentation", { ...ALPHA_BETA, status: "docs_in_place" });
    this.send(alpha, "credit.setLimit", { ...ALPHA_BETA, limitType: "mw", scope: "total", limit: megawatts });
    this.send(beta, "credit.setLimit", { ...BETA_ALPHA, limitType: "mw", scope: "total", limit: 1e6 });
    return this;
  }
}

const ALPHA_BETA = { entityId: "ALPHA", counterpartyId: "BETA" };
const BETA_ALPHA = { entityId: "BETA", counterpartyId: "ALPHA" };

/** Steps of a call, and the trades that it made. */
function cost(call: () => Execution): { readonly steps: number; readonly trades: number } {
  const before = steps;
  const { events } = call();
  return { steps: steps - before, trades: events.filter(({ type }) => type === "new.trade").length };
}

describe(`in a book of ${MANY.toLocaleString("en-US")} crossed orders, beside one of 1,000`, () => {
  const both = (costIn: (orders: number) => ReturnType<typeof cost>) => [costIn(FEW), costIn(MANY)] as const;

  test("documents that let all of them trade take at most 12 times the steps", () => {
    const [few, many] = both((orders) => {
      const market = new Market().cross(orders).befriend();
      return cost(() => market.send(beta, "credit.setDocumentation", { ...BETA_ALPHA, status: "docs_in_place" }));
    });
    expect([few.trades, many.trades]).toEqual([FEW / 2, MANY / 2]);
    expect(many.steps / few.steps).toBeLessThan(GREATEST_GROWTH);
  }, TIMEOUT_MS);

  test("documents that let all of them trade, each within a bound of its own, take at most 12 times the steps", () => {
    const [few, many] = both((orders) => {
      const market = new Market().cross(orders, { maxNotional: 1e9, maxOpenOrders: MANY }).befriend();
      return cost(() => market.send(beta, "credit.setDocumentation", { ...BETA_ALPHA, status: "docs_in_place" }));
    });
    expect([few.trades, many.trades]).toEqual([FEW / 2, MANY / 2]);
    expect(many.steps / few.steps).toBeLessThan(GREATEST_GROWTH);
  }, TIMEOUT_MS);

  test("a reset of all credit and documents takes at most 12 times the steps", () => {
    const [few, many] = both((orders) => {
      const market = new Market().cross(orders);
      return cost(() => market.send(alpha, "dev.reset", { secret: SECRET, creditLimit: 1e9 }));
    });
    expect([few.trades, many.trades]).toEqual([FEW / 2, MANY / 2]);
    expect(many.steps / few.steps).toBeLessThan(GREATEST_GROWTH);
  }, TIMEOUT_MS);

  test("a limit that lets one of them trade takes at most 12 times the steps", () => {
    const [few, many] = both((orders) => {
      const market = new Market().cross(orders).befriend(0);
      market.send(beta, "credit.setDocumentation", { ...BETA_ALPHA, status: "docs_in_place" });
      return cost(() =>
        market.send(alpha, "credit.setLimit", { ...ALPHA_BETA, limitType: "mw", scope: "total", limit: 1 })
      );
    });
    expect([few.trades, many.trades]).toEqual([1, 1]);
    expect(many.steps / few.steps).toBeLessThan(GREATEST_GROWTH);
  }, TIMEOUT_MS);

  test("a change that leaves no room takes the same steps", () => {
    const [few, many] = both((orders) => {
      const market = new Market().cross(orders).befriend();
      return cost(() => market.send(beta, "credit.setDocumentation", { ...BETA_ALPHA, status: "pending" }));
    });
    expect([few.trades, many.trades]).toEqual([0, 0]);
    expect(many.steps).toBe(few.steps);
  }, TIMEOUT_MS);

  test("an order that may trade with none of them takes no more steps", () => {
    const [few, many] = both((orders) => {
      const market = new Market().cross(orders);
      return cost(() => market.submit(gamma, 0, 500));
    });
    expect([few.trades, many.trades]).toEqual([0, 0]);
    expect(many.steps).toBeLessThan(few.steps * SAME);
  }, TIMEOUT_MS);

  test("an order that may trade with one behind all of them takes no more steps", () => {
    const [few, many] = both((orders) => {
      const market = new Market().cross(orders);
      market.submit(gamma, 1, 60);
      for (const [entityId, counterpartyId, user] of [["ALPHA", "GAMMA", alpha], ["GAMMA", "ALPHA", gamma]] as const) {
        const pair = { entityId, counterpartyId };
        market.send(user, "credit.setLimit", { ...pair, limitType: "mw", scope: "total", limit: 1e6 });
      }
      market.send(alpha, "credit.setDocumentation", {
        entityId: "ALPHA",
        counterpartyId: "GAMMA",
        status: "docs_in_place",
      });
      // Those of ALPHA's bids that GAMMA's ask crosses are left; it may trade with a later one.
      market.send(gamma, "credit.setDocumentation", {
        entityId: "GAMMA",
        counterpartyId: "ALPHA",
        status: "docs_in_place",
      });
      market.submit(gamma, 1, 95);
      return cost(() => market.submit(alpha, 0, 95));
    });
    expect([few.trades, many.trades]).toEqual([1, 1]);
    expect(many.steps).toBeLessThan(few.steps * SAME);
  }, TIMEOUT_MS);

  test("resuming with all of them held takes at most 12 times the steps", () => {
    const [few, many] = both((orders) => {
      const market = new Market();
      market.send(operator, "market.halt", {});
      market.cross(orders);
      return cost(() => market.send(operator, "market.resume", {}));
    });
    expect([few.trades, many.trades]).toEqual([0, 0]);
    expect(many.steps / few.steps).toBeLessThan(GREATEST_GROWTH);
  }, TIMEOUT_MS);

  test("resuming with all of them resting crossed takes at most 12 times the steps", () => {
    const [few, many] = both((orders) => {
      const market = new Market().cross(orders);
      market.send(operator, "market.halt", {});
      return cost(() => market.send(operator, "market.resume", {}));
    });
    expect([few.trades, many.trades]).toEqual([0, 0]);
    expect(many.steps / few.steps).toBeLessThan(GREATEST_GROWTH);
  }, TIMEOUT_MS);
});
