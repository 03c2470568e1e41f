// Who may trade with whom, and how much: documents and credit limits, and what open trades use of the limits.
//
// Parties and contracts are numbered from 0. Documents and limits are directed, from the party that grants to its
// counterparty; both directions share one usage. Amounts are exact: a limit becomes a capacity in whole units that includes
// its margin (credit-limit.ts). available-credit.ts says when two parties may trade.
//
// Cost: `availableCredit` and `addTrade` O(1); a change of limits or documents O(contracts); releasing a contract
// O(pairs x contracts), closing one O(pairs).

import { AvailableCreditCache } from "./available-credit.ts";
import { isExhausted, type Limit, limitOf, type LimitTerms, type LimitUsage, limitUsageOf } from "./credit-limit.ts";
import { type CreditObstacle, obstaclesIn } from "./credit-obstacles.ts";
import { CreditTerms, type DocumentationStatus, type PartyLimit } from "./credit-terms.ts";
import type { AvailableCredit } from "./matching.ts";
import { type CreditContract, CreditUsage, negated, pairOf, type Usage } from "./credit-usage.ts";
import type { ExactInteger } from "./exact-integer.ts";

export class CreditLedger {
  readonly #terms: CreditTerms;
  readonly #usage: CreditUsage;
  readonly #available: AvailableCreditCache;
  /** By party: the first counterparty for which its limits left credit when that was last looked for. */
  readonly #withCredit: Int32Array;

  constructor(readonly partyCount: number) {
    this.#terms = new CreditTerms(partyCount);
    this.#usage = new CreditUsage(partyCount);
    this.#withCredit = new Int32Array(partyCount);
    this.#available = new AvailableCreditCache(this.#terms, this.#usage);
  }

  documentation(party: number, counterparty: number): DocumentationStatus {
    return this.#terms.of(party, counterparty).documentation;
  }

  setDocumentation(party: number, counterparty: number, status: DocumentationStatus): void {
    this.#terms.of(party, counterparty).documentation = status;
    this.#available.invalidate(pairOf(party, counterparty));
  }

  limits(party: number, counterparty: number): readonly Limit[] {
    return this.#terms.of(party, counterparty).limits;
  }

  /** Sets the limit of one type and scope, in place of an earlier one. */
  setLimit(party: number, counterparty: number, terms: LimitTerms): void {
    this.#terms.setLimit(party, counterparty, terms);
    this.#available.invalidate(pairOf(party, counterparty));
  }

  /** Replaces all limits that a party grants to a counterparty. */
  replaceLimits(party: number, counterparty: number, terms: readonly LimitTerms[]): void {
    this.#terms.of(party, counterparty).limits = terms.map(limitOf);
    this.#available.invalidate(pairOf(party, counterparty));
  }

  /** Usage by the open trades of two parties. */
  usage(party: number, counterparty: number): Usage {
    return this.#usage.total.of(pairOf(party, counterparty));
  }

  /** Each limit with its usage, in the order in which the limits were first set. */
  limitUsage(party: number, counterparty: number): LimitUsage[] {
    const usages: LimitUsage[] = [];
    const total = this.usage(party, counterparty);
    for (const limit of this.#terms.of(party, counterparty).limits) {
      const usage = limit.contract === null ? total : this.usageUnder(limit, party, counterparty);
      usages.push(limitUsageOf(limit, usage));
    }
    return usages;
  }

