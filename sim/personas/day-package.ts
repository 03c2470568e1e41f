// The base of a day, its peak and its hours as one package: to buy the base and sell each of its hours, or the peak and the
// other hours, is to buy and sell the same power. This shows a strategy the other side of the package: for the base and the
// peak what the same power costs in other contracts, and for each of the three the position in the others.
//
// There is a package only while every hour of the day is listed. Cost: O(hours) for a look from the base or the peak.

import type { PackageView } from "../strategies/strategy.ts";
import type { LiquidityProfile } from "./liquidity-profile.ts";
import type { ContractBook } from "./persona.ts";
import type { TradedContract } from "./traded-contract.ts";

/** `matching`: of the contracts that are not in delivery. */
type Contracts = Pick<LiquidityProfile, "matching">;
type BookOf = (contract: TradedContract) => ContractBook;
type PositionOf = (contract: TradedContract) => number;

const HOUR_MINUTES = 60;

export class DayPackage {
  private constructor(
    readonly base: TradedContract,
    /** Null on days without one. */
    readonly peak: TradedContract | null,
    readonly hours: readonly TradedContract[],
    /** Those of the peak; none without one. */
    private readonly peakHours: readonly TradedContract[],
    private readonly seenFrom: TradedContract,
  ) {}

  /** The package that a contract is part of; null if it is not an hour, the peak or the base of a day, or hours are missing. */
  static of(contract: TradedContract, contracts: Contracts): DayPackage | null {
    const { type } = contract;
    if (type !== "base" && type !== "peak" && type !== "hour") return null;
    const base = type === "base"
      ? contract
      : contracts.matching((other) => other.type === "base" && isWithin(contract, other))[0];
    if (base === undefined) return null;
    const inside = contracts.matching((other) => isWithin(other, base));
    const hours = inside.filter((other) => other.type === "hour");
    if (hours.length * HOUR_MINUTES !== base.minutes) return null;
    const peak = inside.find((other) => other.type === "peak") ?? null;
    const peakHours = peak === null ? [] : hours.filter((hour) => isWithin(hour, peak));
    return new DayPackage(base, peak, hours, peakHours, contract);
  }

  /** The other contracts of the package: the peak first. */
  get legs(): readonly TradedContract[] {
    return this.peak === null ? this.hours : [this.peak, ...this.hours];
  }

  view(bookOf: BookOf, positionOf: PositionOf): PackageView {
    const { base, peak, hours, peakHours, seenFrom } = this;
    const inPeak = peak === null ? 0 : positionOf(peak);
    const inBase = positionOf(base);
    if (seenFrom === peak) {
      return { role: "peak", ...quotesOf(peakHours, bookOf), position: inBase + mean(peakHours, positionOf) };
    }
    if (seenFrom !== base) {
      const position = inBase + (peakHours.includes(seenFrom) ? inPeak : 0);
      return { role: "hour", bestBid: null, bestAsk: null, position };
    }
    const ofHours = quotesOf(hours, bookOf);
    const position = mean(hours, positionOf) + inPeak * peakHours.length / hours.length;
    if (peak === null) return { role: "base", ...ofHours, position };
    const otherHours = hours.filter((hour) => !peakHours.includes(hour));
    const withPeak = quotesOf([...peakHours.map(() => peak), ...otherHours], bookOf);
    return {
      role: "base",
      bestBid: bestOf(Math.max, ofHours.bestBid, withPeak.bestBid),
      bestAsk: bestOf(Math.min, ofHours.bestAsk, withPeak.bestAsk),
      position,
    };
  }
}

function isWithin(part: TradedContract, whole: TradedContract): boolean {
  return part.node === whole.node && part.marketId === whole.marketId && part.deliveryStart >= whole.deliveryStart &&
    part.deliveryEnd <= whole.deliveryEnd;
}

/** What a unit in all of these together can be sold and bought for; null if one of them has no such quote. */
function quotesOf(contracts: readonly TradedContract[], bookOf: BookOf): Pick<PackageView, "bestBid" | "bestAsk"> {
  const meanOf = (side: "bestBid" | "bestAsk") => {
    const price = mean(contracts, (contract) => bookOf(contract)[side] ?? NaN);
    return Number.isNaN(price) ? null : price;
  };
  return { bestBid: meanOf("bestBid"), bestAsk: meanOf("bestAsk") };
}

function mean(contracts: readonly TradedContract[], valueOf: (contract: TradedContract) => number): number {
  let sum = 0;
  for (const contract of contracts) sum += valueOf(contract);
  return sum / contracts.length;
}

function bestOf(better: (one: number, other: number) => number, one: number | null, other: number | null) {
  return one === null || other === null ? one ?? other : better(one, other);
}
