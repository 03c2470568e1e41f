// What traders with a limit price are told to trade, and how much of the possible gain from it the market realises.
//
// An assignment is a quantity to buy or sell of one contract with a limit price, for one round: half an hour of
// simulated time, by the clock. What is left when the round ends lapses; the next round brings a new one.
//
// Allocative efficiency (Smith 1962; Gode & Sunder 1993) is the surplus realised over the greatest possible one, summed
// over contracts and rounds. A trade between two assignments realises the buyer's limit less the seller's. The greatest
// possible is that of all assignments of the contract and round, best buyers with best sellers. What is traded with somebody
// who has no limit can't be judged, and leaves both sums; an order that outlives its round counts as having none. So
// efficiency is never above 100 percent. Only rounds that have ended count.
//
// Cost: O(1) for each assignment and trade, and a sort for each round of a contract. Kept is only the round under way, and
// rounds of others until the next begins.

import { BUY, SELL, type Side } from "../market/order-book.ts";
import type { TradedContract } from "./traded-contract.ts";

export const ROUND_MS = 30 * 60_000;

export interface Assignment {
  readonly contract: TradedContract;
  readonly round: number;
  readonly side: Side;
  /** cents/MWh. */
  readonly limitPrice: number;
  /** kW. */
  readonly quantity: number;
  /** kW not yet traded. */
  remaining: number;
  /** kW traded with somebody without a limit. */
  unjudged: number;
}

interface Round {
  readonly number: number;
  readonly assignments: Assignment[];
  realised: number;
}

export function roundOf(time: number): number {
  return Math.floor(time / ROUND_MS);
}

export class Assignments {
  /** The round under way, by the contract's index. */
  readonly #rounds = new Map<number, Round>();
  #latestRound = -Infinity;
  /** Both in cents/MWh x kW x min. */
  #realised = 0;
  #possible = 0;

  issue(contract: TradedContract, time: number, side: Side, limitPrice: number, quantity: number): Assignment {
    const number = roundOf(time);
    const assignment = { contract, round: number, side, limitPrice, quantity, remaining: quantity, unjudged: 0 };
    this.#roundAt(contract, number).assignments.push(assignment);
    return assignment;
  }

  /** Books a trade of `quantity` kW. Null for a side that trades without a limit. */
  traded(time: number, buy: Assignment | null, sell: Assignment | null, quantity: number): void {
    const round = roundOf(time);
    const buyer = buy?.round === round ? buy : null;
    const seller = sell?.round === round ? sell : null;
    if (buyer !== null && seller !== null) {
      this.#roundAt(buyer.contract, round).realised += (buyer.limitPrice - seller.limitPrice) * quantity;
    } else if (buyer !== null) buyer.unjudged += quantity;
    else if (seller !== null) seller.unjudged += quantity;
  }

  /** Percent; null before a round has ended in which there was something to gain. */
  efficiency(time: number): number | null {
    const round = roundOf(time);
    let realised = this.#realised;
    let possible = this.#possible;
    for (const [, open] of this.#rounds) {
      const contract = open.assignments[0]?.contract;
      if (open.number >= round || contract === undefined) continue;
      realised += open.realised * contract.minutes;
      possible += greatestSurplus(open.assignments) * contract.minutes;
    }
    return possible === 0 ? null : 100 * realised / possible;
  }

  #roundAt(contract: TradedContract, number: number): Round {
    if (number > this.#latestRound) this.#endRounds(number);
    const round = this.#rounds.get(contract.index);
    if (round !== undefined) return round;
    const next = { number, assignments: [], realised: 0 };
    this.#rounds.set(contract.index, next);
    return next;
  }

  /** Adds up what all rounds before this one have come to, also those of contracts that nobody turns to any more. */
  #endRounds(number: number): void {
    this.#latestRound = number;
    for (const { assignments, realised } of this.#rounds.values()) {
      const minutes = assignments[0]?.contract.minutes ?? 0;
      this.#realised += realised * minutes;
      this.#possible += greatestSurplus(assignments) * minutes;
    }
    this.#rounds.clear();
  }
}

/** The gains from the best pairing of buyers and sellers, in cents/MWh x kW. */
function greatestSurplus(assignments: readonly Assignment[]): number {
  const sideOf = (wanted: Side, sign: number) =>
    assignments.filter(({ side }) => side === wanted)
      .sort((a, b) => sign * (a.limitPrice - b.limitPrice))
      .map(({ limitPrice, quantity, unjudged }) => ({ limitPrice, left: quantity - unjudged }));
  const sellers = sideOf(SELL, 1);
  let surplus = 0;
  let at = 0;
  for (const buyer of sideOf(BUY, -1)) {
    for (let seller = sellers[at]; seller !== undefined && buyer.left > 0; seller = sellers[at]) {
      if (seller.limitPrice >= buyer.limitPrice) return surplus;
      const quantity = Math.min(buyer.left, seller.left);
      surplus += (buyer.limitPrice - seller.limitPrice) * quantity;
      buyer.left -= quantity;
      seller.left -= quantity;
      if (seller.left === 0) at += 1;
    }
  }
  return surplus;
}
