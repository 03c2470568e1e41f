// How many kW two parties may still trade, from their documents, limits and usage.
//
// Two parties may trade a contract if each has documents in place for the other, each has a limit for the other that
// covers the contract, and every limit that covers it has credit left. A limit that is 0, used up, or lowered below its
// usage blocks all trades, even those at a price of 0, which use no notional.
//
// For each pair and contract the result of these checks is cached until `invalidate` is called for the pair, and so is what the
// pair has in total. Both directions share one usage, so only the lower capacity of the two sides is kept.
//
// Cost: `of` O(1) and without allocation while sums stay below 2^53, `invalidate` O(contracts). Memory O(parties^2) for
// each contract with which `of` was called.

import { EXHAUSTED, PairCapacity } from "./credit-capacity.ts";
import type { Limit } from "./credit-limit.ts";
import type { CreditTerms } from "./credit-terms.ts";
import type { AvailableCredit } from "./matching.ts";
import {
  type CreditContract,
  type CreditUsage,
  type ListedContract,
  pairCountOf,
  pairOf,
  type PairUsage,
} from "./credit-usage.ts";

const UNKNOWN = 0;
/** The pair may not trade the contract at any price. */
const BLOCKED = 1;
/** Only limits on all contracts in total apply. */
const TOTAL_LIMITS = 2;
/** Limits on the contract apply, and total limits, if there are any. */
const CONTRACT_LIMITS = 3;
// What two parties have granted each other, as bits.
const KNOWN_RELATION = 1;
/** Documents of both are in place. */
const DOCUMENTS = 2;
/** Each has a limit on all contracts in total. */
const TOTALS = 4;
/** One of them has a limit on a single contract. */
const SINGLE = 8;

type Eligibility = typeof UNKNOWN | typeof BLOCKED | typeof TOTAL_LIMITS | typeof CONTRACT_LIMITS;

interface CachedContract {
  /** An Eligibility by pair. */
  readonly eligibility: Uint8Array;
  readonly usage: PairUsage;
  /** Null while no pair has a limit on this contract. */
  capacity: PairCapacity | null;
  /** `of` for this contract. */
  readonly available: AvailableCredit;
}

export class AvailableCreditCache {
  readonly #terms: CreditTerms;
  readonly #usage: CreditUsage;
  readonly #totalUsage: PairUsage;
  readonly #pairCount: number;
  readonly #totalCapacity: PairCapacity;
  /** By pair; 0: not known. */
  readonly #relations: Uint8Array;
  /** By key. */
  readonly #contracts: (CachedContract | undefined)[] = [];

  constructor(terms: CreditTerms, usage: CreditUsage) {
    this.#terms = terms;
    this.#usage = usage;
    this.#totalUsage = usage.total;
    this.#pairCount = pairCountOf(terms.partyCount);
    this.#totalCapacity = new PairCapacity(this.#pairCount);
    this.#relations = new Uint8Array(this.#pairCount);
  }

