import { describe, expect, test } from "bun:test";
import { CreditLedger } from "../../../engine/market/credit-ledger.ts";
import type { LimitTerms } from "../../../engine/market/credit-limit.ts";

const A = 0;
const B = 1;
const C = 2;
/** One hour. A dollar of notional is 100 cents/MWh x MW. */
const HOUR = { key: 0, minutes: 60, lot: 1000, leastPrice: 0 };
const PEAK = { key: 1, minutes: 960, lot: 1000, leastPrice: 0 };
const AMPLE: LimitTerms = { limitType: "notional", contract: null, limit: 1e12, marginPercent: 100 };
const MW = 1000;

function limit(limitType: LimitTerms["limitType"], value: number, more: Partial<LimitTerms> = {}): LimitTerms {
  return { limitType, contract: null, limit: value, marginPercent: 100, ...more };
}

/** A and B have documents in place. A sets the given limits for B; B grants ample credit. */
function ledgerWith(...limits: LimitTerms[]): CreditLedger {
  const ledger = new CreditLedger(3);
  for (const contract of [HOUR, PEAK]) ledger.listContract(contract);
  ledger.setDocumentation(A, B, "docs_in_place");
  ledger.setDocumentation(B, A, "docs_in_place");
  ledger.replaceLimits(A, B, limits);
  ledger.replaceLimits(B, A, [AMPLE]);
  return ledger;
}

function availableMegawatts(ledger: CreditLedger, contract = HOUR, price = 5000): number {
  expect(ledger.availableCredit(A, B, contract, price)).toBe(ledger.availableCredit(B, A, contract, price));
  return ledger.availableCredit(A, B, contract, price) / MW;
}

test("a contract that ends takes the limits on it along, each once, and no others: its key may be another contract's", () => {
  const onHour = limit("mw", 1, { contract: HOUR.key });
  const onPeak = limit("mw", 2, { contract: PEAK.key });
  const ledger = ledgerWith(AMPLE, onHour, onPeak);
  ledger.replaceLimits(B, C, [onHour]);
  ledger.addTrade(A, B, HOUR, 5000, MW);
  expect(() => ledger.closeContract(HOUR.key)).toThrow();
  expect(ledger.releaseContract(HOUR.key)).toEqual([[A, B]]);
  const dropped = ledger.closeContract(HOUR.key);
  expect(dropped).toMatchObject([
    { party: A, counterparty: B, terms: onHour },
    { party: B, counterparty: C, terms: onHour },
  ]);
  expect(ledger.closeContract(HOUR.key)).toEqual([]);
  ledger.listContract(HOUR);
  expect(availableMegawatts(ledger, HOUR)).toBeGreaterThan(1);
  expect(availableMegawatts(ledger, PEAK)).toBe(2);
  expect(ledger.limitUsage(B, C)).toEqual([]);
});

test("a contract with the key of an ended one has its own minutes, and neither limits nor trades of that one", () => {
  const ledger = ledgerWith(limit("mwh", 96), limit("mwh", 3, { contract: HOUR.key }));
  ledger.addTrade(A, B, HOUR, 5000, MW);
  const ofEnded = ledger.availableCreditIn(HOUR);
  expect([availableMegawatts(ledger), ofEnded(A, B, 5000), ledger.mayTrade(A, B)]).toEqual([2, 2 * MW, true]);
  ledger.releaseContract(HOUR.key);
  ledger.closeContract(HOUR.key);
  const next = { ...HOUR, minutes: 120 };
  ledger.listContract(next);
  expect([availableMegawatts(ledger, next), ledger.availableCreditIn(next)(A, B, 5000)]).toEqual([48, 48 * MW]);
  ledger.addTrade(A, B, next, 5000, 8 * MW);
  expect([availableMegawatts(ledger, next), [...ledger.contractUsage(next.key)]]).toMatchObject([
    40,
    [{ party: A, counterparty: B, usage: { quantity: 8 * MW, energy: 16 * MW * 60 } }],
  ]);
});

