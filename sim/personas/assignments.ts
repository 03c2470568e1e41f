// Parent orders of traders with a limit price, and the allocative efficiency of the trading between them.
//
// An assignment is an instruction to buy or sell a quantity of one contract within a limit price. It lives for at most
// `MAX_LIFE_MS`; the untraded rest lapses.
//
// Allocative efficiency (Smith 1962; Gode & Sunder 1993) is realised surplus over the greatest possible surplus. Assignments
// overlap in time, so the greatest possible surplus of all of them together is no simple sum. They are therefore judged in
// rounds: those issued for one contract in the same half hour. A trade between two assignments of a round realises the
// buyer's limit less the seller's limit. The greatest possible surplus pairs the highest buyers with the lowest sellers of
// the round. A quantity traded with anybody else counts in neither sum. So efficiency is at most 100 percent. A round counts
// once all of its assignments have ended.
//
// Cost: O(1) for each assignment and trade, and one sort for each contract and round. Rounds are forgotten once they count.

import { BUY, SELL, type Side } from "../../engine/market/order-book.ts";
import type { TradedContract } from "./traded-contract.ts";

export const ROUND_MS = 30 * 60_000;
export const MAX_LIFE_MS = 4 * ROUND_MS;

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
  /** kW traded with anybody outside of its round. */
  unjudged: number;
}

interface ContractRound {
  readonly contract: TradedContract;
  readonly assignments: Assignment[];
  realised: number;
}

export function roundOf(time: number): number {
  return Math.floor(time / ROUND_MS);
}

/** Whether all assignments of a round have ended. */
function isOver(round: number, time: number): boolean {
  return (round + 1) * ROUND_MS + MAX_LIFE_MS <= time;
}

export class Assignments {
  /** By round, oldest first, then by the contract's index. */
  readonly #rounds = new Map<number, Map<number, ContractRound>>();
  /** Sums over forgotten rounds, in cents/MWh x kW x min. */
  #realised = 0;
  #possible = 0;

  issue(contract: TradedContract, time: number, side: Side, limitPrice: number, quantity: number): Assignment {
    const round = roundOf(time);
    const assignment = { contract, round, side, limitPrice, quantity, remaining: quantity, unjudged: 0 };
    let contracts = this.#rounds.get(round);
    if (contracts === undefined) {
      this.#countOver(time);
      this.#rounds.set(round, contracts = new Map());
    }
    const judged = contracts.get(contract.index);
    if (judged !== undefined) judged.assignments.push(assignment);
    else contracts.set(contract.index, { contract, assignments: [assignment], realised: 0 });
    return assignment;
  }

  /** Records a trade of `quantity` kW. An assignment is null if that order has no limit. */
  traded(buyer: Assignment | null, seller: Assignment | null, quantity: number): void {
    const round = buyer?.round === seller?.round ? buyer?.round : undefined;
    const judged = round === undefined ? undefined : this.#rounds.get(round)?.get(buyer?.contract.index ?? -1);
    if (judged !== undefined && buyer !== null && seller !== null) {
      judged.realised += (buyer.limitPrice - seller.limitPrice) * quantity;
      return;
    }
    if (buyer !== null) buyer.unjudged += quantity;
    if (seller !== null) seller.unjudged += quantity;
  }

  /** Percent; null before a round with a possible surplus is over. */
  efficiency(time: number): number | null {
    let realised = this.#realised;
    let possible = this.#possible;
    for (const [round, contracts] of this.#rounds) {
      if (!isOver(round, time)) continue;
      for (const judged of contracts.values()) {
        realised += judged.realised * judged.contract.minutes;
        possible += greatestSurplus(judged.assignments) * judged.contract.minutes;
      }
    }
    return possible === 0 ? null : 100 * realised / possible;
  }

  /** Adds the rounds that are over to the sums, and forgets them. */
  #countOver(time: number): void {
    for (const [round, contracts] of this.#rounds) {
      if (!isOver(round, time)) return;
      this.#rounds.delete(round);
      for (const { contract: { minutes }, assignments, realised } of contracts.values()) {
        this.#realised += realised * minutes;
        this.#possible += greatestSurplus(assignments) * minutes;
      }
    }
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
