// The strategies by name, each with parameters for a market of given price and quantity scales.

import { AdaptiveAggressiveness } from "./aa.ts";
import { Arbitrageur } from "./arbitrageur.ts";
import { AvellanedaStoikov, scaledParameters } from "./avellaneda-stoikov.ts";
import { Generator } from "./generator.ts";
import { Giveaway } from "./gvwy.ts";
import { MeanReversion } from "./mean-reversion.ts";
import { Momentum } from "./momentum.ts";
import { Retailer } from "./retailer.ts";
import { Shaver } from "./shvr.ts";
import type { Strategy, StrategySetup } from "./strategy.ts";
import { ZeroIntelligenceConstrained } from "./zic.ts";
import { ZeroIntelligencePlus } from "./zip.ts";

export interface StrategyEntry {
  /** `one`: trades on one given side, within its limit price. `both`: trades on either side as it decides. */
  readonly sides: "one" | "both";
  readonly make: (setup: StrategySetup) => Strategy;
}

const HOUR_MS = 3_600_000;

export const STRATEGIES = {
  "zic": {
    sides: "one",
    make: ({ side, random }) => new ZeroIntelligenceConstrained(side, random),
  },
  "zip": {
    sides: "one",
    make: (setup) => new ZeroIntelligencePlus(setup),
  },
  "gvwy": {
    sides: "one",
    make: ({ side }) => new Giveaway(side),
  },
  "shvr": {
    sides: "one",
    make: ({ side }) => new Shaver(side),
  },
  "aa": {
    sides: "one",
    make: (setup) => new AdaptiveAggressiveness(setup),
  },
  "avellaneda-stoikov": {
    sides: "both",
    make: ({ priceScale, quantityScale }) => new AvellanedaStoikov(scaledParameters(priceScale, quantityScale)),
  },
  "momentum": {
    sides: "both",
    make: ({ priceScale }) =>
      new Momentum({ shortLength: 5, longLength: 20, band: 0.25 * priceScale, greatestChase: priceScale }),
  },
  "mean-reversion": {
    sides: "both",
    make: ({ priceScale }) =>
      new MeanReversion({ length: 20, entryDistance: 2 * priceScale, exitGain: 0.5 * priceScale }),
  },
  "generator": {
    sides: "both",
    // A gas unit between a new combined cycle and an old turbine, at $3 for an MMBtu. It is out 5 % of the time.
    make: ({ random, priceScale, quantityScale }) =>
      new Generator({
        capacity: 10 * quantityScale,
        heatRate: 6.5 + 4.5 * random.next(),
        fuelPrice: 300,
        variableCost: 300,
        horizonMs: 24 * HOUR_MS,
        buyBackPremium: 2 * priceScale,
        meanUpMs: 760 * HOUR_MS,
        meanDownMs: 40 * HOUR_MS,
      }, random),
  },
  "retailer": {
    sides: "both",
    make: ({ random, priceScale, quantityScale }) =>
      new Retailer({
        load: (5 + 10 * random.next()) * quantityScale,
        forecastError: 0.1,
        firstShare: 0.25,
        firstPremium: -priceScale,
        lastPremium: 4 * priceScale,
      }, random),
  },
  "arbitrageur": {
    sides: "both",
    make: ({ priceScale }) => new Arbitrageur({ leastGain: 2 * priceScale }),
  },
} as const satisfies Record<string, StrategyEntry>;

export type StrategyName = keyof typeof STRATEGIES;

export function isStrategyName(name: string): name is StrategyName {
  return Object.hasOwn(STRATEGIES, name);
}
