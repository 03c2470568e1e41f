// A mandate without assignments: the trader may buy and sell up to a normal order, as its strategy decides. Market
// makers, trend followers, generators and retailers trade by it. The trader's own valuation of a contract is the
// forecast, off by a share that is drawn anew each round.

import type { SeededRandom } from "../random/seeded-random.ts";
import { roundOf } from "./assignments.ts";
import type { TradedContract } from "./traded-contract.ts";
import { type Mandate, scaleOf, type Situation, type Terms } from "./mandate.ts";

interface DiscretionaryMandateOptions {
  readonly random: SeededRandom;
  /** Standard deviation of valuations, as a share of the forecast. */
  readonly disagreement: number;
  /** Lots of a normal order. */
  readonly lots: number;
}

interface Opinion {
  round: number;
  /** Deviation from the forecast, as a share of it. */
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
