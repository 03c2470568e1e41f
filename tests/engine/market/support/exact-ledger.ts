// A credit ledger that computes only in bigint: slow and obviously right. It is the reference of credit-exactness.test.ts and
// the peer of bench/credit.ts.

import type { DocumentationStatus } from "../../../../engine/market/credit-terms.ts";
import type { CreditContract, ListedContract } from "../../../../engine/market/credit-usage.ts";
import type { LimitTerms, LimitType } from "../../../../engine/market/credit-limit.ts";
import { type Decimal, decimalOf } from "../../../../engine/market/units.ts";
import { energyOf, notionalOf, roundedNumber } from "./bigint-units.ts";

/** The sums of `Usage`, in bigint. */
interface Usage {
  readonly quantity: bigint;
  readonly energy: bigint;
  readonly notional: bigint;
}

interface Limit extends LimitTerms {
  /** The usage, without margin, that uses up the limit; null if no usage does. */
  readonly capacity: bigint | null;
}

interface LimitUsage {
  readonly terms: Limit;
  readonly used: number;
  readonly available: number;
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

export class ExactLedger {
  readonly #accounts: Account[];
  readonly #usage = new Map<number, PairUsage>();
  readonly #listed = new Map<number, ListedContract>();

  constructor(readonly partyCount: number) {
    this.#accounts = Array.from({ length: partyCount ** 2 }, () => ({ documentation: "no_docs", limits: [] }));
  }

  listContract(contract: ListedContract): void {
    this.#listed.set(contract.key, contract);
  }

  unlistContract(key: number): void {
    this.#listed.delete(key);
  }

  setDocumentation(party: number, counterparty: number, status: DocumentationStatus): void {
    this.#account(party, counterparty).documentation = status;
  }

  /** Sets the limit of one type and scope, in place of an earlier one. */
  setLimit(party: number, counterparty: number, terms: LimitTerms): void {
    const { limits } = this.#account(party, counterparty);
    const at = limits.findIndex((limit) => limit.limitType === terms.limitType && limit.contract === terms.contract);
    if (at < 0) limits.push(limitOf(terms));
    else limits[at] = limitOf(terms);
  }

  /** Replaces all limits that a party grants to a counterparty. */
  replaceLimits(party: number, counterparty: number, terms: readonly LimitTerms[]): void {
    this.#account(party, counterparty).limits = terms.map(limitOf);
  }

  /** Usage by the open trades of two parties. */
  usage(party: number, counterparty: number): Usage {
    return this.#usage.get(this.#pairKey(party, counterparty))?.total ?? NOTHING;
  }

  /** Each limit with its usage, in the order in which the limits were first set. */
  limitUsage(party: number, counterparty: number): LimitUsage[] {
    return this.#account(party, counterparty).limits.map((limit) =>
      limitUsageOf(limit, this.#usageUnder(limit, party, counterparty))
    );
  }

  /** none: no limit; exhausted: no lot of a listed contract for any counterparty, and a contract is listed; else ok. */
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

  /** Whether there is credit for a lot of a listed contract at the price nearest to 0. */
  mayTrade(party: number, counterparty: number): boolean {
    return this.#listed.values().some((contract) =>
      this.availableCredit(party, counterparty, contract, contract.leastPrice) >= contract.lot
    );
  }

