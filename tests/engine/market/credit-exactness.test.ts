// Compares the credit ledger with its reference, which computes only in bigint: after each command both give the same answers
// to all queries. Amounts are from one kW to far beyond 2^53.

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { CreditLedger } from "../../../engine/market/credit-ledger.ts";
import type { DocumentationStatus } from "../../../engine/market/credit-terms.ts";
import type { LimitTerms, LimitUsage } from "../../../engine/market/credit-limit.ts";
import type { CreditContract, Usage } from "../../../engine/market/credit-usage.ts";
import { size } from "../../support/sizes.ts";
import { weighted } from "../support/weighted-command.ts";
import { ExactLedger } from "./support/exact-ledger.ts";

const PARTIES = 3;
const { MAX_SAFE_INTEGER } = Number;
const CONTRACTS = [60, 960, 15, 44_640, 2 ** 33].map((minutes, key) => ({
  key,
  minutes,
  lot: [1000, 1, 500, 1, 1000][key]!,
  leastPrice: [0, 3001, 0, -1, 2 ** 40 + 1][key]!,
}));
const PRICES = [0, 1, -1, 3001, 5000, -50_000, 499_999, 500_000, 2 ** 40 + 1, -MAX_SAFE_INTEGER];
/** By contract: the price at which obstacles are compared. */
const OBSTACLE_PRICES = [3001, 0, -50_000, 2 ** 40 + 1, 500_000];
/** 2^53 units of usage, in the units of limits. */
const DOLLARS = 2 ** 53 / 6e6;
const MEGAWATTS = 2 ** 53 / 1000;
const MEGAWATT_HOURS = 2 ** 53 / 60_000;

const value = fc.oneof(
  fc.constantFrom(0, 0.001, 0.3, 1, 7, 12.5, 1000, 1e6, 123_456.789, 1e12, 1e22, 1e300, 1e-7),
  fc.tuple(fc.constantFrom(DOLLARS, MEGAWATTS, MEGAWATT_HOURS), fc.integer({ min: -3, max: 3 })).map(([edge, steps]) =>
    edge + steps * edge * 2 ** -52
  ),
  fc.tuple(fc.constantFrom(DOLLARS, MEGAWATTS, MEGAWATT_HOURS), fc.double({ min: 0.5, max: 4, noNaN: true })).map((
    [edge, factor],
  ) => edge * factor),
);
const terms: fc.Arbitrary<LimitTerms> = fc.record({
  limitType: fc.constantFrom("notional", "mw", "mwh"),
  contract: fc.option(fc.nat(CONTRACTS.length - 1), { nil: null }),
  limit: value,
  marginPercent: fc.oneof(
    { weight: 3, arbitrary: fc.constant(100) },
    { weight: 2, arbitrary: fc.constantFrom(0, 12.5, 33.3333, 0.1, 1e-7) },
  ),
});
const pair = { party: fc.nat(PARTIES - 1), counterparty: fc.nat(PARTIES - 1) };
const contract = fc.constantFrom(...CONTRACTS);
const quantity = fc.oneof(
  fc.integer({ min: 1, max: 100_000 }),
  fc.integer({ min: 1, max: 1_000_000_000 }),
  fc.constantFrom(MAX_SAFE_INTEGER, MAX_SAFE_INTEGER - 1, 2 ** 52, 2 ** 51 + 1),
);
const price = fc.oneof(fc.constantFrom(...PRICES), fc.integer({ min: -50_000, max: 500_000 }));

const status = fc.oneof(
  { weight: 3, arbitrary: fc.constant<DocumentationStatus>("docs_in_place") },
  { weight: 2, arbitrary: fc.constantFrom<DocumentationStatus>("no_docs", "pending") },
);

const command = fc.oneof(
  weighted(2, "documents", { ...pair, status }),
  weighted(3, "set", { ...pair, terms }),
  weighted(2, "replace", { ...pair, limits: fc.array(terms, { maxLength: 4 }) }),
  weighted(4, "use", { ...pair, contract, price, quantity }),
  /** Uses all of the available credit, or leaves little. */
  weighted(8, "fill", { ...pair, contract, price, leaving: fc.nat(2) }),
  weighted(1, "release", { contract }),
  weighted(1, "list", { contract }),
  weighted(1, "unlist", { contract }),
);
type Command = typeof command extends fc.Arbitrary<infer Value> ? Value : never;

