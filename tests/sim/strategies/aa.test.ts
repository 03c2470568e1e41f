import { describe, expect, test } from "bun:test";
import { BUY, SELL, type Side } from "../../../sim/market/order-book.ts";
import { AdaptiveAggressiveness } from "../../../sim/strategies/aa.ts";
import { ACCOUNT, ChosenRandom, MARKET, observeTrades, quoted, update } from "./support.ts";

/** Learning rates of .4, theta -2.5 at first. */
function trader(side: Side = BUY): AdaptiveAggressiveness {
  return new AdaptiveAggressiveness({ side, random: new ChosenRandom(0.5, 0.5, 0.5) });
}

describe("AA, before the first trade", () => {
  test("goes a third of the way to a little beyond the other side's best quote", () => {
    // 160 x 1.02 + .01 = 163.21, a third of the way from 100 is 121.07.
    expect(quoted(trader(), { bestBid: 100, bestAsk: 160 }).bid).toEqual([121, 1]);
    // 100 x .98 - .01 = 97.99 is below its limit of 120, a third of the way from 160 to which is 146.67.
    expect(quoted(trader(SELL), { bestBid: 100, bestAsk: 160 }, { limitPrice: 120 }).ask).toEqual([147, 1]);
  });

  test("takes the extreme prices where sides are empty", () => {
    expect(quoted(trader(), {}).bid).toEqual([66, 1]);
    expect(quoted(trader(SELL), {}).ask).toEqual([334, 1]);
  });

  test("learns nothing from quotes", () => {
    const strategy = trader();
    strategy.observe(update(BUY, 150, false), MARKET, ACCOUNT);
    expect(strategy.equilibriumPrice).toBeNull();
    expect(quoted(strategy, { bestBid: 100, bestAsk: 160 }).bid).toEqual([121, 1]);
  });
});

describe("AA's estimate of the equilibrium", () => {
  test("is the mean of the last five trades, each older one counting nine tenths of the next", () => {
    const strategy = trader();
    observeTrades(strategy, [100]);
    expect(strategy.equilibriumPrice).toBe(100);
    observeTrades(strategy, [110]);
    expect(strategy.equilibriumPrice).toBeCloseTo((0.9 * 100 + 110) / 1.9, 9);
    observeTrades(strategy, [150, 150, 150, 150, 150]);
    expect(strategy.equilibriumPrice).toBeCloseTo(150, 9);
  });

  test("is the same price for a seller", () => {
    const strategy = trader(SELL);
    observeTrades(strategy, [100, 110]);
    expect(strategy.equilibriumPrice).toBeCloseTo((0.9 * 100 + 110) / 1.9, 9);
  });
});

describe("AA's quote", () => {
  test("takes the other side's best quote where that is within its target", () => {
    const strategy = trader();
    observeTrades(strategy, [150]);
    expect(quoted(strategy, { bestBid: 100, bestAsk: 120 }).bid).toEqual([120, 1]);
  });

  test("goes a third of the way to its target else, and comes to it", () => {
    const strategy = trader();
    observeTrades(strategy, [150, 150, 150]);
    let bestBid = 90;
    const bids: number[] = [];
    for (let count = 0; count < 20; count++) bids.push(bestBid = quoted(strategy, { bestBid }).bid?.[0] ?? NaN);
    expect(bids[0]).toBeWithin(105, 111);
    expect(bids).toEqual(bids.toSorted((a, b) => a - b));
    expect(bestBid).toBeWithin(140, 151);
  });

  test("stays away where its limit leaves no room to improve, and keeps what it has in the book", () => {
    expect(quoted(trader(), { bestBid: 200 }).bid).toBeNull();
    expect(quoted(trader(), { bestBid: 200 }, { workingBid: 180 }).bid).toEqual([180, 1]);
  });
});

describe("AA's aggressiveness", () => {
  /** What it would take at most: the highest ask that it bids for. */
  const most = (strategy: AdaptiveAggressiveness) => {
    let ask = MARKET.highestPrice;
    while (quoted(strategy, { bestBid: null, bestAsk: ask }).bid?.[0] !== ask && ask > 0) ask -= 1;
    return ask;
  };

  test("grows where trades are made above its target, and falls where they are made below", () => {
    const strategy = trader();
    observeTrades(strategy, [150, 150]);
    const before = most(strategy);
    for (const price of [155, 160, 165]) observeTrades(strategy, [price]);
    expect(most(strategy)).toBeGreaterThan(before);
    for (const price of [140, 130, 120, 110]) observeTrades(strategy, [price]);
    expect(most(strategy)).toBeLessThan(before);
  });

  test("falls where a trade is made at its target exactly: it could have asked for more", () => {
    const strategy = trader();
    observeTrades(strategy, [150]);
    expect(most(strategy)).toBeLessThan(150);
  });

  test("grows where its own side's quotes are as willing as its target and not accepted", () => {
    const strategy = trader();
    observeTrades(strategy, [150]);
    const before = most(strategy);
    for (let count = 0; count < 10; count++) strategy.observe(update(SELL, 140, false), MARKET, ACCOUNT);
    expect(most(strategy)).toBe(before);
    for (let count = 0; count < 10; count++) strategy.observe(update(BUY, 170, false), MARKET, ACCOUNT);
    expect(most(strategy)).toBeGreaterThan(before);
  });

  test("of a buyer and a seller is mirrored", () => {
    const [buyer, seller] = [trader(BUY), trader(SELL)];
    observeTrades(buyer, [150, 170, 160, 180]);
    observeTrades(seller, [250, 230, 240, 220]);
    const bid = quoted(buyer, { bestBid: 100 }).bid?.[0] ?? NaN;
    const ask = quoted(seller, { bestAsk: 300 }).ask?.[0] ?? NaN;
    expect(ask).toBe(400 - bid);
  });
});
