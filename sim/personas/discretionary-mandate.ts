// A mandate without assignments: at each wake-up the trader picks one contract, in which it may buy and sell up to some
// quantity as its strategy decides. The quantity has a heavy tail and is drawn anew now and then. Trend followers, generators,
// retailers and arbitrageurs trade by it. The trader's own forecast is its valuation.

import type { SeededRandom } from "../random/seeded-random.ts";
import type { LiquidityProfile } from "./liquidity-profile.ts";
import type { Mandate, Situation, Terms } from "./mandate.ts";
import type { TradedContract } from "./traded-contract.ts";

interface DiscretionaryMandateOptions {
  readonly random: SeededRandom;
  readonly profile: LiquidityProfile;
  /** The smallest quantity and the largest one, lots. */
  readonly leastLots: number;
  readonly mostLots: number;
}

/** Exponent of the Pareto distribution of quantities. */
const TAIL_EXPONENT = 1.5;
const CHANCE_OF_ANOTHER = 0.3;

export class DiscretionaryMandate implements Mandate {
  #hasPicked = false;
  #quantity = NaN;

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
    terms.buyQuantity = this.#lots() * contract.lot;
    terms.sellQuantity = terms.buyQuantity;
    terms.assignment = null;
  }

  forget(): void {}

  #lots(): number {
    const { random, leastLots, mostLots } = this.options;
    if (Number.isNaN(this.#quantity) || random.next() < CHANCE_OF_ANOTHER) {
      this.#quantity = Math.min(mostLots, Math.floor(leastLots * (1 - random.next()) ** (-1 / TAIL_EXPONENT)));
    }
    return this.#quantity;
  }
}
