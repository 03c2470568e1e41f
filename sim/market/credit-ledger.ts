// Who may trade with whom, and how much: documents, credit limits and what open trades use of them (design section 8).
//
// Parties and contracts are numbered from 0. Limits and documents are directed, from the party that grants to its
// counterparty; usage is the gross of a pair's open trades and the same in both directions. Everything is exact: a limit
// becomes a capacity in whole units (kW, kW x min, cents/MWh x kW x min), rounded down once, and the margin is part of it.
//
// Two parties may trade where both have documents in place for each other, each has a limit for the other that covers
// the contract, and every limit that covers it leaves room. Where all of a limit is used, or more since it was lowered,
// or where it is 0, there is no room, not even for trades at a price of 0, which would use none.
//
// What `availableCredit` needs of documents and limits is worked out when it is first asked for, by pair and contract, and kept until
// they change: whether there is any room, whether limits of this contract alone apply, and, since a pair's usage is one
// for both, the least capacity of either side. That all is used is kept too, until a limit changes or trades are released.
//
// Cost: `availableCredit` and `addTrade` O(1), without allocation while sums stay below 2^53; a change of limits or documents O(contracts);
// releasing a contract O(pairs x contracts), closing one O(pairs). Memory O(parties^2) for each contract that was asked for.

import {
  isExhausted,
  type Limit,
  limitOf,
  type LimitTerms,
  type LimitType,
  type LimitUsage,
  limitUsageOf,
  type Usage,
} from "./credit-limit.ts";
import {
  ENERGY,
  EXHAUSTED,
  type Measure,
  MEASURES,
  NOTIONAL,
  PairCapacity,
  PairUsage,
  QUANTITY,
} from "./available-credit.ts";
import { energyOf, notionalOf } from "./units.ts";

export type DocumentationStatus = "docs_in_place" | "no_docs" | "pending";

/** A contract as the ledger knows it. */
export interface CreditContract {
  readonly key: number;
  /** Of delivery; the same for a key until it is closed. */
  readonly minutes: number;
}

interface Account {
  documentation: DocumentationStatus;
  limits: Limit[];
}

/** What is known of a pair and a contract. */
const UNKNOWN = 0;
/** No room at any price. */
const NO_CREDIT = 1;
/** Only total limits apply. */
const TOTAL_LIMITS = 2;
/** Limits of the contract apply, and total ones, if any. */
const CONTRACT_LIMITS = 3;
type Eligibility = typeof UNKNOWN | typeof NO_CREDIT | typeof TOTAL_LIMITS | typeof CONTRACT_LIMITS;

interface ContractCredit {
  /** By pair, a Eligibility. */
  readonly eligibility: Uint8Array;
  readonly usage: PairUsage;
  /** By limits of this contract; null while it has none. */
  capacity: PairCapacity | null;
}

const NOTHING: Usage = { quantity: 0n, energy: 0n, notional: 0n };
const MEASURE_OF: Readonly<Record<LimitType, Measure>> = { mw: QUANTITY, mwh: ENERGY, notional: NOTIONAL };

export class CreditLedger {
  readonly #accounts: Account[];
  readonly #pairCount: number;
  readonly #usage: PairUsage;
  readonly #capacity: PairCapacity;
  /** By key. */
  readonly #contracts: (ContractCredit | undefined)[] = [];

  constructor(readonly partyCount: number) {
    this.#accounts = Array.from({ length: partyCount ** 2 }, () => ({ documentation: "no_docs", limits: [] }));
    this.#pairCount = pairOf(partyCount, 0);
    this.#usage = new PairUsage(this.#pairCount);
    this.#capacity = new PairCapacity(this.#pairCount);
  }

  documentation(party: number, counterparty: number): DocumentationStatus {
    return this.#account(party, counterparty).documentation;
  }

  setDocumentation(party: number, counterparty: number, status: DocumentationStatus): void {
    this.#account(party, counterparty).documentation = status;
    this.#forget(pairOf(party, counterparty));
  }

  limits(party: number, counterparty: number): readonly LimitTerms[] {
    return this.#account(party, counterparty).limits;
  }

  /** Sets the limit of one type and scope; one that was there is replaced. */
  setLimit(party: number, counterparty: number, terms: LimitTerms): void {
    const { limits } = this.#account(party, counterparty);
    const at = limits.findIndex((limit) => limit.limitType === terms.limitType && limit.contract === terms.contract);
    if (at < 0) limits.push(limitOf(terms));
    else limits[at] = limitOf(terms);
    this.#forget(pairOf(party, counterparty));
  }

