// Who may trade with whom, and how much: documents and credit limits, and what open trades use of the limits.
//
// Parties and contracts are numbered from 0. Documents and limits are directed, from the party that grants to its
// counterparty; both directions share one usage. Amounts are exact: a limit becomes a capacity in whole units that includes
// its margin (credit-limit.ts). available-credit.ts says when two parties may trade.
//
// Cost: `availableCredit` and `addTrade` O(1); a change of limits or documents O(contracts); releasing a contract
// O(pairs x contracts), listing, unlisting or closing one O(pairs). tradable-pairs.ts has the cost of `mayTrade`.

import { AvailableCreditCache } from "./available-credit.ts";
import { leavesFor, type Limit, limitOf, type LimitTerms, type LimitUsage, limitUsageOf } from "./credit-limit.ts";
import { type CreditObstacle, obstaclesIn } from "./credit-obstacles.ts";
import { CreditTerms, type DocumentationStatus, type PartyLimit } from "./credit-terms.ts";
import type { AvailableCredit } from "./matching.ts";
import {
  type CreditContract,
  CreditUsage,
  type ListedContract,
  negated,
  pairOf,
  type Usage,
  usageOfTrade,
} from "./credit-usage.ts";
import type { ExactInteger } from "./exact-integer.ts";
import { TradablePairs } from "./tradable-pairs.ts";

export class CreditLedger {
  readonly #terms: CreditTerms;
  readonly #usage: CreditUsage;
  readonly #available: AvailableCreditCache;
  readonly #tradable: TradablePairs;
  /** By party: the first counterparty for which its limits left credit when that was last looked for. */
  readonly #withCredit: Int32Array;

  constructor(readonly partyCount: number) {
    this.#terms = new CreditTerms(partyCount);
    this.#usage = new CreditUsage(partyCount);
    this.#withCredit = new Int32Array(partyCount);
    this.#available = new AvailableCreditCache(this.#terms, this.#usage);
    this.#tradable = new TradablePairs(this.#available, partyCount);
  }

  /** Orders may be sent for the contract from now on. `unsettledPairs` then has the pairs that it lets trade. */
  listContract(contract: ListedContract): void {
    this.#tradable.list(contract);
  }

  /** No order may be sent for the contract from now on. `unsettledPairs` then has the pairs that may no longer trade. */
  unlistContract(key: number): void {
    this.#tradable.unlist(key);
  }

  /** The pairs for which `mayTrade` may have changed since it was last asked; without those that only traded since. */
  unsettledPairs(): Iterable<[party: number, counterparty: number]> {
    return this.#tradable.unknown();
  }

  documentation(party: number, counterparty: number): DocumentationStatus {
    return this.#terms.of(party, counterparty).documentation;
  }

  setDocumentation(party: number, counterparty: number, status: DocumentationStatus): void {
    this.#terms.of(party, counterparty).documentation = status;
    this.#invalidate(party, counterparty);
  }

  limits(party: number, counterparty: number): readonly Limit[] {
    return this.#terms.of(party, counterparty).limits;
  }

  /** Sets the limit of one type and scope, in place of an earlier one. */
  setLimit(party: number, counterparty: number, terms: LimitTerms): void {
    this.#terms.setLimit(party, counterparty, terms);
    this.#invalidate(party, counterparty);
  }

  /** Replaces all limits that a party grants to a counterparty. */
  replaceLimits(party: number, counterparty: number, terms: readonly LimitTerms[]): void {
    this.#terms.of(party, counterparty).limits = terms.map(limitOf);
    this.#invalidate(party, counterparty);
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

  /**
   * none: the party has set no limit; exhausted: its limits leave one lot of no listed contract for any counterparty, and there
   * is a listed contract; else ok.
   */
  creditStatus(party: number): "ok" | "exhausted" | "none" {
    // It rarely changes, so the counterparty that decided it last probably does so again.
    if (this.mayTrade(party, this.#withCredit[party] ?? party)) return "ok";
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

  /**
   * Whether two parties may trade at least one lot of a listed contract, at some allowed price: documents of both are in place,
   * and limits of both leave credit for it. Asked for every trade.
   */
  mayTrade(party: number, counterparty: number): boolean {
    return this.#tradable.mayTrade(party, counterparty);
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
      this.#invalidate(party, counterparty);
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
    this.#tradable.unlist(key);
    this.#available.close(key);
    return this.#terms.dropLimitsOn(key);
  }

  /** Whether limits leave one lot of a listed contract, or none is listed. */
  #leaveCredit(limits: readonly Limit[], party: number, counterparty: number): boolean {
    const { listed } = this.#tradable;
    return listed.length === 0 || listed.some(({ key, minutes, lot, leastPrice }) => {
      const covering = limits.filter(({ contract }) => contract === null || contract === key);
      const trade = usageOfTrade(lot, minutes, leastPrice);
      return covering.length > 0 &&
        covering.every((limit) => leavesFor(limit, this.usageUnder(limit, party, counterparty), trade));
    });
  }

  #invalidate(party: number, counterparty: number): void {
    const pair = pairOf(party, counterparty);
    this.#available.invalidate(pair);
    this.#tradable.invalidate(pair);
  }

  usageUnder({ contract }: LimitTerms, party: number, counterparty: number): Usage {
    const usage = contract === null ? this.#usage.total : this.#usage.ofContract(contract);
    return usage.of(pairOf(party, counterparty));
  }
}
