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

interface Valuation {
  round: number;
  /** Deviation from the forecast, as a share of it. */
  deviation: number;
}

export class DiscretionaryMandate implements Mandate {
  /** By the contract's index. */
  readonly #valuations = new Map<number, Valuation>();

  constructor(private readonly options: DiscretionaryMandateOptions) {}

  review(contract: TradedContract, { time, forecast }: Situation, terms: Terms): void {
    const value = forecast + scaleOf(forecast) * this.#valuationOf(contract, roundOf(time)).deviation;
    terms.limitPrice = value;
    terms.value = value;
    terms.buyQuantity = this.options.lots * contract.lot;
    terms.sellQuantity = terms.buyQuantity;
    terms.assignment = null;
  }

  forget(contract: TradedContract): void {
    this.#valuations.delete(contract.index);
  }

  #valuationOf(contract: TradedContract, round: number): Valuation {
    let valuation = this.#valuations.get(contract.index);
    if (valuation === undefined) this.#valuations.set(contract.index, valuation = { round: NaN, deviation: 0 });
    if (valuation.round !== round) {
      valuation.round = round;
      valuation.deviation = this.options.disagreement * this.options.random.normal();
    }
    return valuation;
  }
}