/** The ledger and the reference. At first, limits and documents let everybody trade, and two contracts are listed. */
class TwoLedgers {
  readonly ledger = new CreditLedger(PARTIES);
  readonly reference = new ExactLedger(PARTIES);
  readonly #both = [this.ledger, this.reference];
  readonly #listed = new Set<number>();
  /** By pair: `mayTrade` when it was last asked, as an engine asks it. */
  readonly #tradable = new Map<string, boolean>();
  /** How often that changed. */
  changes = 0;

  constructor(limits: readonly LimitTerms[]) {
    for (const ledger of this.#both) {
      for (const [party, counterparty] of orderedPairs()) {
        ledger.setDocumentation(party, counterparty, "docs_in_place");
        ledger.replaceLimits(party, counterparty, limits);
      }
    }
    for (const contract of CONTRACTS.slice(0, 2)) this.carryOut({ kind: "list", contract });
  }

  carryOut(command: Command): void {
    this.#carryOut(command);
    if ("party" in command) this.#askTradable(command.party, command.counterparty);
    for (const [party, counterparty] of this.ledger.unsettledPairs()) this.#askTradable(party, counterparty);
  }

  #askTradable(party: number, counterparty: number): void {
    const pair = [party, counterparty].sort().join();
    const tradable = this.ledger.mayTrade(party, counterparty);
    if (this.#tradable.get(pair) !== tradable) this.changes += 1;
    this.#tradable.set(pair, tradable);
  }

