// The reference market, for comparison with published results: eleven buyers and eleven sellers of one unit a day each,
// with the same evenly spaced limits on both sides, so supply and demand meet in the middle. Markets of this kind were
// used by Smith (1962), by Gode & Sunder (1993) for ZIC, and by Cliff (1997) for ZIP.

import { BUY, SELL, type Side } from "../../../engine/market/order-book.ts";
import { SeededRandom } from "../../../sim/random/seeded-random.ts";
import { STRATEGIES, type StrategyEntry, type StrategyName } from "../../../sim/strategies/registry.ts";
import type { Strategy } from "../../../sim/strategies/strategy.ts";
import type { ContinuousSetting } from "./continuous-market.ts";
import { allocativeEfficiency, greatestSurplus, smithsAlpha } from "./measures.ts";
import { type AuctionDay, type AuctionRules, SingleUnitAuction } from "./single-unit-auction.ts";
import { LaboratoryTrader } from "./trader.ts";

/** The limit prices of each side. */
export const LIMITS: readonly number[] = [75, 100, 125, 150, 175, 200, 225, 250, 275, 300, 325];
const EQUILIBRIUM_PRICE = 200;
const RULES: AuctionRules = { lowestPrice: 0, highestPrice: 400, idleQuotes: 1000 };
/** Five cents in the ZIP paper, whose prices were about two dollars. */
const PRICE_SCALE = 5;

export interface DayResult {
  readonly trades: number;
  /** Percent; null without trades. */
  readonly alpha: number | null;
  /** Percent. */
  readonly efficiency: number | null;
}

const MAX_SURPLUS = greatestSurplus(LIMITS, LIMITS);

/** Runs the market for some days, with one one-sided strategy for all traders. The same seed gives the same days. */
export function runReferenceMarket(strategy: StrategyName, seed: number, days: number): DayResult[] {
  const random = new SeededRandom(seed);
  const traders = ([BUY, SELL] as const).flatMap((side) =>
    LIMITS.map((limitPrice) => makeTrader(strategy, side, limitPrice, random.fork(`${side} ${limitPrice}`), asItIs))
  );
  const auction = new SingleUnitAuction(traders, RULES, random.fork("auction"));
  return Array.from({ length: days }, () => resultOf(auction.runDay()));
}

/**
 * The setting of a continuous market with this many traders, half of them on each side, with limits spread evenly over
 * the range of the reference market's. The same seed gives the same orders. `wrap` may replace each strategy.
 */
export function continuousSetting(
  strategy: StrategyName,
  traders: number,
  seed: number,
  wrap: (strategy: Strategy) => Strategy = asItIs,
): ContinuousSetting {
  const random = new SeededRandom(seed);
  const [lowest = NaN, highest = NaN] = [LIMITS[0], LIMITS.at(-1)];
  const all = Array.from({ length: traders }, (_, at) => {
    const place = (Math.floor(at / 2) + 0.5) / (traders / 2);
    const limitPrice = Math.round(lowest + place * (highest - lowest));
    return makeTrader(strategy, at % 2 === 0 ? BUY : SELL, limitPrice, random.fork(`trader ${at}`), wrap);
  });
  return { traders: all, prices: RULES, random: random.fork("market") };
}

function makeTrader(
  name: StrategyName,
  side: Side,
  limitPrice: number,
  random: SeededRandom,
  wrap: (strategy: Strategy) => Strategy,
): LaboratoryTrader {
  const { make }: StrategyEntry = STRATEGIES[name];
  const strategy = make({ side, random, priceScale: PRICE_SCALE, quantityScale: 1 });
  return new LaboratoryTrader(side, limitPrice, wrap(strategy));
}

function asItIs(strategy: Strategy): Strategy {
  return strategy;
}

function resultOf({ prices, surplus }: AuctionDay): DayResult {
  return {
    trades: prices.length,
    alpha: smithsAlpha(prices, EQUILIBRIUM_PRICE),
    efficiency: allocativeEfficiency(surplus, MAX_SURPLUS),
  };
}
