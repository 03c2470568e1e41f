// The cost of one call in a book of crossed orders, in steps. A step is a call of a book's method or a query of the credit
// ledger. The cost of a book's method does not depend on the number of orders (order-book.steps.test.ts).
//
// Ten times the orders may take at most twelve times the steps. An order that trades with none of them takes the same.

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { ActionRequest, OrderBounds } from "../../../protocol/index.ts";
import { Engine } from "../../../engine/engine.ts";
import type { Execution } from "../../../engine/api/market-engine.ts";
import { CreditLedger } from "../../../engine/market/credit-ledger.ts";
import { PriceTimeBook } from "../../../engine/market/price-time-book.ts";
import { PartyIndexedBook } from "../../../engine/market/party-indexed-book.ts";
import { EPOCH, marketWithoutCredit, SECRET, START, USERS } from "../support/market.ts";
import { eventsOf } from "../../support/executions.ts";
import { size } from "../../support/sizes.ts";

const FEW = size(200, 1_000);
const MANY = 10 * FEW;
const MAX_GROWTH = 12;
/** Factor within which costs count as the same: an array may grow in one of the two runs. */
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

/** Replaces the methods of a class by ones that count their calls; the returned functions restore them. */
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

/** A market of entities that may not trade with each other. */
class Market {
  readonly engine = new Engine(marketWithoutCredit(), {
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

  /** Submits crossed orders of 1 MW: bids of ALPHA at 50 and above, asks of BETA at 49 and below. */
  cross(orders: number, bounds?: OrderBounds): this {
    for (let at = 0; at < orders / 2; at++) {
      this.submit(alpha, 0, 50 + at % 40, bounds);
      this.submit(beta, 1, 49 - at % 40, bounds);
    }
    return this;
  }

  /** Sets everything but BETA's document for ALPHA and BETA to trade; `megawatts`: ALPHA's limit for BETA. */
  grantCredit(megawatts = 1e6): this {
    this.send(alpha, "credit.setDocumentation", { ...ALPHA_BETA, status: "docs_in_place" });
    this.send(alpha, "credit.setLimit", { ...ALPHA_BETA, limitType: "mw", scope: "total", limit: megawatts });
    this.send(beta, "credit.setLimit", { ...BETA_ALPHA, limitType: "mw", scope: "total", limit: 1e6 });
    return this;
  }
}

const ALPHA_BETA = { entityId: "ALPHA", counterpartyId: "BETA" };
const BETA_ALPHA = { entityId: "BETA", counterpartyId: "ALPHA" };

/** The steps and the trades of a call. */
function cost(call: () => Execution): { readonly steps: number; readonly trades: number } {
  const before = steps;
  const execution = call();
  return { steps: steps - before, trades: eventsOf(execution).filter(({ type }) => type === "new.trade").length };
}

describe(`in a book of ${MANY.toLocaleString("en-US")} crossed orders, beside one of ${FEW}`, () => {
  const both = (costIn: (orders: number) => ReturnType<typeof cost>) => [costIn(FEW), costIn(MANY)] as const;
  const expectGrowth = (trades: number[], costIn: Parameters<typeof both>[0]) => {
    const [few, many] = both(costIn);
    expect([few.trades, many.trades]).toEqual(trades);
    expect(many.steps / few.steps).toBeLessThan(MAX_GROWTH);
  };

  test.each([
    ["documents that let all of them trade", undefined],
    ["documents that let all of them trade, each with its own bound,", { maxNotional: 1e9, maxOpenOrders: MANY }],
  ])("%s take at most 12 times the steps", (_, bounds) => {
    expectGrowth([FEW / 2, MANY / 2], (orders) => {
      const market = new Market().cross(orders, bounds).grantCredit();
      return cost(() => market.send(beta, "credit.setDocumentation", { ...BETA_ALPHA, status: "docs_in_place" }));
    });
  });

  test("a reset of all credit and documents takes at most 12 times the steps", () => {
    expectGrowth([FEW / 2, MANY / 2], (orders) => {
      const market = new Market().cross(orders);
      return cost(() => market.send(alpha, "dev.reset", { secret: SECRET, creditLimit: 1e9 }));
    });
  });

  test("a limit that lets one of them trade takes at most 12 times the steps", () => {
    expectGrowth([1, 1], (orders) => {
      const market = new Market().cross(orders).grantCredit(0);
      market.send(beta, "credit.setDocumentation", { ...BETA_ALPHA, status: "docs_in_place" });
      return cost(() =>
        market.send(alpha, "credit.setLimit", { ...ALPHA_BETA, limitType: "mw", scope: "total", limit: 1 })
      );
    });
  });

  test("a change that lets none of them trade takes the same steps", () => {
    const [few, many] = both((orders) => {
      const market = new Market().cross(orders).grantCredit();
      return cost(() => market.send(beta, "credit.setDocumentation", { ...BETA_ALPHA, status: "pending" }));
    });
    expect([few.trades, many.trades]).toEqual([0, 0]);
    expect(many.steps).toBe(few.steps);
  });

  test("an order that may trade with none of them takes no more steps", () => {
    const [few, many] = both((orders) => {
      const market = new Market().cross(orders);
      return cost(() => market.submit(gamma, 0, 500));
    });
    expect([few.trades, many.trades]).toEqual([0, 0]);
    expect(many.steps).toBeLessThan(few.steps * SAME);
  });

  test("an order that may trade with one behind all of them takes no more steps", () => {
    const [few, many] = both((orders) => {
      const market = new Market().cross(orders);
      market.submit(gamma, 1, 60);
      for (const [entityId, counterpartyId, user] of [["ALPHA", "GAMMA", alpha], ["GAMMA", "ALPHA", gamma]] as const) {
        const pair = { entityId, counterpartyId };
        market.send(user, "credit.setLimit", { ...pair, limitType: "mw", scope: "total", limit: 1e6 });
        market.send(user, "credit.setDocumentation", { ...pair, status: "docs_in_place" });
      }
      // GAMMA's ask has traded with the bids of ALPHA that it crossed. Its next ask may trade with a later bid.
      market.submit(gamma, 1, 95);
      return cost(() => market.submit(alpha, 0, 95));
    });
    expect([few.trades, many.trades]).toEqual([1, 1]);
    expect(many.steps).toBeLessThan(few.steps * SAME);
  });

  test("resuming with all of them held takes at most 12 times the steps", () => {
    expectGrowth([0, 0], (orders) => {
      const market = new Market();
      market.send(operator, "market.halt", {});
      market.cross(orders);
      return cost(() => market.send(operator, "market.resume", {}));
    });
  });

  test("resuming with all of them resting crossed takes at most 12 times the steps", () => {
    expectGrowth([0, 0], (orders) => {
      const market = new Market().cross(orders);
      market.send(operator, "market.halt", {});
      return cost(() => market.send(operator, "market.resume", {}));
    });
  });
});
