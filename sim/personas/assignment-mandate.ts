// A mandate by assignments, as in the experiments of Smith (1962): each round it instructs the trader to buy or sell a
// quantity of each contract, with a limit price drawn around the forecast. Limits of buyers and sellers come from the
// same distribution, so supply and demand meet at the forecast, and about half of all assignments can trade.
//
// The larger the position, the likelier is an assignment to reduce it. Otherwise traders would reach their position
// limits and stay there.

import { BUY, SELL } from "../market/order-book.ts";
import type { SeededRandom } from "../random/seeded-random.ts";
import { type Assignment, type Assignments, roundOf } from "./assignments.ts";
import type { TradedContract } from "./traded-contract.ts";
import { type Mandate, scaleOf, type Situation, type Terms } from "./mandate.ts";

interface AssignmentMandateOptions {
  readonly random: SeededRandom;
  readonly assignments: Assignments;
  /** Standard deviation of limit prices, as a share of the forecast. */
  readonly disagreement: number;
  /** The quantity of an assignment is drawn from 1 to this many lots. */
  readonly mostLots: number;
  /** kW. At this position every assignment reduces the position. */
  readonly fullPosition: number;
}

export class AssignmentMandate implements Mandate {
  /** By the contract's index. */
  readonly #current = new Map<number, Assignment>();

  constructor(private readonly options: AssignmentMandateOptions) {}

  review(contract: TradedContract, situation: Situation, terms: Terms): void {
    let assignment = this.#current.get(contract.index);
    if (assignment === undefined || assignment.round !== roundOf(situation.time)) {
      this.#current.set(contract.index, assignment = this.#draw(contract, situation));
    }
    const { side, limitPrice, remaining } = assignment;
    terms.limitPrice = limitPrice;
    terms.value = situation.forecast;
    terms.buyQuantity = side === BUY ? remaining : 0;
    terms.sellQuantity = side === SELL ? remaining : 0;
    terms.assignment = assignment;
  }

  forget(contract: TradedContract): void {
    this.#current.delete(contract.index);
  }

  #draw(contract: TradedContract, { time, forecast, position }: Situation): Assignment {
    const { random, assignments, disagreement, mostLots, fullPosition } = this.options;
    const side = random.next() < 0.5 - position / fullPosition / 2 ? BUY : SELL;
    const limitPrice = Math.round(forecast + scaleOf(forecast) * disagreement * random.normal());
    return assignments.issue(contract, time, side, limitPrice, random.integer(1, mostLots) * contract.lot);
  }
}
