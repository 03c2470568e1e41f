import { expect, test } from "bun:test";
import { CreditLedger } from "../../../engine/market/credit-ledger.ts";

const MW = 1000;
const hour = (key: number, leastPrice = 0, lot = MW) => ({ key, minutes: 60, lot, leastPrice });
const mw = (limit: number, contract: number | null = null) => (
  { limitType: "mw", contract, limit, marginPercent: 100 } as const
);

/** All three grant each other 10 MW, with documents. */
function ledgerOfThree(): CreditLedger {
  const ledger = new CreditLedger(3);
  for (const one of [0, 1, 2]) {
    for (const other of [0, 1, 2].filter((party) => party !== one)) {
      ledger.setDocumentation(one, other, "docs_in_place");
      ledger.replaceLimits(one, other, [mw(10)]);
    }
  }
  return ledger;
}

/** Asks about every pair; then those that a change leaves open are `unsettledPairs`. */
function settled(ledger: CreditLedger): boolean[] {
  return [[0, 1], [0, 2], [1, 2]].map(([one, other]) => ledger.mayTrade(one!, other!));
}

const unsettled = (ledger: CreditLedger) => [...ledger.unsettledPairs()].map((pair) => pair.toSorted().join(""));

test("pairs may trade while a contract is listed, never with themselves, and whoever trades settles nothing", () => {
  const ledger = ledgerOfThree();
  expect(settled(ledger)).toEqual([false, false, false]);
  ledger.listContract(hour(0));
  expect(unsettled(ledger).toSorted()).toEqual(["01", "02", "12"]);
  expect(settled(ledger)).toEqual([true, true, true]);
  expect([ledger.mayTrade(1, 0), ledger.mayTrade(1, 1), unsettled(ledger)]).toEqual([true, false, []]);
  ledger.addTrade(0, 1, hour(0), 5, 10 * MW);
  expect([unsettled(ledger), settled(ledger)]).toEqual([[], [false, true, true]]);
  ledger.unlistContract(0);
  expect(unsettled(ledger).toSorted()).toEqual(["02", "12"]);
  expect(settled(ledger)).toEqual([false, false, false]);
});

test("only the pairs that traded the contract that leaves are asked about again, and find another that is listed", () => {
  const ledger = ledgerOfThree();
  ledger.listContract(hour(0));
  settled(ledger);
  ledger.listContract(hour(1));
  // A limit on the older contract alone: of the newer one nobody of the pair has any.
  ledger.replaceLimits(0, 1, [mw(3, 1)]);
  expect(settled(ledger)).toEqual([true, true, true]);
  ledger.unlistContract(1);
  expect(unsettled(ledger)).toEqual(["01"]);
  expect(settled(ledger)).toEqual([false, true, true]);
  ledger.listContract(hour(2));
  expect(unsettled(ledger)).toEqual(["01"]);
  ledger.unlistContract(9);
  expect(settled(ledger)).toEqual([false, true, true]);
});

test("what a pair has lost or got in documents, limits and usage counts at once, on either side", () => {
  const ledger = ledgerOfThree();
  ledger.listContract(hour(0));
  const mayTrade = () => ledger.mayTrade(0, 1);
  expect(mayTrade()).toBe(true);
  for (const [one, other] of [[0, 1], [1, 0]] as const) {
    ledger.setDocumentation(one, other, "pending");
    expect(mayTrade()).toBe(false);
    ledger.setDocumentation(one, other, "docs_in_place");
    expect(mayTrade()).toBe(true);
    ledger.setLimit(one, other, mw(0.999));
    expect(mayTrade()).toBe(false);
    ledger.setLimit(one, other, mw(1));
    expect(mayTrade()).toBe(true);
    ledger.replaceLimits(one, other, []);
    expect(mayTrade()).toBe(false);
    ledger.replaceLimits(one, other, [mw(5)]);
    expect(mayTrade()).toBe(true);
  }
  ledger.addTrade(0, 1, hour(0), 5, 5 * MW);
  expect(mayTrade()).toBe(false);
  expect(ledger.releaseContract(0)).toEqual([[0, 1]]);
  expect(mayTrade()).toBe(true);
});

test("a lot of the contract at its least price decides", () => {
  const dollars = (limit: number) => ({ limitType: "notional", contract: null, limit, marginPercent: 100 } as const);
  const ledger = ledgerOfThree();
  ledger.replaceLimits(0, 1, [dollars(10)]);
  ledger.listContract(hour(0, 1_001));
  expect(ledger.mayTrade(0, 1)).toBe(false);
  ledger.listContract(hour(1, 1_000, 1_001));
  expect(ledger.mayTrade(0, 1)).toBe(false);
  ledger.listContract(hour(2, -1_000));
  expect([ledger.mayTrade(0, 1), ledger.creditStatus(0)]).toEqual([true, "ok"]);
});