  /** ok: its limits leave credit for some counterparty; exhausted: they leave none; none: the party has set no limit. */
  creditStatus(party: number): "ok" | "exhausted" | "none" {
    // Asked twice for every trade. It rarely changes, so the counterparty that decided it last probably does so again.
    if (this.#available.hasTotalCredit(party, this.#withCredit[party] ?? party)) return "ok";
    let hasLimits = false;
    for (let counterparty = 0; counterparty < this.partyCount; counterparty++) {
      const { limits } = this.#terms.of(party, counterparty);
      if (limits.length === 0) continue;
      hasLimits = true;
      if (!this.#leaveCredit(limits, party, counterparty)) continue;
      this.#withCredit[party] = counterparty;
      return "ok";
    }
    return hasLimits ? "exhausted" : "none";
  }

  /** kW that two parties may still trade at a price in cents/MWh, not yet rounded to the lot; at most 2^53 - 1. */
  availableCredit(party: number, counterparty: number, contract: CreditContract, price: number): number {
    return this.#available.of(party, counterparty, contract, price);
  }

  /** `availableCredit` of a contract, for matching. */
  availableCreditIn(contract: CreditContract): AvailableCredit {
    return this.#available.in(contract);
  }

  /** Whether two parties may trade some contract: documents of both are in place, and limits of both leave credit for it. */
  mayTrade(party: number, counterparty: number): boolean {
    if (party === counterparty) return false;
    // Asked for every trade. Usually each side has a total limit, which covers every contract.
    if (this.#available.hasTotalCredit(party, counterparty)) return true;
    const one = this.#terms.of(party, counterparty);
    const other = this.#terms.of(counterparty, party);
    if (one.documentation !== "docs_in_place" || other.documentation !== "docs_in_place") return false;
    const usage = this.usage(party, counterparty);
    if (isTotalExhausted(one.limits, usage) || isTotalExhausted(other.limits, usage)) return false;
    if (hasTotal(one.limits) && hasTotal(other.limits)) return true;
    const perContract = [one, other].filter(({ limits }) => !hasTotal(limits));
    const limits = [...one.limits, ...other.limits];
    const exhausted = this.#exhausted(limits, party, counterparty);
    return limits.some(({ contract: key }) =>
      key !== null && !exhausted.has(key) &&
      perContract.every((side) => side.limits.some(({ contract }) => contract === key))
    );
  }

  /**
   * What prevents a trade of `quantity` kW in documents and limits that a party grants to a counterparty. `availableCredit` of
   * two parties is at least `quantity` if and only if neither direction has an obstacle.
   */
  obstacles(
    party: number,
    counterparty: number,
    contract: CreditContract,
    price: number,
    quantity: number,
  ): CreditObstacle[] {
    const usageUnder = (limit: Limit) => this.usageUnder(limit, party, counterparty);
    return obstaclesIn(this.#terms.of(party, counterparty), usageUnder, contract, price, quantity);
  }

  /** Adds the usage of a trade of `quantity` kW. */
  addTrade(party: number, counterparty: number, contract: CreditContract, price: number, quantity: number): void {
    this.#usage.add(party, counterparty, contract, price, quantity);
  }

  /** The usage of each pair with open trades of a contract, the lower party first. */
  contractUsage(key: number): Generator<{ party: number; counterparty: number; usage: Usage }, void, undefined> {
    return this.#usage.pairsOf(key);
  }

  /** The notional of a party's open trades of a contract, with all counterparties: cents/MWh x kW x min at face value. */
  notionalOf(party: number, key: number): ExactInteger {
    return this.#usage.notionalOf(party, key);
  }

  /** Adds the summed usage of trades that are no longer known one by one. */
  addUsage(party: number, counterparty: number, key: number, usage: Usage): void {
    this.#usage.addSums(party, counterparty, key, usage);
  }

  /** Removes the usage of all trades of a contract, and returns the pairs that had any, the lower party first. */
  releaseContract(key: number): [number, number][] {
    const released: [number, number][] = [];
    for (const { party, counterparty, usage } of this.#usage.pairsOf(key)) {
      this.#usage.addSums(party, counterparty, key, negated(usage));
      this.#available.invalidate(pairOf(party, counterparty));
      released.push([party, counterparty]);
    }
    return released;
  }

  /**
   * Frees the key of an ended contract for another one, and returns the limits on it, which are dropped, by party and
   * counterparty. Throws if open trades still use credit of it.
   */
  closeContract(key: number): PartyLimit[] {
    this.#usage.close(key);
    this.#available.close(key);
    return this.#terms.dropLimitsOn(key);
  }

  /** Whether limits leave credit for some contract. Every total limit must; without one, all limits on that contract. */
  #leaveCredit(limits: readonly Limit[], party: number, counterparty: number): boolean {
    if (hasTotal(limits)) return !isTotalExhausted(limits, this.usage(party, counterparty));
    const exhausted = this.#exhausted(limits, party, counterparty);
    return limits.some(({ contract }) => !exhausted.has(contract));
  }

  /** The contracts of which a limit is used up; null for a total limit. */
  #exhausted(limits: readonly Limit[], party: number, counterparty: number): ReadonlySet<number | null> {
    return new Set(
      limits.filter((limit) => isExhausted(limit, this.usageUnder(limit, party, counterparty)))
        .map(({ contract }) => contract),
    );
  }

  usageUnder({ contract }: LimitTerms, party: number, counterparty: number): Usage {
    const usage = contract === null ? this.#usage.total : this.#usage.ofContract(contract);
    return usage.of(pairOf(party, counterparty));
  }
}

function hasTotal(limits: readonly Limit[]): boolean {
  for (const { contract } of limits) if (contract === null) return true;
  return false;
}

/** Whether a limit on all contracts in total is used up. */
function isTotalExhausted(limits: readonly Limit[], usage: Usage): boolean {
  for (const limit of limits) if (limit.contract === null && isExhausted(limit, usage)) return true;
  return false;
}