  /** Leaves these limits and no others. */
  replaceLimits(party: number, counterparty: number, terms: readonly LimitTerms[]): void {
    this.#account(party, counterparty).limits = terms.map(limitOf);
    this.#forget(pairOf(party, counterparty));
  }

  /** What open trades between two parties use. */
  usage(party: number, counterparty: number): Usage {
    return this.#usage.of(pairOf(party, counterparty));
  }

  /** Each limit with what is used of it, in the order in which they were first set. */
  limitUsage(party: number, counterparty: number): LimitUsage[] {
    return this.#account(party, counterparty).limits.map((limit) =>
      limitUsageOf(limit, this.#usageUnder(limit, party, counterparty))
    );
  }

  /** ok: a party's limits leave room for some counterparty; exhausted: none of them does; none: it has set no limit. */
  creditStatus(party: number): "ok" | "exhausted" | "none" {
    let hasLimits = false;
    for (let counterparty = 0; counterparty < this.partyCount; counterparty++) {
      const { limits } = this.#account(party, counterparty);
      if (limits.length === 0) continue;
      hasLimits = true;
      if (this.#leaveCredit(limits, party, counterparty)) return "ok";
    }
    return hasLimits ? "exhausted" : "none";
  }

  /** kW that two parties may still trade of a contract at a price, not yet rounded to the lot; at most 2^53 - 1. */
  availableCredit(party: number, counterparty: number, { key, minutes }: CreditContract, price: number): number {
    const pair = pairOf(party, counterparty);
    const contract = this.#contracts[key] ?? this.#open(key);
    let eligibility = contract.eligibility[pair];
    if (eligibility === NO_CREDIT) return 0;
    if (eligibility === UNKNOWN || eligibility === undefined) {
      eligibility = this.#eligibilityOf(party, counterparty, key, contract);
      contract.eligibility[pair] = eligibility;
      if (eligibility === NO_CREDIT) return 0;
    }
    let available = this.#capacity.available(pair, this.#usage, minutes, price);
    if (eligibility === CONTRACT_LIMITS && contract.capacity !== null) {
      available = Math.min(available, contract.capacity.available(pair, contract.usage, minutes, price));
    }
    if (available !== EXHAUSTED) return available;
    contract.eligibility[pair] = NO_CREDIT;
    return 0;
  }

  /** Books a trade of `quantity` kW. */
  addTrade(
    party: number,
    counterparty: number,
    { key, minutes }: CreditContract,
    price: number,
    quantity: number,
  ): void {
    const pair = pairOf(party, counterparty);
    if (!(pair < this.#pairCount)) throw new RangeError(`no parties ${party} and ${counterparty}`);
    const contract = this.#contracts[key] ?? this.#open(key);
    this.#usage.add(pair, quantity, minutes, price);
    contract.usage.add(pair, quantity, minutes, price);
  }

  /** Takes back a trade that `addTrade` has booked: everything is as if it had not been. */
  removeTrade(
    party: number,
    counterparty: number,
    { key, minutes }: CreditContract,
    price: number,
    quantity: number,
  ): void {
    const pair = pairOf(party, counterparty);
    const energy = energyOf(quantity, minutes);
    const taken = { quantity: -BigInt(quantity), energy: -energy, notional: -notionalOf(price, energy) };
    this.#usage.addSums(pair, taken);
    this.#contracts[key]?.usage.addSums(pair, taken);
    this.#forget(pair);
  }

  /** What open trades of a contract use, of every pair that has any, the lower party first. */
  *contractUsage(key: number): Generator<{ party: number; counterparty: number; usage: Usage }, void, undefined> {
    const contract = this.#contracts[key];
    if (contract === undefined) return;
    for (let party = 0; party < this.partyCount; party++) {
      for (let counterparty = party; counterparty < this.partyCount; counterparty++) {
        const pair = pairOf(party, counterparty);
        if (contract.usage.nearest(pair, QUANTITY) === 0) continue;
        yield { party, counterparty, usage: contract.usage.of(pair) };
      }
    }
  }

  /** Books what trades of a contract, which are not known one by one any more, have come to. */
  addUsage(party: number, counterparty: number, key: number, usage: Usage): void {
    const pair = pairOf(party, counterparty);
    if (!(pair < this.#pairCount)) throw new RangeError(`no parties ${party} and ${counterparty}`);
    const contract = this.#contracts[key] ?? this.#open(key);
    this.#usage.addSums(pair, usage);
    contract.usage.addSums(pair, usage);
  }

  /** Frees what trades of a contract use, and returns the pairs that it frees, the lower party first. */
  releaseContract(key: number): [number, number][] {
    const contract = this.#contracts[key];
    if (contract === undefined) return [];
    const freed: [number, number][] = [];
    for (const { party, counterparty } of this.contractUsage(key)) {
      const pair = pairOf(party, counterparty);
      this.#usage.subtract(pair, contract.usage);
      contract.usage.clear(pair);
      this.#forget(pair);
      freed.push([party, counterparty]);
    }
    return freed;
  }

  /**
   * Forgets a contract that is over, so that its key may name another one, and returns the limits that named it, by party
   * and counterparty. Throws if open trades still use credit of it.
   */
  closeContract(key: number): { party: number; counterparty: number; terms: LimitTerms }[] {
    const { done } = this.contractUsage(key).next();
    if (done !== true) throw new Error(`open trades use credit of contract ${key}`);
    this.#contracts[key] = undefined;
    const dropped: { party: number; counterparty: number; terms: LimitTerms }[] = [];
    this.#accounts.forEach((account, at) => {
      const named = account.limits.filter(({ contract }) => contract === key);
      if (named.length === 0) return;
      account.limits = account.limits.filter(({ contract }) => contract !== key);
      const party = Math.floor(at / this.partyCount);
      for (const terms of named) dropped.push({ party, counterparty: at % this.partyCount, terms });
    });
    return dropped;
  }

  #open(key: number): ContractCredit {
    const eligibility = new Uint8Array(this.#pairCount);
    return this.#contracts[key] = { eligibility, usage: new PairUsage(this.#pairCount), capacity: null };
  }

  /** Lets `availableCredit` work out anew what it knows of a pair. */
  #forget(pair: number): void {
    for (const contract of this.#contracts) if (contract !== undefined) contract.eligibility[pair] = UNKNOWN;
  }

  /** Works out what `availableCredit` needs to know, and sets the capacities that it will look at. */
  #eligibilityOf(party: number, counterparty: number, key: number, contract: ContractCredit): Eligibility {
    if (party === counterparty) return NO_CREDIT;
    const accounts = [this.#account(party, counterparty), this.#account(counterparty, party)];
    const mayTrade = accounts.every(({ documentation, limits }) =>
      documentation === "docs_in_place" && limits.some((limit) => limit.contract === null || limit.contract === key)
    );
    if (!mayTrade) return NO_CREDIT;
    const pair = pairOf(party, counterparty);
    const limits = accounts.flatMap((account) => account.limits);
    limitPair(this.#capacity, pair, limits.filter((limit) => limit.contract === null));
    const ofContract = limits.filter((limit) => limit.contract === key);
    if (ofContract.length === 0) return TOTAL_LIMITS;
    contract.capacity ??= new PairCapacity(this.#pairCount);
    limitPair(contract.capacity, pair, ofContract);
    return CONTRACT_LIMITS;
  }

  /** Whether limits leave room for some contract: every total does, and without totals those of one contract do. */
  #leaveCredit(limits: readonly Limit[], party: number, counterparty: number): boolean {
    const exhausted = new Set(
      limits.filter((limit) => isExhausted(limit, this.#usageUnder(limit, party, counterparty)))
        .map(({ contract }) => contract),
    );
    if (limits.some(({ contract }) => contract === null)) return !exhausted.has(null);
    return limits.some(({ contract }) => !exhausted.has(contract));
  }

  #usageUnder(terms: LimitTerms, party: number, counterparty: number): Usage {
    const usage = terms.contract === null ? this.#usage : this.#contracts[terms.contract]?.usage;
    return usage?.of(pairOf(party, counterparty)) ?? NOTHING;
  }

  #account(party: number, counterparty: number): Account {
    const account = this.#accounts[party * this.partyCount + counterparty];
    if (account === undefined) throw new RangeError(`no parties ${party} and ${counterparty}`);
    return account;
  }
}

/** The number of an unordered pair, the same for both directions. */
function pairOf(party: number, counterparty: number): number {
  return party < counterparty ? counterparty * (counterparty + 1) / 2 + party : party * (party + 1) / 2 + counterparty;
}

/** Sets a pair's capacities to the least that limits give for each measure. */
function limitPair(capacity: PairCapacity, pair: number, limits: readonly Limit[]): void {
  const least: [bigint | null, bigint | null, bigint | null] = [null, null, null];
  for (const limit of limits) {
    const measure = MEASURE_OF[limit.limitType];
    const lowest = least[measure];
    if (limit.capacity !== null && (lowest === null || limit.capacity < lowest)) least[measure] = limit.capacity;
  }
  for (const measure of MEASURES) capacity.set(pair, measure, least[measure]);
}
