// The base of a day and its hours as one package: to buy the base and sell each of its hours is to buy and sell the same
// power. This shows a strategy the other side of the package: for the base what all its hours cost together, for an hour the
// position in the base.
//
// There is a package only while every hour of the day is listed. Cost: O(hours) for a look from the base.

import type { PackageView } from "../strategies/strategy.ts";
import type { LiquidityProfile } from "./liquidity-profile.ts";
import type { ContractBook } from "./persona.ts";
import type { TradedContract } from "./traded-contract.ts";

/** `matching`: of the contracts that are not in delivery. */
type Contracts = Pick<LiquidityProfile, "matching">;

const HOUR_MINUTES = 60;

export class DayPackage {
  private constructor(
    readonly base: TradedContract,
    readonly hours: readonly TradedContract[],
    private readonly isBase: boolean,
  ) {}

  /** The package that a contract is part of; null if it is not an hour or the base of a day, or hours are missing. */
  static of(contract: TradedContract, contracts: Contracts): DayPackage | null {
    const base = contract.type === "base" ? contract : baseOf(contract, contracts);
    if (base === undefined) return null;
    const hours = contracts.matching((other) => other.type === "hour" && isWithin(other, base));
    return hours.length * HOUR_MINUTES === base.minutes ? new DayPackage(base, hours, contract === base) : null;
  }

  view(
    bookOf: (contract: TradedContract) => ContractBook,
    positionOf: (contract: TradedContract) => number,
  ): PackageView {
    if (!this.isBase) return { role: "hour", bestBid: null, bestAsk: null, position: positionOf(this.base) };
    let bids = 0;
    let asks = 0;
    let position = 0;
    for (const hour of this.hours) {
      const { bestBid, bestAsk } = bookOf(hour);
      // NaN if one hour has no such quote.
      bids += bestBid ?? NaN;
      asks += bestAsk ?? NaN;
      position += positionOf(hour);
    }
    const count = this.hours.length;
    return { role: "base", bestBid: mean(bids, count), bestAsk: mean(asks, count), position: position / count };
  }
}

function baseOf(contract: TradedContract, contracts: Contracts): TradedContract | undefined {
  if (contract.type !== "hour") return undefined;
  return contracts.matching((other) => other.type === "base" && isWithin(contract, other))[0];
}

function isWithin(hour: TradedContract, base: TradedContract): boolean {
  return hour.node === base.node && hour.marketId === base.marketId && hour.deliveryStart >= base.deliveryStart &&
    hour.deliveryEnd <= base.deliveryEnd;
}

function mean(sum: number, count: number): number | null {
  return Number.isNaN(sum) ? null : sum / count;
}
