// What the open trades of each pair of parties use of their credit, in total and by contract. A pair has one usage for
// both directions: the gross of its trades.
//
// Cost: adding a trade O(1), without allocation while sums stay below 2^53. Memory O(parties^2) for each contract.

import { type ExactInteger, negativeOf, sumOf } from "./exact-integer.ts";
import { ExactSums } from "./exact-sums.ts";
import { invariant } from "./invariant.ts";
import { energyOf, notionalOf } from "./units.ts";

/** The measures of a trade, as offsets into the sums of a pair. */
export const QUANTITY = 0;
export const ENERGY = 1;
export const NOTIONAL = 2;
export type Measure = typeof QUANTITY | typeof ENERGY | typeof NOTIONAL;
export const MEASURES: readonly Measure[] = [QUANTITY, ENERGY, NOTIONAL];

export interface Usage {
  /** kW. */
  readonly quantity: ExactInteger;
  /** kW x min. */
  readonly energy: ExactInteger;
  /** Cents/MWh x kW x min, at face value. */
  readonly notional: ExactInteger;
}

/** A contract as the ledger knows it. */
export interface CreditContract {
  readonly key: number;
  /** Minutes of delivery. They never change while the key names this contract. */
  readonly minutes: number;
}

/** A contract that orders may be sent for. */
export interface ListedContract extends CreditContract {
  /** kW. */
  readonly lot: number;
  /** Cents/MWh: the allowed price nearest to 0, at which a trade uses the least credit. */
  readonly leastPrice: number;
}

/** The index of an unordered pair, the same for both directions. */
export function pairOf(party: number, counterparty: number): number {
  return party < counterparty ? counterparty * (counterparty + 1) / 2 + party : party * (party + 1) / 2 + counterparty;
}

export function pairCountOf(partyCount: number): number {
  return pairOf(partyCount, 0);
}

/** Sums of trades, by pair. */
export class PairUsage {
  readonly #sums: ExactSums;

  constructor(pairCount: number) {
    this.#sums = new ExactSums(pairCount * MEASURES.length);
  }

  nearest(pair: number, measure: Measure): number {
    return this.#sums.nearest(pair * MEASURES.length + measure);
  }

  exact(pair: number, measure: Measure): ExactInteger {
    return this.#sums.exact(pair * MEASURES.length + measure);
  }

  of(pair: number): Usage {
    return {
      quantity: this.exact(pair, QUANTITY),
      energy: this.exact(pair, ENERGY),
      notional: this.exact(pair, NOTIONAL),
    };
  }

  /** Adds a trade of `quantity` kW at `price` cents/MWh. */
  add(pair: number, quantity: number, minutes: number, price: number): void {
    const energy = quantity * minutes;
    const notional = Math.abs(price) * energy;
    if (!(energy <= Number.MAX_SAFE_INTEGER && notional <= Number.MAX_SAFE_INTEGER)) {
      return this.addSums(pair, usageOfTrade(quantity, minutes, price));
    }
    const first = pair * MEASURES.length;
    this.#sums.add(first + QUANTITY, quantity);
    this.#sums.add(first + ENERGY, energy);
    this.#sums.add(first + NOTIONAL, notional);
  }

  /** Adds the sums of any number of trades; a negative sum is subtracted. */
  addSums(pair: number, { quantity, energy, notional }: Usage): void {
    this.#change(pair, QUANTITY, quantity);
    this.#change(pair, ENERGY, energy);
    this.#change(pair, NOTIONAL, notional);
  }

  #change(pair: number, measure: Measure, amount: ExactInteger): void {
    this.#sums.set(pair * MEASURES.length + measure, sumOf(this.exact(pair, measure), amount));
  }
}

/** Every change is made to the total and to the contract. */
export class CreditUsage {
  readonly total: PairUsage;
  readonly #pairCount: number;
  /** By key; undefined before the first use. */
  readonly #byContract: (PairUsage | undefined)[] = [];

  constructor(readonly partyCount: number) {
    this.#pairCount = pairCountOf(partyCount);
    this.total = new PairUsage(this.#pairCount);
  }

  ofContract(key: number): PairUsage {
    return this.#byContract[key] ??= new PairUsage(this.#pairCount);
  }

  add(party: number, counterparty: number, { key, minutes }: CreditContract, price: number, quantity: number): void {
    const pair = this.#checkedPair(party, counterparty);
    this.total.add(pair, quantity, minutes, price);
    this.ofContract(key).add(pair, quantity, minutes, price);
  }

  addSums(party: number, counterparty: number, key: number, sums: Usage): void {
    const pair = this.#checkedPair(party, counterparty);
    this.total.addSums(pair, sums);
    this.ofContract(key).addSums(pair, sums);
  }

  /** The usage of each pair with open trades of a contract, the lower party first. */
  *pairsOf(key: number): Generator<{ party: number; counterparty: number; usage: Usage }, void, undefined> {
    const usage = this.#byContract[key];
    if (usage === undefined) return;
    for (let party = 0; party < this.partyCount; party++) {
      for (let counterparty = party; counterparty < this.partyCount; counterparty++) {
        const pair = pairOf(party, counterparty);
        if (usage.nearest(pair, QUANTITY) !== 0) yield { party, counterparty, usage: usage.of(pair) };
      }
    }
  }

  /** The notional of a party's open trades of a contract, with all counterparties. Cost: O(parties). */
  notionalOf(party: number, key: number): ExactInteger {
    const usage = this.#byContract[key];
    let sum: ExactInteger = 0;
    if (usage === undefined) return sum;
    for (let counterparty = 0; counterparty < this.partyCount; counterparty++) {
      const pair = pairOf(party, counterparty);
      if (usage.nearest(pair, NOTIONAL) !== 0) sum = sumOf(sum, usage.exact(pair, NOTIONAL));
    }
    return sum;
  }

  /** Frees a key for another contract. No open trade may use the key. */
  close(key: number): void {
    invariant(this.pairsOf(key).next().done === true, `no open trade uses credit of contract ${key}`);
    this.#byContract[key] = undefined;
  }

  #checkedPair(party: number, counterparty: number): number {
    const pair = pairOf(party, counterparty);
    if (!(pair < this.#pairCount)) throw new RangeError(`no parties ${party} and ${counterparty}`);
    return pair;
  }
}

export function usageOfTrade(quantity: number, minutes: number, price: number): Usage {
  const energy = energyOf(quantity, minutes);
  return { quantity, energy, notional: notionalOf(price, energy) };
}

export function negated({ quantity, energy, notional }: Usage): Usage {
  return { quantity: negativeOf(quantity), energy: negativeOf(energy), notional: negativeOf(notional) };
}