describe("credit", () => {
  test("a notional limit allows limit / |price| / hours to the kW, at negative prices too", () => {
    const ledger = ledgerWith(limit("notional", 1000));
    expect(availableMegawatts(ledger, HOUR, 5000)).toBe(20);
    expect(availableMegawatts(ledger, HOUR, -5000)).toBe(20);
    expect(availableMegawatts(ledger, PEAK, 5000)).toBe(1.25);
    expect(availableMegawatts(ledger, HOUR, 3001)).toBe(33.322);
  });

  test("a margin reduces the face value that counts", () => {
    const ledger = ledgerWith(limit("notional", 1000, { marginPercent: 12.5 }));
    expect(availableMegawatts(ledger)).toBe(160);
    ledger.addTrade(A, B, HOUR, 5000, 60 * MW);
    expect(availableMegawatts(ledger)).toBe(100);
    expect(ledger.limitUsage(A, B)).toMatchObject([{ used: 375, available: 625 }]);
  });

  test("a margin of 0 leaves a notional limit unused, and a limit of 0 allows nothing at any price", () => {
    expect(availableMegawatts(ledgerWith(limit("notional", 1, { marginPercent: 0 }), limit("mw", 9)))).toBe(9);
    expect(availableMegawatts(ledgerWith(limit("notional", 0)), HOUR, 0)).toBe(0);
    expect(availableMegawatts(ledgerWith(limit("notional", 0, { marginPercent: 0 })))).toBe(0);
  });

  test("an mw limit counts quantity and an mwh limit energy, whatever the margin", () => {
    expect(availableMegawatts(ledgerWith(limit("mw", 12.5, { marginPercent: 50 })), PEAK)).toBe(12.5);
    expect(availableMegawatts(ledgerWith(limit("mwh", 160, { marginPercent: 50 })), PEAK)).toBe(10);
    const ledger = ledgerWith(limit("mw", 12), limit("mwh", 160));
    ledger.addTrade(A, B, PEAK, 100, 2 * MW);
    expect(ledger.limitUsage(A, B)).toMatchObject([{ used: 2, available: 10 }, { used: 32, available: 128 }]);
    expect(availableMegawatts(ledger, PEAK)).toBe(8);
  });

  test("all limits that cover the contract apply, total and per contract", () => {
    const ledger = ledgerWith(limit("mw", 10), limit("mw", 6, { contract: HOUR.key }), limit("mwh", 64));
    expect(availableMegawatts(ledger, HOUR)).toBe(6);
    expect(availableMegawatts(ledger, PEAK)).toBe(4);
    ledger.addTrade(A, B, HOUR, 5000, 5 * MW);
    expect(availableMegawatts(ledger, HOUR)).toBe(1);
    expect(availableMegawatts(ledger, PEAK)).toBe(3.687);
    expect(ledger.limitUsage(A, B).map(({ used }) => used)).toEqual([5, 5, 5]);
  });

  test("usage is gross, and the same in both directions", () => {
    const ledger = ledgerWith(limit("notional", 1000));
    ledger.addTrade(A, B, HOUR, 5000, 4 * MW);
    ledger.addTrade(B, A, HOUR, -5000, 4 * MW);
    expect(availableMegawatts(ledger)).toBe(12);
    expect(ledger.usage(A, B)).toEqual(ledger.usage(B, A));
    expect(ledger.limitUsage(A, B)).toMatchObject([{ used: 400, available: 600 }]);
  });

  test("the end of delivery releases the usage of a contract, and returns the pairs", () => {
    const ledger = ledgerWith(limit("mw", 10));
    ledger.addTrade(A, B, HOUR, 5000, 4 * MW);
    ledger.addTrade(B, C, PEAK, 5000, 4 * MW);
    ledger.addTrade(A, B, PEAK, 5000, 1 * MW);
    expect(ledger.releaseContract(HOUR.key)).toEqual([[A, B]]);
    expect(availableMegawatts(ledger)).toBe(9);
    expect(ledger.usage(B, C).quantity).toBe(4000);
    expect(ledger.releaseContract(HOUR.key)).toEqual([]);
  });

  test("two may trade if there is credit for a lot of a listed contract at the allowed price nearest to 0", () => {
    const ledger = ledgerWith(limit("mw", 1.5));
    const mayTrade = () => [ledger.mayTrade(A, B), ledger.mayTrade(B, A), ledger.creditStatus(A)];
    expect(mayTrade()).toEqual([true, true, "ok"]);
    ledger.addTrade(A, B, HOUR, 5000, 1 * MW);
    expect(mayTrade()).toEqual([false, false, "exhausted"]);
    ledger.setLimit(A, B, limit("mw", 2, { contract: null }));
    expect(mayTrade()).toEqual([true, true, "ok"]);
    for (const { key } of [HOUR, PEAK]) ledger.setLimit(A, B, limit("mw", 0, { contract: key }));
    expect(mayTrade()).toEqual([false, false, "exhausted"]);
    ledger.listContract({ key: 2, minutes: 60, lot: 1000, leastPrice: 10 });
    expect([...ledger.unsettledPairs()].length).toBeGreaterThan(0);
    expect(mayTrade()).toEqual([true, true, "ok"]);
    ledger.setLimit(A, B, limit("notional", 50.09));
    expect(mayTrade()).toEqual([false, false, "exhausted"]);
    ledger.setLimit(A, B, limit("notional", 50.1));
    expect(mayTrade()).toEqual([true, true, "ok"]);
    ledger.unlistContract(2);
    expect(mayTrade()).toEqual([false, false, "exhausted"]);
    for (const { key } of [HOUR, PEAK]) ledger.unlistContract(key);
    expect(mayTrade()).toEqual([false, false, "ok"]);
  });

  test("the credit status is ok with credit for some counterparty, exhausted without, none without limits", () => {
    const ledger = ledgerWith(limit("mw", 4));
    expect([ledger.creditStatus(A), ledger.creditStatus(C)]).toEqual(["ok", "none"]);
    ledger.addTrade(A, B, HOUR, 5000, 4 * MW);
    expect(ledger.creditStatus(A)).toBe("exhausted");
    ledger.setLimit(A, C, limit("mw", 1, { contract: 1 }));
    expect(ledger.creditStatus(A)).toBe("ok");
  });

  test("a fractional limit means the decimal number that it prints as", () => {
    const ledger = ledgerWith(limit("mw", 0.3));
    ledger.addTrade(A, B, HOUR, 1, 100);
    ledger.addTrade(A, B, HOUR, 1, 200);
    expect(ledger.availableCredit(A, B, HOUR, 1)).toBe(0);
    expect(ledger.limitUsage(A, B)).toMatchObject([{ used: 0.3, available: 0 }]);
  });
});