  haveDocuments(party: number, counterparty: number): boolean {
    return (this.#relationOf(party, counterparty, pairOf(party, counterparty)) & DOCUMENTS) !== 0;
  }

  /** Whether two parties may trade one lot at the contract's least price: `of` is at least the lot. */
  allowsLot(party: number, counterparty: number, contract: ListedContract): boolean {
    const pair = pairOf(party, counterparty);
    const relation = this.#relationOf(party, counterparty, pair);
    if ((relation & SINGLE) !== 0) return this.of(party, counterparty, contract, contract.leastPrice) >= contract.lot;
    return relation === (KNOWN_RELATION | DOCUMENTS | TOTALS) && this.#totalsAllowLot(pair, contract);
  }

  /** The same, in O(limits of the pair) and without memory for a contract that no limit of the pair names. */
  wouldAllowLot(party: number, counterparty: number, contract: ListedContract): boolean {
    const { key } = contract;
    if (this.#contracts[key] !== undefined || this.#isNamed(party, counterparty, key)) {
      return this.allowsLot(party, counterparty, contract);
    }
    const pair = pairOf(party, counterparty);
    const relation = this.#relationOf(party, counterparty, pair);
    return (relation & DOCUMENTS) !== 0 && (relation & TOTALS) !== 0 && this.#totalsAllowLot(pair, contract);
  }

  /** kW at a price in cents/MWh, not yet rounded to the lot; at most 2^53 - 1. */
  of(party: number, counterparty: number, contract: CreditContract, price: number): number {
    const { key, minutes } = contract;
    return this.#of(party, counterparty, key, minutes, this.#contracts[key] ?? this.#open(contract), price);
  }

  /** `of` for one contract: always the same function, so a match makes none. */
  in(contract: CreditContract): AvailableCredit {
    return (this.#contracts[contract.key] ?? this.#open(contract)).available;
  }

  #of(
    party: number,
    counterparty: number,
    key: number,
    minutes: number,
    contract: CachedContract,
    price: number,
  ): number {
    const pair = pairOf(party, counterparty);
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
    this.#relations[pair] = 0;
    for (const contract of this.#contracts) if (contract !== undefined) contract.eligibility[pair] = UNKNOWN;
  }

  /** Frees a key for another contract. Must follow the `close` of the usage. */
  close(key: number): void {
    this.#contracts[key] = undefined;
  }

  #open({ key, minutes }: CreditContract): CachedContract {
    const contract: CachedContract = {
      eligibility: new Uint8Array(this.#pairCount),
      usage: this.#usage.ofContract(key),
      capacity: null,
      available: (party, counterparty, price) => this.#of(party, counterparty, key, minutes, contract, price),
    };
    return this.#contracts[key] = contract;
  }

  #totalsAllowLot(pair: number, { minutes, lot, leastPrice }: ListedContract): boolean {
    return this.#totalCapacity.available(pair, this.#totalUsage, minutes, leastPrice) >= lot;
  }

  #isNamed(party: number, counterparty: number, key: number): boolean {
    return hasLimitOn(this.#terms.of(party, counterparty).limits, key) ||
      hasLimitOn(this.#terms.of(counterparty, party).limits, key);
  }

  /** A pair's bits; sets its total capacity if they were not known. */
  #relationOf(party: number, counterparty: number, pair: number): number {
    const known = this.#relations[pair];
    if (known !== undefined && known !== 0) return known;
    const own = this.#terms.of(party, counterparty);
    const other = this.#terms.of(counterparty, party);
    const hasDocuments = own.documentation === "docs_in_place" && other.documentation === "docs_in_place";
    const hasTotals = hasLimitOn(own.limits, null) && hasLimitOn(other.limits, null);
    this.#totalCapacity.setLowest(pair, null, own.limits, other.limits);
    const hasSingle = namesContract(own.limits) || namesContract(other.limits);
    const relation = KNOWN_RELATION | (hasDocuments ? DOCUMENTS : 0) | (hasTotals ? TOTALS : 0) |
      (hasSingle ? SINGLE : 0);
    this.#relations[pair] = relation;
    return relation;
  }

  /** Works out the eligibility of a pair for a contract, and sets the capacity of the limits on it. */
  #refresh(party: number, counterparty: number, key: number, contract: CachedContract): Eligibility {
    if (party === counterparty) return BLOCKED;
    const pair = pairOf(party, counterparty);
    if ((this.#relationOf(party, counterparty, pair) & DOCUMENTS) === 0) return BLOCKED;
    const own = this.#terms.of(party, counterparty);
    const other = this.#terms.of(counterparty, party);
    const hasOwn = hasLimitOn(own.limits, key);
    const hasOther = hasLimitOn(other.limits, key);
    if (!(hasOwn || hasLimitOn(own.limits, null)) || !(hasOther || hasLimitOn(other.limits, null))) return BLOCKED;
    if (!hasOwn && !hasOther) return TOTAL_LIMITS;
    contract.capacity ??= new PairCapacity(this.#pairCount);
    contract.capacity.setLowest(pair, key, own.limits, other.limits);
    return CONTRACT_LIMITS;
  }
}

function hasLimitOn(limits: readonly Limit[], scope: number | null): boolean {
  for (const { contract } of limits) if (contract === scope) return true;
  return false;
}

function namesContract(limits: readonly Limit[]): boolean {
  for (const { contract } of limits) if (contract !== null) return true;
  return false;
}
