// Credit screening, by the number of entities: what matching asks for each resting order, and adds for each trade. The peer is
// the all-bigint ledger that the tests use as reference.

import { deepStrictEqual } from "node:assert";
import { SeededRandom } from "../sim/random/seeded-random.ts";
import { CreditLedger } from "../engine/market/credit-ledger.ts";
import type { CreditContract } from "../engine/market/credit-usage.ts";
import type { LimitTerms } from "../engine/market/credit-limit.ts";
import { ExactLedger } from "../tests/engine/market/support/exact-ledger.ts";
import type { Subject, Suite } from "./suite.ts";

type Ledger = CreditLedger | ExactLedger;

interface Trade {
  readonly resting: number;
  readonly aggressor: number;
  readonly contract: CreditContract;
  /** Cents/MWh. */
  readonly price: number;
  /** kW. */
  readonly quantity: number;
}

const ENTITIES = [8, 32, 128] as const;
const TRADES = 4096;
const HOURS: readonly CreditContract[] = Array.from({ length: 6 }, (_, key) => ({ key, minutes: 60 }));
const TEN_MILLION_DOLLARS: LimitTerms = { limitType: "notional", contract: null, limit: 1e7, marginPercent: 100 };
/** Beyond 2^53 in the units of usage. */
const TRILLION_DOLLARS: LimitTerms = { ...TEN_MILLION_DOLLARS, limit: 1e12 };
/** All kinds of limits that an entity may set for one hour, at once. */
const EVERY_KIND: readonly LimitTerms[] = HOURS.flatMap(({ key: contract }): LimitTerms[] => [
  { limitType: "mw", contract, limit: 5_000, marginPercent: 100 },
  { limitType: "mwh", contract, limit: 6_000, marginPercent: 100 },
]).concat(
  { ...TEN_MILLION_DOLLARS, marginPercent: 12.5 },
  { limitType: "mw", contract: null, limit: 50_000, marginPercent: 100 },
);

function tradesOf(entities: number): Trade[] {
  const random = new SeededRandom(32);
  const below = (limit: number) => random.integer(0, limit - 1);
  return Array.from({ length: TRADES }, () => {
    const resting = below(entities);
    const aggressor = (resting + 1 + below(entities - 1)) % entities;
    const contract = HOURS[below(HOURS.length)];
    if (contract === undefined) throw new Error("no contract");
    return { resting, aggressor, contract, price: below(20_000) - 2_000, quantity: 1000 * (1 + below(50)) };
  });
}

/** Everyone grants these limits to everyone else. */
function granted(ledger: Ledger, limits: readonly LimitTerms[]): Ledger {
  for (let party = 0; party < ledger.partyCount; party++) {
    for (let counterparty = 0; counterparty < ledger.partyCount; counterparty++) {
      if (party === counterparty) continue;
      ledger.setDocumentation(party, counterparty, "docs_in_place");
      ledger.replaceLimits(party, counterparty, limits);
    }
  }
  return ledger;
}

function asking(ledger: Ledger, limits: readonly LimitTerms[]): Subject {
  const trades = tradesOf(ledger.partyCount);
  const ask = (asked: Ledger) => {
    let sum = 0;
    for (const { resting, aggressor, contract, price } of trades) {
      sum += asked.availableCredit(resting, aggressor, contract, price);
    }
    return sum;
  };
  const traded = (one: Ledger) => {
    granted(one, limits);
    for (const { resting, aggressor, contract, price, quantity } of trades) {
      one.addTrade(resting, aggressor, contract, price, quantity);
    }
    return one;
  };
  traded(ledger);
  const expected = ask(traded(new ExactLedger(ledger.partyCount)));
  return { run: () => ask(ledger), check: () => deepStrictEqual(ask(ledger), expected) };
}

function booking(ledger: Ledger): Subject {
  granted(ledger, [TEN_MILLION_DOLLARS]);
  const trades = tradesOf(ledger.partyCount);
  const run = () => {
    for (const { resting, aggressor, contract, price, quantity } of trades) {
      ledger.addTrade(resting, aggressor, contract, price, quantity);
    }
  };
  const release = () => {
    for (const { key } of HOURS) ledger.releaseContract(key);
  };
  return {
    run,
    before: () => Promise.resolve(release()),
    check: () => {
      release();
      run();
      const usage = { quantity: 0, energy: 0, notional: 0 };
      for (const { resting, aggressor, contract, price, quantity } of trades) {
        if (Math.min(resting, aggressor) !== 0 || Math.max(resting, aggressor) !== 1) continue;
        const energy = quantity * contract.minutes;
        usage.quantity += quantity;
        usage.energy += energy;
        usage.notional += energy * Math.abs(price);
      }
      const { quantity, energy, notional } = ledger.usage(1, 0);
      // The peer has bigints.
      deepStrictEqual({ quantity: Number(quantity), energy: Number(energy), notional: Number(notional) }, usage);
    },
  };
}

const peerName = "the same in bigint";
const operations = () => TRADES;

const availableCredit = (name: string, limits: readonly LimitTerms[]): Suite["cases"][number] => ({
  name,
  peerName,
  operations,
  mkt: (entities) => asking(new CreditLedger(entities), limits),
  peer: (entities) => asking(new ExactLedger(entities), limits),
});

export default {
  name: "credit",
  description: "Credit screening, by number of entities",
  sizes: ENTITIES,
  cases: [
    availableCredit("available credit under one limit", [TEN_MILLION_DOLLARS]),
    availableCredit("available credit under a limit beyond 2^53", [TRILLION_DOLLARS]),
    availableCredit("available credit under limits of every kind", EVERY_KIND),
    availableCredit("no credit: no limit", []),
    {
      name: "add a trade",
      peerName,
      operations,
      mkt: (entities) => booking(new CreditLedger(entities)),
      peer: (entities) => booking(new ExactLedger(entities)),
    },
  ],
} satisfies Suite;
