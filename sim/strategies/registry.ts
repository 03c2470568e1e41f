// The strategies by name: each with its parameters, and how to make one for a market of given price and quantity scales.
//
// Parameters are in units that fit every market: prices in half spreads (`priceScale`), quantities in normal orders
// (`quantityScale`). The exceptions say so.

import { z } from "zod";
import { HOUR_MS } from "../../protocol/time-units.ts";
import { AdaptiveAggressiveness } from "./aa.ts";
import { Arbitrageur } from "./arbitrageur.ts";
import { AvellanedaStoikov, PAPER, scaledParameters } from "./avellaneda-stoikov.ts";
import { Generator } from "./generator.ts";
import { Giveaway } from "./gvwy.ts";
import { MeanReversion } from "./mean-reversion.ts";
import { Momentum } from "./momentum.ts";
import { interval, number, wholeNumber } from "./parameters.ts";
import { generatorParameters, retailerParameters } from "./physical-parameters.ts";
import { Retailer } from "./retailer.ts";
import { Shaver } from "./shvr.ts";
import type { Strategy, StrategySetup } from "./strategy.ts";
import { ZeroIntelligenceConstrained } from "./zic.ts";
import { ZeroIntelligencePlus } from "./zip.ts";

/** As the strategy's schema gives them. */
export type StrategyParameters = Readonly<Record<string, unknown>>;

/** The roles that a strategy from a file may have. */
export const TRADING_ROLES = ["maker", "taker", "speculator"] as const;

/**
 * What a strategy is for, which decides what its personas are told to trade, know and may risk. A taker trades what its
 * client tells it to, on one given side and within a limit price; all others trade on either side as they decide. A maker
 * quotes every contract. An arbitrageur trades packages, a generator its units, a retailer its load, a speculator anything.
 */
export type StrategyRole = typeof TRADING_ROLES[number] | "arbitrageur" | "generator" | "retailer";

export interface StrategyMaker {
  /** `one`: trades on one given side, within its limit price. `both`: trades on either side as it decides. */
  readonly sides: "one" | "both";
  /** `parameters`: as parsed by the entry's schema; absent: the defaults. */
  readonly make: (setup: StrategySetup, parameters?: StrategyParameters) => Strategy;
}

export interface StrategyEntry extends StrategyMaker {
  readonly role: StrategyRole;
  /** Dollars that a persona may lose before it is stopped; absent: as usual for the role. */
  readonly lossLimit?: number | undefined;
  /** Every parameter has a default. */
  readonly parameters: z.ZodObject;
}

function entry<Schema extends z.ZodObject>(
  role: StrategyRole,
  parameters: Schema,
  make: (setup: StrategySetup, parameters: z.output<Schema>) => Strategy,
  lossLimit?: number,
): StrategyEntry {
  const defaults = parameters.parse({});
  const makeOne: StrategyMaker["make"] = (setup, given) => make(setup, (given ?? defaults) as z.output<Schema>);
  return { role, sides: sidesOf(role), parameters, make: makeOne, lossLimit };
}

export function sidesOf(role: StrategyRole): StrategyMaker["sides"] {
  return role === "taker" ? "one" : "both";
}

const NO_PARAMETERS = z.strictObject({});

