// Assignments of traders with a limit price, and the allocative efficiency of the trading between them.
//
// An assignment is an instruction to buy or sell a quantity of one contract within a limit price, for one round. A
// round is half an hour of simulated time. The untraded rest lapses at the end of the round.
//
// Allocative efficiency (Smith 1962; Gode & Sunder 1993) is realised surplus over the greatest possible surplus, summed
// over contracts and rounds that have ended. A trade between two assignments realises the buyer's limit less the
// seller's limit. The greatest possible surplus pairs the highest buyers with the lowest sellers of the same contract
// and round. A quantity traded with a counterparty without a limit counts in neither sum. An order that outlives its
// round counts as an order without a limit. So efficiency is at most 100 percent.
//
// Cost: O(1) for each assignment and trade, and one sort for each contract and round. Only the current round is kept,
// and the last round of each contract until any contract starts a new one.

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
  /** kW not traded yet. */
  remaining: number;
  /** kW traded with a counterparty without a limit. */
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
  /** The latest round of each contract, by the contract's index. */
  readonly #rounds = new Map<number, Round>();
  #latestRound = -Infinity;
  /** Sums over ended rounds, in cents/MWh x kW x min. */
  #realised = 0;
  #possible = 0;

  issue(contract: TradedContract, time: number, side: Side, limitPrice: number, quantity: number): Assignment {
    const number = roundOf(time);
    const assignment = { contract, round: number, side, limitPrice, quantity, remaining: quantity, unjudged: 0 };
    this.#roundAt(contract, number).assignments.push(assignment);
    return assignment;
  }

  /** Records a trade of `quantity` kW. An assignment is null if that order has no limit. */
  traded(time: number, buy: Assignment | null, sell: Assignment | null, quantity: number): void {
    const round = roundOf(time);
    const buyer = buy?.round === round ? buy : null;
    const seller = sell?.round === round ? sell : null;
    if (buyer !== null && seller !== null) {
      this.#roundAt(buyer.contract, round).realised += (buyer.limitPrice - seller.limitPrice) * quantity;
    } else if (buyer !== null) buyer.unjudged += quantity;
    else if (seller !== null) seller.unjudged += quantity;
  }

  /** Percent; null before the first round with a possible surplus has ended. */
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

  /** Adds all rounds before `number` to the sums, including those of contracts without new assignments. */
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

/** Greatest surplus of any pairing of buyers and sellers, in cents/MWh x kW. */
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
