// Which pairs of parties may trade at least one lot of a listed contract, at the price that uses the least credit.
//
// For each pair the contract that was found last is remembered. Until it is unlisted or used up, the pair may trade; only then
// the others are searched, newest first, because the newest is usually listed longest. A pair for which none was found may
// not trade until its documents, limits or usage change, or a contract is listed.
//
// Cost: `mayTrade` O(1) as long as the contract found last allows a lot, else O(listed contracts); listing or unlisting a
// contract O(pairs), with one comparison for each. Memory O(pairs).

import type { AvailableCreditCache } from "./available-credit.ts";
import { type ListedContract, pairCountOf, pairOf } from "./credit-usage.ts";

/** It must be searched which contract the pair may trade. */
const UNKNOWN = -1;
/** The pair may trade no listed contract. */
const NONE = -2;

export class TradablePairs {
  readonly #available: AvailableCreditCache;
  readonly #partyCount: number;
  /** Newest first. */
  #listed: readonly ListedContract[] = [];
  readonly #byKey: (ListedContract | undefined)[] = [];
  /** By pair: the key of the contract that was found last, or one of the above. */
  readonly #found: Int32Array;

  constructor(available: AvailableCreditCache, partyCount: number) {
    this.#available = available;
    this.#partyCount = partyCount;
    this.#found = new Int32Array(pairCountOf(partyCount)).fill(UNKNOWN);
  }

  /** Newest first. */
  get listed(): readonly ListedContract[] {
    return this.#listed;
  }

  list(contract: ListedContract): void {
    this.#listed = [contract, ...this.#listed];
    this.#byKey[contract.key] = contract;
    this.#replace(NONE);
  }

  /** Does nothing if the contract is not listed. */
  unlist(key: number): void {
    if (this.#byKey[key] === undefined) return;
    this.#listed = this.#listed.filter((contract) => contract.key !== key);
    this.#byKey[key] = undefined;
    this.#replace(key);
  }

  /** Must follow every change of a pair's documents or limits, and every decrease of its usage. */
  invalidate(pair: number): void {
    this.#found[pair] = UNKNOWN;
  }

  /** The pairs that a listed or unlisted contract may have changed and that `mayTrade` has not been asked about since. */
  *unknown(): Generator<[party: number, counterparty: number], void, undefined> {
    for (let party = 0; party < this.#partyCount; party++) {
      for (let counterparty = 0; counterparty < party; counterparty++) {
        if (this.#found[pairOf(party, counterparty)] === UNKNOWN) yield [party, counterparty];
      }
    }
  }

  mayTrade(party: number, counterparty: number): boolean {
    if (party === counterparty) return false;
    const pair = pairOf(party, counterparty);
    const found = this.#found[pair] ?? UNKNOWN;
    if (found === NONE) return false;
    const known = this.#byKey[found];
    if (known !== undefined && this.#available.allowsLot(party, counterparty, known)) return true;
    const next = this.#search(party, counterparty);
    this.#found[pair] = next;
    return next !== NONE;
  }

  #search(party: number, counterparty: number): number {
    if (!this.#available.haveDocuments(party, counterparty)) return NONE;
    for (const contract of this.#listed) {
      if (this.#available.wouldAllowLot(party, counterparty, contract)) return contract.key;
    }
    return NONE;
  }

  #replace(found: number): void {
    for (let pair = 0; pair < this.#found.length; pair++) if (this.#found[pair] === found) this.#found[pair] = UNKNOWN;
  }
}