  #carryOut(command: Command): void {
    const { ledger, reference } = this;
    switch (command.kind) {
      case "documents":
        for (const each of this.#both) each.setDocumentation(command.party, command.counterparty, command.status);
        return;
      case "set":
        for (const each of this.#both) each.setLimit(command.party, command.counterparty, command.terms);
        return;
      case "replace":
        for (const each of this.#both) each.replaceLimits(command.party, command.counterparty, command.limits);
        return;
      case "use": {
        const { party, counterparty, contract, price, quantity } = command;
        for (const each of this.#both) each.addTrade(party, counterparty, contract, price, quantity);
        return;
      }
      case "fill": {
        const { party, counterparty, contract, price, leaving } = command;
        const quantity = reference.availableCredit(party, counterparty, contract, price) - leaving;
        if (quantity > 0) this.#carryOut({ ...command, kind: "use", quantity });
        return;
      }
      case "list": {
        const { contract } = command;
        if (this.#listed.has(contract.key)) return;
        this.#listed.add(contract.key);
        for (const each of this.#both) each.listContract(contract);
        return;
      }
      case "unlist":
        this.#listed.delete(command.contract.key);
        for (const each of this.#both) each.unlistContract(command.contract.key);
        return;
      case "release": {
        const freed = [ledger, reference].map((each) => each.releaseContract(command.contract.key).map(String).sort());
        expect(freed[0]).toEqual(freed[1] ?? []);
      }
    }
  }

  /** Returns how many amounts of available credit were neither 0 nor unlimited. */
  compare(): number {
    const { ledger, reference } = this;
    let partial = 0;
    for (const [party, counterparty] of orderedPairs()) {
      for (const contract of CONTRACTS) {
        for (const price of PRICES) {
          const available = reference.availableCredit(party, counterparty, contract, price);
          if (available > 0 && available < MAX_SAFE_INTEGER) partial += 1;
          const answer = ledger.availableCredit(party, counterparty, contract, price);
          if (price === OBSTACLE_PRICES[contract.key]) {
            this.#compareObstacles(party, counterparty, contract, price, available);
          }
          if (answer === available) continue;
          expect({ party, counterparty, contract, price, available: answer })
            .toEqual({ party, counterparty, contract, price, available });
        }
      }
      expect(inBigint(ledger.usage(party, counterparty))).toEqual(reference.usage(party, counterparty));
      expect(ledger.limitUsage(party, counterparty).map(limitInBigint)).toEqual(
        reference.limitUsage(party, counterparty),
      );
      const tradable = this.#tradable.get([party, counterparty].sort().join()) ?? false;
      expect(tradable).toBe(reference.mayTrade(party, counterparty));
    }
    for (let party = 0; party < PARTIES; party++) {
      expect(ledger.creditStatus(party)).toBe(reference.creditStatus(party));
    }
    return partial;
  }

  /** A trade has obstacles, in one direction or the other, if and only if it is above the available credit. */
  #compareObstacles(party: number, counterparty: number, contract: CreditContract, price: number, available: number) {
    if (party === counterparty) return;
    for (const quantity of [1, available, available + 1]) {
      if (quantity < 1 || quantity > MAX_SAFE_INTEGER) continue;
      const obstacles = [[party, counterparty], [counterparty, party]].flatMap(([granter, grantee]) =>
        this.ledger.obstacles(granter!, grantee!, contract, price, quantity)
      );
      expect({ quantity, available, isBlocked: obstacles.length > 0 })
        .toEqual({ quantity, available, isBlocked: quantity > available });
    }
  }
}

function inBigint({ quantity, energy, notional }: Usage) {
  return { quantity: BigInt(quantity), energy: BigInt(energy), notional: BigInt(notional) };
}

function limitInBigint({ terms, used, available }: LimitUsage) {
  const { limitType, contract, limit, marginPercent, capacity } = terms;
  const exact = capacity === null ? null : BigInt(capacity);
  return { terms: { limitType, contract, limit, marginPercent, capacity: exact }, used, available };
}

function orderedPairs(): [number, number][] {
  const parties = Array.from({ length: PARTIES }, (_, party) => party);
  return parties.flatMap((party) => parties.map((counterparty): [number, number] => [party, counterparty]));
}

describe("the credit ledger", () => {
  test("gives the answers of the reference after every random command", () => {
    let partial = 0;
    let changes = 0;
    fc.assert(
      fc.property(
        fc.array(terms, { minLength: 1, maxLength: 3 }),
        fc.array(command, { minLength: 10, maxLength: 40, size: "max" }),
        (limits, commands) => {
          const both = new TwoLedgers(limits);
          both.compare();
          for (const command of commands) {
            both.carryOut(command);
            partial += both.compare();
          }
          changes += both.changes;
        },
      ),
      { numRuns: size(25, 10_000) },
    );
    expect(partial).toBeGreaterThan(size(750, 10_000));
    expect(changes).toBeGreaterThan(size(100, 10_000));
  });

  test("stays exact when a usage exceeds 2^53 and decreases again", () => {
    const both = new TwoLedgers([{ limitType: "notional", contract: null, limit: 1e12, marginPercent: 100 }]);
    const hour = CONTRACTS[0]!;
    const month = CONTRACTS[3]!;
    const use = { kind: "use", party: 0, counterparty: 1 } as const;
    for (let count = 0; count < 3; count++) {
      both.carryOut({ ...use, contract: month, price: 99_999, quantity: 1_000_001 });
    }
    expect(both.ledger.usage(0, 1).notional).toBeGreaterThan(2n ** 53n);
    both.carryOut({ ...use, contract: hour, price: 1, quantity: 1 });
    both.compare();
    both.carryOut({ kind: "release", contract: month });
    expect(both.ledger.usage(0, 1)).toEqual({ quantity: 1, energy: 60, notional: 60 });
    both.compare();
  });

  test("leaves no credit at a price of 0 once all of a limit beyond 2^53 is used", () => {
    const both = new TwoLedgers([{ limitType: "notional", contract: null, limit: 1e12, marginPercent: 100 }]);
    const hour = CONTRACTS[0]!;
    both.carryOut({ kind: "use", party: 0, counterparty: 1, contract: hour, price: 500_000, quantity: 2e11 - 1 });
    both.compare();
    expect(both.ledger.availableCredit(0, 1, hour, 0)).toBe(MAX_SAFE_INTEGER);
    both.carryOut({ kind: "use", party: 0, counterparty: 1, contract: hour, price: 500_000, quantity: 1 });
    both.compare();
    expect(both.ledger.availableCredit(0, 1, hour, 0)).toBe(0);
  });

  test("throws for unknown parties", () => {
    const ledger = new CreditLedger(2);
    const contract = { key: 0, minutes: 60 };
    expect(() => ledger.availableCredit(0, 2, contract, 1)).toThrow(RangeError);
    expect(() => ledger.addTrade(2, 2, contract, 1, 1)).toThrow(RangeError);
  });
});
