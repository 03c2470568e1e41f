import { describe, expect, test } from "bun:test";
import { BUY, SELL, type Side } from "../../../engine/market/order-book.ts";
import { AdaptiveAggressiveness } from "../../../sim/strategies/aa.ts";
import { aggressivenessOf, targetPrice } from "../../../sim/strategies/aggressiveness.ts";
import { mean } from "../../support/laboratory/averages.ts";
import { ACCOUNT, ChosenRandom, MARKET, observeTrades, quoted, update } from "./support.ts";

/** Learning rates of .4, first theta of -2.5. */
function trader(side: Side = BUY): AdaptiveAggressiveness {
  return new AdaptiveAggressiveness({ side, random: new ChosenRandom(0.5, 0.5, 0.5) });
}

describe("AA, before the first trade", () => {
  test("moves a third of the way to a price slightly beyond the opposite best quote", () => {
    // 160 x 1.02 + .01 = 163.21, a third of the way from 100 is 121.07.
    expect(quoted(trader(), { bestBid: 100, bestAsk: 160 }).bid).toEqual([121, 1]);
    // 100 x .98 - .01 = 97.99 is below its limit of 120, and a third of the way from 160 to 120 is 146.67.
    expect(quoted(trader(SELL), { bestBid: 100, bestAsk: 160 }, { limitPrice: 120 }).ask).toEqual([147, 1]);
  });

  test("reckons with the size of a negative price, and with the tick", () => {
    // -307 x .98 + .01 x 100 = -299.86, a third of the way from -600 is -499.95.
    const market = { lowestPrice: -5_000, tick: 100, bestBid: -600, bestAsk: -307 };
    expect(quoted(trader(), market).bid).toEqual([-500, 1]);
  });

  test("uses the extreme prices if sides are empty", () => {
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
  test("is the mean of the last five trades, each with nine tenths of the weight of the next newer one, for buyer and seller", () => {
    for (const strategy of [trader(), trader(SELL)]) {
      observeTrades(strategy, [100]);
      expect(strategy.equilibriumPrice).toBe(100);
      observeTrades(strategy, [110]);
      expect(strategy.equilibriumPrice).toBeCloseTo((0.9 * 100 + 110) / 1.9, 9);
      observeTrades(strategy, [150, 150, 150, 150, 150]);
      expect(strategy.equilibriumPrice).toBeCloseTo(150, 9);
    }
  });
});

describe("AA's quote", () => {
  test("takes the opposite best quote if it is within the target", () => {
    const strategy = trader();
    observeTrades(strategy, [150]);
    expect(quoted(strategy, { bestBid: 100, bestAsk: 120 }).bid).toEqual([120, 1]);
  });

  test("otherwise moves a third of the way to its target, and reaches it in the end", () => {
    const strategy = trader();
    observeTrades(strategy, [150, 150, 150]);
    let bestBid = 90;
    const bids: number[] = [];
    for (let count = 0; count < 20; count++) bids.push(bestBid = quoted(strategy, { bestBid }).bid?.[0] ?? NaN);
    expect(bids[0]).toBeWithin(105, 111);
    expect(bids).toEqual(bids.toSorted((a, b) => a - b));
    expect(bestBid).toBeWithin(140, 151);
  });

  test("moves by at least a tick", () => {
    const strategy = trader();
    observeTrades(strategy, [150]);
    expect(quoted(strategy, { bestBid: 147 }).bid).toEqual([148, 1]);
    expect(quoted(strategy, { bestBid: 100, tick: 25 }).bid).toEqual([125, 1]);
  });

  test("is absent if its limit doesn't allow an improvement, and keeps an order already in the book", () => {
    expect(quoted(trader(), { bestBid: 200 }).bid).toBeNull();
    expect(quoted(trader(), { bestBid: 200 }, { workingBid: 180 }).bid).toEqual([180, 1]);
    expect(quoted(trader(SELL), { bestAsk: 200 })).toEqual({ bid: null, ask: null });
    expect(quoted(trader(SELL), { bestAsk: 200 }, { workingAsk: 220 }).ask).toEqual([220, 1]);
  });
});

/** The highest ask that it takes. */
function most(strategy: AdaptiveAggressiveness): number {
  let ask = MARKET.highestPrice;
  while (quoted(strategy, { bestBid: null, bestAsk: ask }).bid?.[0] !== ask && ask > 0) ask -= 1;
  return ask;
}

describe("AA's curvature", () => {
  /** Learns aggressiveness at `shortTermRate`, and the curvature at `longTermRate`, from `firstTheta`. */
  const learner = (longTermRate: number, firstTheta: number, shortTermRate = 1, side: Side = BUY) =>
    new AdaptiveAggressiveness({ side, random: new ChosenRandom(0.5, 0.5, 1) }, {
      shortTermRate: [shortTermRate, shortTermRate],
      longTermRate: [longTermRate, longTermRate],
      lowestFirstTheta: firstTheta,
    });

  // After 150 and 160 the estimate is 155.26. The volatility is the highest so far, which asks for a theta of -8.
  test.each([
    ["stays without learning", 0, 0, 160],
    ["goes half of the way", 0.5, 0, 161],
    ["goes all the way", 1, 0, 163],
    ["goes all the way from any first one", 1, -5, 163],
  ])("follows volatility at the long-term rate alone: it %s", (_, longTermRate, firstTheta, price) => {
    const strategy = learner(longTermRate, firstTheta);
    observeTrades(strategy, [150, 160]);
    expect(most(strategy)).toBe(price);
  });

  test("is 2 - 10 x e^(2 (x - 1)), with x the volatility relative to the highest so far, for a seller too", () => {
    const prices = [10, 30, 100, 100, 100, 100, 120];
    const after = (trades: number) => {
      const last = prices.slice(Math.max(0, trades - 5), trades);
      const weights = last.map((_, at) => 0.9 ** (last.length - 1 - at));
      const estimate = mean(last.map((price, at) => price * weights[at]!)) / mean(weights);
      return { estimate, volatility: Math.sqrt(mean(last.map((price) => (price - estimate) ** 2))) / estimate };
    };
    const { estimate, volatility } = after(7);
    const x = volatility / Math.max(...prices.map((_, at) => after(at + 1).volatility));
    const curve = { limit: -50, equilibrium: -estimate, worst: -400, theta: 2 - 10 * x * Math.exp(2 * (x - 1)) };
    const seller = learner(1, 0, 1, SELL);
    observeTrades(seller, prices, { limitPrice: 50 });
    seller.observe(update(SELL, 80, false), MARKET, { ...ACCOUNT, limitPrice: 50 });
    const target = -targetPrice(curve, 1.02 * aggressivenessOf(curve, -80) + 0.01);
    const [ask = NaN] = quoted(seller, { tick: 0.001 }, { limitPrice: 50 }).ask ?? [];
    expect(ask).toBeCloseTo(400 - (400 - target) / 3, 2);
  });

  test("is highest when prices stand still, and between both while they calm down", () => {
    // 150, 160, 160: nine tenths of the highest volatility, a theta of -6.2. Five of 160: none, a theta of 2.
    const prices = [1, 4].map((more) => {
      const strategy = learner(1, 0, 0.5);
      observeTrades(strategy, [150, 160, ...Array.from({ length: more }, () => 160)]);
      strategy.observe(update(BUY, 180, false), MARKET, ACCOUNT);
      return most(strategy);
    });
    expect(prices).toEqual([173, 166]);
  });
});

describe("AA's aggressiveness", () => {
  test("grows after trades above the buyer's target, and falls after trades below", () => {
    const strategy = trader();
    observeTrades(strategy, [150, 150]);
    const before = most(strategy);
    for (const price of [155, 160, 165]) observeTrades(strategy, [price]);
    expect(most(strategy)).toBeGreaterThan(before);
    for (const price of [140, 130, 120, 110]) observeTrades(strategy, [price]);
    expect(most(strategy)).toBeLessThan(before);
  });

  test("falls after a trade exactly at its target, because it could have demanded more", () => {
    const strategy = trader();
    observeTrades(strategy, [150]);
    expect(most(strategy)).toBeLessThan(150);
  });

  test("grows after untraded quotes of its own side that are as willing as its target", () => {
    const strategy = trader();
    observeTrades(strategy, [150]);
    const before = most(strategy);
    for (let count = 0; count < 10; count++) strategy.observe(update(SELL, 140, false), MARKET, ACCOUNT);
    expect(most(strategy)).toBe(before);
    for (let count = 0; count < 10; count++) strategy.observe(update(BUY, 170, false), MARKET, ACCOUNT);
    expect(most(strategy)).toBeGreaterThan(before);
  });

  test("grows after an untraded quote at exactly its target, also far below the equilibrium", () => {
    const strategy = trader();
    observeTrades(strategy, [190, 190, 190, 5, 5]);
    const before = most(strategy);
    expect(before).toBeLessThan(30);
    for (let count = 0; count < 4; count++) strategy.observe(update(BUY, most(strategy), false), MARKET, ACCOUNT);
    expect(most(strategy)).toBeGreaterThan(before);
  });

  test("is at most that of the limit, however often it is confirmed", () => {
    const after = (quotes: number) => {
      const strategy = trader();
      observeTrades(strategy, [100]);
      for (let count = 0; count < quotes; count++) strategy.observe(update(BUY, 200, false), MARKET, ACCOUNT);
      observeTrades(strategy, [100]);
      return most(strategy);
    };
    expect(after(1_000)).toBe(after(50));
  });

  test("never falls after an untraded quote at its own price, which the tick makes less willing than its target", () => {
    const market = { ...MARKET, tick: 25 };
    for (const [side, price] of [[BUY, 170], [SELL, 230]] as const) {
      const strategy = trader(side);
      strategy.observe(update(BUY, side === BUY ? 150 : 250, true), MARKET, ACCOUNT);
      for (let count = 0; count < 10; count++) strategy.observe(update(side, price, false), MARKET, ACCOUNT);
      const before = quoted(strategy, { bestBid: 100, bestAsk: 300 });
      strategy.observe(update(side, side === BUY ? 150 : 250, false), market, ACCOUNT);
      const after = quoted(strategy, { bestBid: 100, bestAsk: 300 });
      const gains = [(after.bid?.[0] ?? 0) - (before.bid?.[0] ?? 0), (before.ask?.[0] ?? 0) - (after.ask?.[0] ?? 0)];
      expect(Math.min(...gains)).toBe(0);
    }
  });

  test("of a seller mirrors that of a buyer", () => {
    const [buyer, seller] = [trader(BUY), trader(SELL)];
    observeTrades(buyer, [150, 170, 160, 180]);
    observeTrades(seller, [250, 230, 240, 220]);
    const bid = quoted(buyer, { bestBid: 100 }).bid?.[0] ?? NaN;
    const ask = quoted(seller, { bestAsk: 300 }).ask?.[0] ?? NaN;
    expect(ask).toBe(400 - bid);
  });
});
