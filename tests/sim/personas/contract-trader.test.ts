// A persona's trading in one contract: what may still be filled, what it waits for, and what its strategies learn from.

import { describe, expect, test } from "bun:test";
import { BUY, SELL, type Side } from "../../../engine/market/order-book.ts";
import { ContractTrader, type WorkingOrder } from "../../../sim/personas/contract-trader.ts";
import { EntityOrders } from "../../../sim/personas/entity-orders.ts";
import { SeededRandom } from "../../../sim/random/seeded-random.ts";
import type { StrategyMaker } from "../../../sim/strategies/registry.ts";
import type { Strategy } from "../../../sim/strategies/strategy.ts";
import { contract, profileOf } from "./support.ts";

const IDLE: Strategy = { quote() {} };

function trader(
  entry: StrategyMaker = { sides: "both", make: () => IDLE },
  traded = contract(0),
): ContractTrader {
  return new ContractTrader(traded, 4_000, {
    entry,
    profile: profileOf([traded], ["NORTH"], 2),
    random: new SeededRandom(1),
    entityOrders: new EntityOrders(),
    halfSpread: 0.01,
    usualLots: 10,
  });
}

function order(owner: ContractTrader, side: Side, changes: Partial<WorkingOrder> = {}): WorkingOrder {
  const price = 4_000;
  const answered = { assignment: null, pending: null, nextQuantity: 0 };
  return {
    reference: 1,
    trader: owner,
    side,
    price,
    nextPrice: price,
    quantity: 10,
    filled: 0,
    ...answered,
    ...changes,
  };
}

describe.each([["bid", BUY, SELL], ["ask", SELL, BUY]] as const)("a trader's %s", (_, side, other) => {
  test.each(
    [
      ["without a change", { filled: 4 }, 6],
      ["that is to grow", { filled: 4, pending: "modify", nextQuantity: 15 }, 11],
      ["that is to shrink", { filled: 4, pending: "modify", nextQuantity: 7 }, 6],
      ["after a change", { filled: 4, nextQuantity: 15 }, 6],
      ["that is to be cancelled", { filled: 4, pending: "cancel", nextQuantity: 15 }, 6],
    ] as const,
  )("%s may still be filled by the larger of what is left before and after", (_, changes, open) => {
    const owner = trader();
    owner.addOrder(order(owner, side, changes));
    expect([owner.openOn(side), owner.openOn(other)]).toEqual([open, 0]);
  });

  test("counts together with the one that it replaces, until that has ended, and is waited for", () => {
    const owner = trader();
    const [first, second] = [order(owner, side, { filled: 3, price: 3_900 }), order(owner, side, { reference: 2 })];
    const shown = () => [owner.account.workingBid, owner.account.workingAsk];
    const only = (price: number | null) => side === BUY ? [price, null] : [null, price];
    owner.addOrder(first);
    expect([owner.isWaiting, shown()]).toEqual([false, only(3_900)]);
    first.pending = "cancel";
    owner.addOrder(second);
    expect([owner.openOn(side), owner.isWaiting, owner.orders.length]).toEqual([17, true, 2]);
    expect([owner.replacedOn(side), owner.replacedOn(other), owner.orderOn(side)]).toEqual([first, null, second]);
    owner.removeOrder(first);
    expect([owner.openOn(side), owner.isWaiting, owner.replacedOn(side)]).toEqual([10, false, null]);
    second.pending = "submit";
    expect(owner.isWaiting).toBe(true);
    owner.removeOrder(second);
    expect([owner.openOn(side), owner.isWaiting, owner.orders, shown()]).toEqual([0, false, [], [null, null]]);
  });

  test("stays a tick behind the quote that its last one could not trade with, as long as that quote is there", () => {
    const owner = trader(undefined, contract(0, { tick: 5 }));
    const [facing, beyond, behind] = side === BUY ? [4_000, 4_050, 3_995] : [4_000, 3_950, 4_005];
    const far = side === BUY ? 3_980 : 4_020;
    const show = (best: number | null) => {
      owner.showMarket(0, {
        bestBid: side === SELL ? best : null,
        bestAsk: side === BUY ? best : null,
        lastPrice: null,
      });
      return [owner.behindBlockingPrice(side, beyond), owner.behindBlockingPrice(side, behind)];
    };
    expect(show(facing)).toEqual([beyond, behind]);
    const resting = order(owner, side, { price: facing });
    owner.addOrder(resting);
    expect(show(facing)).toEqual([behind, behind]);
    owner.removeOrder(resting);
    expect(show(facing)).toEqual([behind, behind]);
    expect(owner.behindBlockingPrice(side, far)).toBe(far);
    expect(show(null)).toEqual([beyond, behind]);
    expect(show(side === BUY ? 4_010 : 3_990)).toEqual([beyond, behind]);
  });
});

test("a trader hears quotes unless all its strategies that learn learn from trades only", () => {
  const learner = (tradesOnly: boolean): Strategy => ({ quote() {}, observe() {}, observesTradesOnly: tradesOnly });
  const hearing = (...strategies: Strategy[]) => {
    const entry: StrategyMaker = { sides: "one", make: ({ side }) => strategies[side] ?? IDLE };
    return trader(entry).learnsFrom;
  };
  expect(hearing(IDLE, IDLE)).toBeNull();
  expect(hearing(IDLE, learner(true))).toBe("trades");
  expect(hearing(learner(true), learner(true))).toBe("trades");
  expect(hearing(learner(true), learner(false))).toBe("quotes");
  expect(hearing(learner(false), IDLE)).toBe("quotes");
});

test("a strategy is made for a side, with the half spread and the normal order of its contract", () => {
  const made: unknown[] = [];
  const make: StrategyMaker["make"] = ({ random: _, ...setup }) => {
    made.push(setup);
    return IDLE;
  };
  const { id, productId, marketId, node, type, shape, deliveryStart, deliveryEnd } = contract(0);
  const facts = { id, productId, marketId, node, type, shape, deliveryStart, deliveryEnd, minutes: 1_440, lot: 500 };
  for (const sides of ["one", "both"] as const) trader({ sides, make }, contract(0, { lot: 500 }));
  const scales = { priceScale: 0.01 * 4_000, quantityScale: 10 * 500, contract: facts };
  expect(made).toEqual([BUY, SELL, BUY].map((side) => ({ side, ...scales })));
});

test("the strategy that quotes is that of the side which the terms ask for, and a strategy of both sides always", () => {
  const [buyer, seller]: Strategy[] = [{ quote() {} }, { quote() {} }];
  const owner = trader({ sides: "one", make: ({ side }) => side === BUY ? buyer! : seller! });
  Object.assign(owner.terms, { buyQuantity: 5, sellQuantity: 0 });
  expect(owner.strategy).toBe(buyer!);
  Object.assign(owner.terms, { buyQuantity: 0, sellQuantity: 5 });
  expect(owner.strategy).toBe(seller!);
  const single = trader();
  Object.assign(single.terms, { buyQuantity: 0, sellQuantity: 5 });
  expect(single.strategy).toBe(IDLE);
});