  /** kW that two parties may still trade of a contract at a price, not yet rounded to the lot. */
  availableCredit(party: number, counterparty: number, contract: CreditContract, price: number): number {
    if (party === counterparty) return 0;
    const one = this.#account(party, counterparty);
    const other = this.#account(counterparty, party);
    if (one.documentation !== "docs_in_place" || other.documentation !== "docs_in_place") return 0;
    const first = this.#availableWithin(one.limits, party, counterparty, contract, price);
    return first === 0 ? 0 : Math.min(first, this.#availableWithin(other.limits, party, counterparty, contract, price));
  }

  /** Adds the usage of a trade of `quantity` kW. */
  addTrade(party: number, counterparty: number, contract: CreditContract, price: number, quantity: number): void {
    const key = this.#pairKey(party, counterparty);
    let pair = this.#usage.get(key);
    if (pair === undefined) this.#usage.set(key, pair = { total: NOTHING, byContract: new Map() });
    const energy = energyOf(quantity, contract.minutes);
    const trade = { quantity: BigInt(quantity), energy, notional: notionalOf(price, energy) };
    pair.total = sum(pair.total, trade);
    pair.byContract.set(contract.key, sum(pair.byContract.get(contract.key) ?? NOTHING, trade));
  }

  /** Removes the usage of all trades of a contract, and returns the pairs that had any. */
  releaseContract(contract: number): [number, number][] {
    const freed: [number, number][] = [];
    for (const [key, pair] of this.#usage) {
      const usage = pair.byContract.get(contract);
      if (usage === undefined) continue;
      pair.byContract.delete(contract);
      pair.total = sum(pair.total, { quantity: -usage.quantity, energy: -usage.energy, notional: -usage.notional });
      freed.push([Math.floor(key / this.partyCount), key % this.partyCount]);
    }
    return freed;
  }

  #availableWithin(
    limits: readonly Limit[],
    party: number,
    counterparty: number,
    contract: CreditContract,
    price: number,
  ): number {
    let least: number | null = null;
    for (const limit of limits) {
      if (limit.contract !== null && limit.contract !== contract.key) continue;
      const available = availableUnder(limit, this.#usageUnder(limit, party, counterparty), contract.minutes, price);
      if (least === null || available < least) least = available;
    }
    return least ?? 0;
  }

  #leaveCredit(limits: readonly Limit[], party: number, counterparty: number): boolean {
    return this.#listed.size === 0 ||
      this.#listed.values().some((contract) =>
        this.#availableWithin(limits, party, counterparty, contract, contract.leastPrice) >= contract.lot
      );
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

const PERCENT = 100n;
const UNITS_PER: Readonly<Record<LimitType, bigint>> = {
  notional: 6_000_000n,
  mw: 1000n,
  mwh: 60_000n,
};
const DISPLAY_DECIMALS: Readonly<Record<LimitType, number>> = { notional: 4, mw: 3, mwh: 6 };

function limitOf(terms: LimitTerms): Limit {
  const limit = decimalOf(terms.limit);
  const margin = marginOf(terms);
  const numerator = limit.coefficient * UNITS_PER[terms.limitType] * PERCENT * 10n ** BigInt(margin.scale);
  const denominator = margin.coefficient * 10n ** BigInt(limit.scale);
  if (numerator === 0n) return { ...terms, capacity: 0n };
  return { ...terms, capacity: denominator === 0n ? null : numerator / denominator };
}

/** kW that a limit leaves at a price; 0 at any price if all of the limit is used. */
function availableUnder(limit: Limit, usage: Usage, minutes: number, price: number): number {
  if (limit.capacity === null) return Number.MAX_SAFE_INTEGER;
  const left = limit.capacity - measured(usage, limit.limitType);
  if (left <= 0n) return 0;
  const perKilowatt = perKilowattOf(limit.limitType, minutes, price);
  if (perKilowatt === 0n) return Number.MAX_SAFE_INTEGER;
  const available = left / perKilowatt;
  return available > Number.MAX_SAFE_INTEGER ? Number.MAX_SAFE_INTEGER : Number(available);
}

/** used = usage x margin, available = limit - used; both are exact until they are rounded. */
function limitUsageOf(terms: Limit, usage: Usage): LimitUsage {
  const limit = decimalOf(terms.limit);
  const margin = marginOf(terms);
  const decimals = DISPLAY_DECIMALS[terms.limitType];
  const used = measured(usage, terms.limitType) * margin.coefficient;
  const unit = UNITS_PER[terms.limitType] * PERCENT * 10n ** BigInt(margin.scale);
  const limitScale = 10n ** BigInt(limit.scale);
  return {
    terms,
    used: roundedNumber(used, unit, decimals),
    available: roundedNumber(limit.coefficient * unit - used * limitScale, unit * limitScale, decimals),
  };
}

function marginOf(terms: LimitTerms): Decimal {
  return terms.limitType === "notional" ? decimalOf(terms.marginPercent) : { coefficient: PERCENT, scale: 0 };
}

function measured(usage: Usage, type: LimitType): bigint {
  if (type === "mw") return usage.quantity;
  return type === "mwh" ? usage.energy : usage.notional;
}

function perKilowattOf(type: LimitType, minutes: number, price: number): bigint {
  if (type === "mw") return 1n;
  const energy = energyOf(1, minutes);
  return type === "mwh" ? energy : notionalOf(price, energy);
}
