// How many kW two parties may still trade, from their documents, limits and usage.
//
// Two parties may trade a contract if each has documents in place for the other, each has a limit for the other that
// covers the contract, and every limit that covers it has credit left. A limit that is 0, used up, or lowered below its
// usage blocks all trades, even those at a price of 0, which use no notional.
//
// For each pair and contract the result of these checks is cached until `invalidate` is called for the pair. Both directions
// share one usage, so only the lower capacity of the two sides is kept.
//
// Cost: `of` O(1) and without allocation while sums stay below 2^53, `invalidate` O(contracts). Memory O(parties^2) for
// each contract with which `of` was called.

import { EXHAUSTED, PairCapacity } from "./credit-capacity.ts";
import type { CreditTerms } from "./credit-terms.ts";
import { type CreditContract, type CreditUsage, pairCountOf, pairOf, type PairUsage } from "./credit-usage.ts";

const UNKNOWN = 0;
/** The pair may not trade the contract at any price. */
const BLOCKED = 1;
/** Only limits on all contracts in total apply. */
const TOTAL_LIMITS = 2;
/** Limits on the contract apply, and total limits, if there are any. */
const CONTRACT_LIMITS = 3;
type Eligibility = typeof UNKNOWN | typeof BLOCKED | typeof TOTAL_LIMITS | typeof CONTRACT_LIMITS;

interface CachedContract {
  /** An Eligibility by pair. */
  readonly eligibility: Uint8Array;
  readonly usage: PairUsage;
  /** Null while no pair has a limit on this contract. */
  capacity: PairCapacity | null;
}

export class AvailableCreditCache {
  readonly #terms: CreditTerms;
  readonly #usage: CreditUsage;
  readonly #totalUsage: PairUsage;
  readonly #pairCount: number;
  readonly #totalCapacity: PairCapacity;
  /** By key. */
  readonly #contracts: (CachedContract | undefined)[] = [];

  constructor(terms: CreditTerms, usage: CreditUsage) {
    this.#terms = terms;
    this.#usage = usage;
    this.#totalUsage = usage.total;
    this.#pairCount = pairCountOf(terms.partyCount);
    this.#totalCapacity = new PairCapacity(this.#pairCount);
  }

  /** kW at a price in cents/MWh, not yet rounded to the lot; at most 2^53 - 1. */
  of(party: number, counterparty: number, { key, minutes }: CreditContract, price: number): number {
    const pair = pairOf(party, counterparty);
    const contract = this.#contracts[key] ?? this.#open(key);
    let eligibility = contract.eligibility[pair];
    if (eligibility === BLOCKED) return 0;
    if (eligibility === UNKNOWN || eligibility === undefined) {
      eligibility = this.#refresh(party, counterparty, key, contract);
      contract.eligibility[pair] = eligibility;
      if (eligibility === BLOCKED) return 0;
    }
    let available = this.#totalCapacity.available(pair, this.#totalUsage, minutes, price);
    if (eligibility === CONTRACT_LIMITS && contract.capacity !== null) {
      available = Math.min(available, contract.capacity.available(pair, contract.usage, minutes, price));
    }
    if (available !== EXHAUSTED) return available;
    contract.eligibility[pair] = BLOCKED;
    return 0;
  }

  /** Must follow every change of a pair's documents or limits, and every decrease of its usage. */
  invalidate(pair: number): void {
    for (const contract of this.#contracts) if (contract !== undefined) contract.eligibility[pair] = UNKNOWN;
  }

  /** Frees a key for another contract. Must follow the `close` of the usage. */
  close(key: number): void {
    this.#contracts[key] = undefined;
  }

  #open(key: number): CachedContract {
    const eligibility = new Uint8Array(this.#pairCount);
    return this.#contracts[key] = { eligibility, usage: this.#usage.ofContract(key), capacity: null };
  }

  /** Works out the eligibility of a pair, and sets the capacities that go with it. */
  #refresh(party: number, counterparty: number, key: number, contract: CachedContract): Eligibility {
    if (party === counterparty) return BLOCKED;
    const sides = [this.#terms.of(party, counterparty), this.#terms.of(counterparty, party)];
    const mayTrade = sides.every(({ documentation, limits }) =>
      documentation === "docs_in_place" && limits.some((limit) => limit.contract === null || limit.contract === key)
    );
    if (!mayTrade) return BLOCKED;
    const pair = pairOf(party, counterparty);
    const limits = sides.flatMap((side) => side.limits);
    this.#totalCapacity.setLowest(pair, limits.filter((limit) => limit.contract === null));
    const onContract = limits.filter((limit) => limit.contract === key);
    if (onContract.length === 0) return TOTAL_LIMITS;
    contract.capacity ??= new PairCapacity(this.#pairCount);
    contract.capacity.setLowest(pair, onContract);
    return CONTRACT_LIMITS;
  }
}
