// The strategies by the names by which personas are asked for, each with the parameters that suit a market of given scales
// of price and quantity.

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
  /** One line for people: what it does. */
  readonly description: string;
  /** `one`: it trades on the side that it is given and never betrays its limit; `both`: on either, as it sees fit. */
  readonly sides: "one" | "both";
  readonly make: (setup: StrategySetup) => Strategy;
}

const HOUR_MS = 3_600_000;

export const STRATEGIES = {
  "zic": {
    description: "zero intelligence, constrained: random prices within its limit",
    sides: "one",
    make: ({ side, random }) => new ZeroIntelligenceConstrained(side, random),
  },
  "zip": {
    description: "zero intelligence plus: a margin that learns from every shout",
    sides: "one",
    make: (setup) => new ZeroIntelligencePlus(setup),
  },
  "gvwy": {
    description: "giveaway: quotes its limit",
    sides: "one",
    make: ({ side }) => new Giveaway(side),
  },
  "shvr": {
    description: "shaver: one tick better than the best quote of its side",
    sides: "one",
    make: ({ side }) => new Shaver(side),
  },
  "aa": {
    description: "adaptive aggressiveness: estimates the equilibrium and learns how eagerly to go for it",
    sides: "one",
    make: (setup) => new AdaptiveAggressiveness(setup),
  },
  "avellaneda-stoikov": {
    description: "market maker: quotes both sides and leans against its inventory",
    sides: "both",
    make: ({ priceScale, quantityScale }) => new AvellanedaStoikov(scaledParameters(priceScale, quantityScale)),
  },
  "momentum": {
    description: "follows the trend: buys while the short average is above the long one",
    sides: "both",
    make: ({ priceScale }) =>
      new Momentum({ shortLength: 5, longLength: 20, band: 0.25 * priceScale, greatestChase: priceScale }),
  },
  "mean-reversion": {
    description: "buys well below the average price, sells well above it, and leaves at a small gain",
    sides: "both",
    make: ({ priceScale }) =>
      new MeanReversion({ length: 20, entryDistance: 2 * priceScale, exitGain: 0.5 * priceScale }),
  },
  "generator": {
    description: "sells its capacity at or above marginal cost, and buys back what an outage takes away",
    sides: "both",
    // A gas unit between a new combined cycle and an old turbine, at $3 for an MMBtu; a twentieth of the time out.
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
    description: "buys its customers' load forward, and hurries near delivery",
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
    description: "trades one node against the other, and contracts against expected spot prices",
    sides: "both",
    make: ({ priceScale }) => new Arbitrageur({ leastGain: 2 * priceScale }),
  },
} as const satisfies Record<string, StrategyEntry>;

export type StrategyName = keyof typeof STRATEGIES;

export function isStrategyName(name: string): name is StrategyName {
  return Object.hasOwn(STRATEGIES, name);
}