export const STRATEGIES = {
  "zic": entry("taker", NO_PARAMETERS, ({ side, random }) => new ZeroIntelligenceConstrained(side, random)),
  "zip": entry(
    "taker",
    z.strictObject({
      margin: interval(0, 1, [0.05, 0.35], "first margin on the limit price, as a share of it"),
      learningRate: interval(0, 1, [0.1, 0.5], "share of the way to the target that the price goes at each update"),
      momentum: interval(0, 1, [0, 0.1], "weight of the last price change in the next one"),
    }),
    (setup, parameters) => new ZeroIntelligencePlus(setup, parameters),
  ),
  "gvwy": entry("taker", NO_PARAMETERS, ({ side }) => new Giveaway(side)),
  "shvr": entry("taker", NO_PARAMETERS, ({ side }) => new Shaver(side)),
  "aa": entry(
    "taker",
    z.strictObject({
      shortTermRate: interval(0, 1, [0.2, 0.6], "learning rate of the aggressiveness"),
      longTermRate: interval(0, 1, [0.2, 0.6], "learning rate of theta"),
      lowestFirstTheta: number(-8, 0, -5, "the first theta is drawn between this and 0"),
    }),
    (setup, parameters) => new AdaptiveAggressiveness(setup, parameters),
  ),
  "avellaneda-stoikov": entry(
    "maker",
    z.strictObject({
      riskAversion: number(0.001, 10, 0.01, "gamma, 0.1 in the paper; in the paper's unit of price, as the next two"),
      volatility: number(0, 100, PAPER.volatility, "sigma: standard deviation of the price over the horizon"),
      fillDecay: number(0.01, 100, PAPER.fillDecay, "k: decay of the fill rate with distance from the price"),
      horizonHours: number(0.01, 8760, 1, "T, hours: risk falls from this time before delivery"),
    }),
    ({ priceScale, quantityScale }, { horizonHours, ...parameters }) =>
      new AvellanedaStoikov({
        ...scaledParameters(priceScale, quantityScale, parameters),
        horizonMs: horizonHours * HOUR_MS,
      }),
  ),
  "momentum": entry(
    "speculator",
    z.strictObject({
      shortHours: number(0.01, 8760, 0.5, "time constant of the short average of the mid, hours"),
      longHours: number(0.01, 8760, 4, "time constant of the long average, hours"),
      band: number(0, 100, 1, "trend that opens a position, standard deviations; half of it closes it"),
      fullTrend: number(0.1, 100, 3, "trend at which the position is full, standard deviations"),
      fullPosition: number(0, 1000, 3, "the full position, normal orders"),
      greatestChase: number(0, 1000, 2, "greatest distance of an order from the mid, half spreads"),
    }).refine(({ shortHours, longHours }) => shortHours < longHours, "shortHours is not below longHours"),
    ({ priceScale, quantityScale }, { shortHours, longHours, fullPosition, greatestChase, ...trends }) =>
      new Momentum({
        ...trends,
        shortMs: shortHours * HOUR_MS,
        longMs: longHours * HOUR_MS,
        fullPosition: fullPosition * quantityScale,
        leastChange: quantityScale / 2,
        greatestChase: greatestChase * priceScale,
      }),
    500_000,
  ),
  "mean-reversion": entry(
    "speculator",
    z.strictObject({
      length: wholeNumber(1, 10_000, 20, "number of trades in the average"),
      entryDistance: number(0, 1000, 2, "least distance of a quote from the average, half spreads"),
      exitGain: number(0, 1000, 0.5, "gain at which a position is closed, half spreads"),
    }),
    ({ priceScale }, { length, entryDistance, exitGain }) =>
      new MeanReversion({ length, entryDistance: entryDistance * priceScale, exitGain: exitGain * priceScale }),
    1_000_000,
  ),
  "generator": entry(
    "generator",
    generatorParameters,
    ({ priceScale }, { horizonHours, buyBackPremium }) =>
      new Generator({ horizonMs: horizonHours * HOUR_MS, buyBackPremium: buyBackPremium * priceScale }),
  ),
  "retailer": entry(
    "retailer",
    retailerParameters,
    ({ random, priceScale }, { forecastError, firstShare, firstPremium, lastPremium }) =>
      new Retailer({
        forecastError,
        firstShare,
        firstPremium: firstPremium * priceScale,
        lastPremium: lastPremium * priceScale,
      }, random),
  ),
  "arbitrageur": entry(
    "arbitrageur",
    z.strictObject({
      leastGain: number(0, 1000, 2, "least gain against the other node or the own forecast, half spreads"),
      leastPackageGain: number(
        0,
        1000,
        0.5,
        "least gain of the base or peak of a day against the same power in others, half spreads",
      ),
    }),
    ({ priceScale }, { leastGain, leastPackageGain }) =>
      new Arbitrageur({ leastGain: leastGain * priceScale, leastPackageGain: leastPackageGain * priceScale }),
  ),
} as const satisfies Record<string, StrategyEntry>;

export type StrategyName = keyof typeof STRATEGIES;
