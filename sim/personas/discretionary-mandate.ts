// A mandate without assignments: at each wake-up the trader picks one contract, in which it may buy and sell up to a normal
// order as its strategy decides. Trend followers, generators, retailers and arbitrageurs trade by it. The trader's own
// forecast is its valuation.

import type { SeededRandom } from "../random/seeded-random.ts";
import type { LiquidityProfile } from "./liquidity-profile.ts";
import type { Mandate, Situation, Terms } from "./mandate.ts";
import type { TradedContract } from "./traded-contract.ts";

interface DiscretionaryMandateOptions {
  readonly random: SeededRandom;
  readonly profile: LiquidityProfile;
  /** Lots of a normal order. */
  readonly lots: number;
}

export class DiscretionaryMandate implements Mandate {
  #hasPicked = false;

  constructor(private readonly options: DiscretionaryMandateOptions) {}

  wake(): void {
    this.#hasPicked = false;
  }

  next(time: number): TradedContract | null {
    if (this.#hasPicked) return null;
    this.#hasPicked = true;
    return this.options.profile.pick(time, this.options.random);
  }

  review(contract: TradedContract, { forecast }: Situation, terms: Terms): void {
    terms.limitPrice = forecast;
    terms.value = forecast;
    terms.buyQuantity = this.options.lots * contract.lot;
    terms.sellQuantity = terms.buyQuantity;
    terms.assignment = null;
  }

  forget(): void {}
}
