// Who may trade with whom, and how much: documents, credit limits and what open trades use of them (design section 8).
//
// Parties are numbered from 0. Limits and documents are directed, from the party that grants to its counterparty; usage
// is the gross of a pair's open trades and the same in both directions. Everything is exact: a limit becomes a capacity
// in whole units (kW, kW x min, cents/MWh x kW x min), rounded down once, and the margin is part of it.
//
// Two parties may trade where both have documents in place for each other, each has a limit for the other that covers
// the contract, and every limit that covers it leaves room. Where all of a limit is used, or more since it was lowered,
// or where it is 0, there is no room, not even for trades at a price of 0, which would use none.
//
// Cost: `room` O(limits of the pair); releasing a contract O(pairs that trade). Memory O(parties^2).

import {
  isExhausted,
  type Limit,
  limitOf,
  type LimitTerms,
  type LimitUse,
  roomUnder,
  type Usage,
  useOf,
} from "./credit-limit.ts";
import { energyOf, notionalOf } from "./units.ts";

export type DocumentationStatus = "docs_in_place" | "no_docs" | "pending";

/** A contract as the ledger knows it. */
export interface CreditContract {
  readonly key: number;
  /** Of delivery. */
  readonly minutes: number;
}

interface Account {
  documentation: DocumentationStatus;
  limits: Limit[];
}

interface PairUsage {
  total: Usage;
  readonly byContract: Map<number, Usage>;
}

const NOTHING: Usage = { quantity: 0n, energy: 0n, notional: 0n };

export class CreditLedger {
  readonly #accounts: Account[];
  readonly #usage = new Map<number, PairUsage>();

  constructor(readonly partyCount: number) {
    this.#accounts = Array.from({ length: partyCount ** 2 }, () => ({ documentation: "no_docs", limits: [] }));
  }

  documentation(party: number, counterparty: number): DocumentationStatus {
    return this.#account(party, counterparty).documentation;
  }

  setDocumentation(party: number, counterparty: number, status: DocumentationStatus): void {
    this.#account(party, counterparty).documentation = status;
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
  }

  /** Leaves these limits and no others. */
  replaceLimits(party: number, counterparty: number, terms: readonly LimitTerms[]): void {
    this.#account(party, counterparty).limits = terms.map(limitOf);
  }

  /** What open trades between two parties use. */
  usage(party: number, counterparty: number): Usage {
    return this.#usage.get(this.#pairKey(party, counterparty))?.total ?? NOTHING;
  }

  /** Each limit with what is used of it, in the order in which they were first set. */
  limitUse(party: number, counterparty: number): LimitUse[] {
    return this.#account(party, counterparty).limits.map((limit) =>
      useOf(limit, this.#usageUnder(limit, party, counterparty))
    );
  }

  /** ok: a party's limits leave room for some counterparty; exhausted: none of them does; none: it has set no limit. */
  standing(party: number): "ok" | "exhausted" | "none" {
    let hasLimits = false;
    for (let counterparty = 0; counterparty < this.partyCount; counterparty++) {
      const { limits } = this.#account(party, counterparty);
      if (limits.length === 0) continue;
      hasLimits = true;
      if (this.#leaveRoom(limits, party, counterparty)) return "ok";
    }
    return hasLimits ? "exhausted" : "none";
  }

  /** kW that two parties may still trade of a contract at a price, not yet rounded to the lot. */
  room(party: number, counterparty: number, contract: CreditContract, price: number): number {
    if (party === counterparty) return 0;
    const one = this.#account(party, counterparty);
    const other = this.#account(counterparty, party);
    if (one.documentation !== "docs_in_place" || other.documentation !== "docs_in_place") return 0;
    const first = this.#roomWithin(one.limits, party, counterparty, contract, price);
    return first === 0 ? 0 : Math.min(first, this.#roomWithin(other.limits, party, counterparty, contract, price));
  }

  /** Books a trade of `quantity` kW. */
  use(party: number, counterparty: number, contract: CreditContract, price: number, quantity: number): void {
    const key = this.#pairKey(party, counterparty);
    let pair = this.#usage.get(key);
    if (pair === undefined) this.#usage.set(key, pair = { total: NOTHING, byContract: new Map() });
    const energy = energyOf(quantity, contract.minutes);
    const trade = { quantity: BigInt(quantity), energy, notional: notionalOf(price, energy) };
    pair.total = sum(pair.total, trade);
    pair.byContract.set(contract.key, sum(pair.byContract.get(contract.key) ?? NOTHING, trade));
  }

  /** Frees what trades of a contract use, and returns the pairs that it frees. */
  release(contract: number): [number, number][] {
    const freed: [number, number][] = [];
    for (const [key, pair] of this.#usage) {
      const usage = pair.byContract.get(contract);
      if (usage === undefined) continue;
      pair.byContract.delete(contract);
      pair.total = difference(pair.total, usage);
      freed.push([Math.floor(key / this.partyCount), key % this.partyCount]);
    }
    return freed;
  }

  #roomWithin(
    limits: readonly Limit[],
    party: number,
    counterparty: number,
    contract: CreditContract,
    price: number,
  ): number {
    let least: number | null = null;
    for (const limit of limits) {
      if (limit.contract !== null && limit.contract !== contract.key) continue;
      const room = roomUnder(limit, this.#usageUnder(limit, party, counterparty), contract.minutes, price);
      if (least === null || room < least) least = room;
    }
    return least ?? 0;
  }

  /** Whether limits leave room for some contract: every total does, and without totals those of one contract do. */
  #leaveRoom(limits: readonly Limit[], party: number, counterparty: number): boolean {
    const exhausted = new Set(
      limits.filter((limit) => isExhausted(limit, this.#usageUnder(limit, party, counterparty)))
        .map(({ contract }) => contract),
    );
    if (limits.some(({ contract }) => contract === null)) return !exhausted.has(null);
    return limits.some(({ contract }) => !exhausted.has(contract));
  }

  #usageUnder(terms: LimitTerms, party: number, counterparty: number): Usage {
    const pair = this.#usage.get(this.#pairKey(party, counterparty));
    if (pair === undefined) return NOTHING;
    return terms.contract === null ? pair.total : pair.byContract.get(terms.contract) ?? NOTHING;
  }

  #account(party: number, counterparty: number): Account {
    const account = this.#accounts[party * this.partyCount + counterparty];
    if (account === undefined) throw new RangeError(`no parties ${party} and ${counterparty}`);
    return account;
  }

  #pairKey(party: number, counterparty: number): number {
    return Math.min(party, counterparty) * this.partyCount + Math.max(party, counterparty);
  }
}

function sum(one: Usage, other: Usage): Usage {
  return {
    quantity: one.quantity + other.quantity,
    energy: one.energy + other.energy,
    notional: one.notional + other.notional,
  };
}

function difference(one: Usage, other: Usage): Usage {
  return {
    quantity: one.quantity - other.quantity,
    energy: one.energy - other.energy,
    notional: one.notional - other.notional,
  };
}
