// Traders who buy and sell as their strategy sees fit: market makers, followers of trends, owners of plants and of loads.
// Each has an opinion of what a contract is worth: the forecast, off by a share that is drawn anew each round.

import type { SeededRandom } from "../random/seeded-random.ts";
import { roundOf } from "./assignments.ts";
import type { TradedContract } from "./traded-contract.ts";
import { type Mandate, scaleOf, type Situation, type Terms } from "./mandate.ts";

interface DiscretionaryMandateOptions {
  readonly random: SeededRandom;
  /** Standard deviation of opinions, as a share of the forecast. */
  readonly disagreement: number;
  /** Of an order. */
  readonly lots: number;
}

interface Opinion {
  round: number;
  /** As a share of the forecast. */
  off: number;
}

export class DiscretionaryMandate implements Mandate {
  readonly #options: DiscretionaryMandateOptions;
  /** By the contract's index. */
  readonly #opinions = new Map<number, Opinion>();

  constructor(options: DiscretionaryMandateOptions) {
    this.#options = options;
  }

  review(contract: TradedContract, { time, forecast }: Situation, terms: Terms): void {
    const value = forecast + scaleOf(forecast) * this.#opinionOf(contract, roundOf(time)).off;
    terms.limitPrice = value;
    terms.value = value;
    terms.buyQuantity = this.#options.lots * contract.lot;
    terms.sellQuantity = terms.buyQuantity;
    terms.assignment = null;
  }

  forget(contract: TradedContract): void {
    this.#opinions.delete(contract.index);
  }

  #opinionOf(contract: TradedContract, round: number): Opinion {
    let opinion = this.#opinions.get(contract.index);
    if (opinion === undefined) this.#opinions.set(contract.index, opinion = { round: NaN, off: 0 });
    if (opinion.round !== round) {
      opinion.round = round;
      opinion.off = this.#options.disagreement * this.#options.random.normal();
    }
    return opinion;
  }
}
