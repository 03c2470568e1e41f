// The mandate of a trader with an asset of the experiment's own: at each wake-up it goes through all traded contracts at the
// asset's node, nearest delivery first, in which it may buy and sell up to the asset's size. Its own forecast is its valuation.

import type { LiquidityProfile } from "./liquidity-profile.ts";
import { type Mandate, type Situation, type Terms, usualHalfSpread } from "./mandate.ts";
import type { OwnAsset } from "./physical/own-asset.ts";
import type { TradedContract } from "./traded-contract.ts";

interface AssetMandateOptions {
  readonly profile: LiquidityProfile;
  readonly asset: OwnAsset;
  /** Half a normal spread of a day's base, as a share of the price. */
  readonly halfSpread: number;
}

/** An order closer than this to the wanted price stays, in half spreads. */
const TOLERANCE = 0.25;

export class AssetMandate implements Mandate {
  #waiting: TradedContract[] = [];

  constructor(private readonly options: AssetMandateOptions) {}

  /** Contracts that the last wake-up has not reached come first. */
  wake(time: number): void {
    if (this.#waiting.length > 0) return;
    const { profile, asset } = this.options;
    this.#waiting = profile.at(time).filter(({ node }) => node === asset.node).reverse();
  }

  next(time: number): TradedContract | null {
    for (let contract = this.#waiting.pop(); contract !== undefined; contract = this.#waiting.pop()) {
      if (this.options.profile.isTraded(contract, time)) return contract;
    }
    return null;
  }

  review(contract: TradedContract, { forecast }: Situation, terms: Terms): void {
    terms.limitPrice = terms.value = forecast;
    terms.buyQuantity = terms.sellQuantity = this.options.asset.size;
    terms.assignment = null;
    terms.tolerance = TOLERANCE * usualHalfSpread(contract, this.options.halfSpread, forecast);
  }

  forget(): void {}
}
