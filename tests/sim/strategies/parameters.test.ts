// What the schemas of strategy parameters accept, and what a strategy is made with: prices in half spreads, quantities in
// normal orders, and times in hours become those of its market.

import { expect, test } from "bun:test";
import { BUY } from "../../../engine/market/order-book.ts";
import { AdaptiveAggressiveness } from "../../../sim/strategies/aa.ts";
import { Arbitrageur } from "../../../sim/strategies/arbitrageur.ts";
import { AvellanedaStoikov } from "../../../sim/strategies/avellaneda-stoikov.ts";
import { Generator } from "../../../sim/strategies/generator.ts";
import { MeanReversion } from "../../../sim/strategies/mean-reversion.ts";
import { Momentum } from "../../../sim/strategies/momentum.ts";
import { interval, number, wholeNumber } from "../../../sim/strategies/parameters.ts";
import { STRATEGIES, type StrategyEntry, type StrategyName } from "../../../sim/strategies/registry.ts";
import { Retailer } from "../../../sim/strategies/retailer.ts";
import type { Strategy } from "../../../sim/strategies/strategy.ts";
import { ZeroIntelligencePlus } from "../../../sim/strategies/zip.ts";
import { ChosenRandom } from "./support.ts";

const HOUR_MS = 3_600_000;
/** Half a spread is 40, a normal order 1,000. */
const setup = () => ({ side: BUY, random: new ChosenRandom(0.25, 0.5, 0.75), priceScale: 40, quantityScale: 1_000 });

// With the paper's half spread of .745, a unit of its prices is 40 / .745 here.
const UNIT = 40 / 0.745;
const rates = { shortTermRate: [0.1, 0.5], longTermRate: [0.3, 0.9], lowestFirstTheta: -3 } as const;
const margins = { margin: [0.1, 0.3], learningRate: [0.2, 0.8], momentum: [0.05, 0.45] } as const;

test.each<[StrategyName, parameters: Record<string, unknown>, made: Strategy]>([
  ["aa", rates, new AdaptiveAggressiveness(setup(), rates)],
  ["zip", margins, new ZeroIntelligencePlus(setup(), margins)],
  [
    "avellaneda-stoikov",
    { riskAversion: 0.2, volatility: 3, fillDecay: 1.2, horizonHours: 2 },
    new AvellanedaStoikov({
      riskAversion: 0.2 / UNIT,
      volatility: 3 * UNIT,
      fillDecay: 1.2 / UNIT,
      horizonMs: 2 * HOUR_MS,
      orderQuantity: 1_000,
    }),
  ],
  [
    "momentum",
    { shortHours: 0.25, longHours: 3, band: 1.5, fullTrend: 4, fullPosition: 2, greatestChase: 5 },
    new Momentum({
      shortMs: HOUR_MS / 4,
      longMs: 3 * HOUR_MS,
      band: 1.5,
      fullTrend: 4,
      fullPosition: 2_000,
      leastChange: 500,
      greatestChase: 200,
    }),
  ],
  [
    "mean-reversion",
    { length: 7, entryDistance: 3, exitGain: 0.25 },
    new MeanReversion({ length: 7, entryDistance: 120, exitGain: 10 }),
  ],
  [
    "generator",
    { horizonHours: 6, buyBackPremium: 1.5 },
    new Generator({ horizonMs: 6 * HOUR_MS, buyBackPremium: 60 }),
  ],
  [
    "retailer",
    { forecastError: 0.3, firstShare: 0.4, firstPremium: -2, lastPremium: 5 },
    new Retailer({ forecastError: 0.3, firstShare: 0.4, firstPremium: -80, lastPremium: 200 }, setup().random),
  ],
  [
    "arbitrageur",
    { leastGain: 3, leastPackageGain: 0.75 },
    new Arbitrageur({ leastGain: 120, leastPackageGain: 30 }),
  ],
])("%s is made with its parameters, in the units of its market", (name, given, made) => {
  const { make, parameters } = STRATEGIES[name];
  expect(make(setup(), parameters.parse(given))).toStrictEqual(made);
});

test("only speculators have loss limits of their own, in dollars", () => {
  const entries: [string, StrategyEntry][] = Object.entries(STRATEGIES);
  const limits = entries.flatMap(([name, { lossLimit }]) => lossLimit === undefined ? [] : [[name, lossLimit]]);
  expect(limits).toEqual([["momentum", 500_000], ["mean-reversion", 1_000_000]]);
});

test("bounds are allowed, and nothing beyond them", () => {
  const { parameters } = STRATEGIES.momentum;
  const accepts = [
    [number(-1, 2, 0, "share"), [-1, 0.5, 2], [-1.01, 2.01, "1"]],
    [wholeNumber(-1, 2, 0, "count"), [-1, 2], [-2, 3, 0.5]],
    [interval(-1, 2, [0, 1], "share"), [[-1, 2], [0.5, 0.5]], [[-1.01, 2], [-1, 2.01], [1, 0.5], [1]]],
    [parameters, [{ shortHours: 3.9 }], [{ shortHours: 4 }, { longHours: 0.5 }, { short: 1 }]],
  ] as const;
  for (const [schema, allowed, refused] of accepts) {
    expect(allowed.map((value) => schema.safeParse(value).success)).toEqual(allowed.map(() => true));
    expect(refused.map((value) => schema.safeParse(value).success)).toEqual(refused.map(() => false));
  }
});
