// How much of each credit limit is used: in dollars, MW and MWh, as shares, warnings and words.

import { describe, expect, test } from "bun:test";
import { sorted } from "../../web/components/sorting.tsx";
import type { CreditPair, CreditUse } from "../../web/contract/credit.ts";
import {
  leftAfterOrders,
  leftWords,
  sortValue,
  usageRows,
  type UseColumn,
  usedShare,
  usedWords,
  warningOf,
  warningsIn,
} from "../../web/dashboard/pages/credit/uses.ts";

const use = (limit: number, used: number, more: Partial<CreditUse> = {}): CreditUse => (
  { limitType: "notional", contractId: null, limit, used, available: limit - used, ownOrders: null, ...more }
);
const pair = (counterpartyId: string, limits: readonly CreditUse[], more: Partial<CreditPair> = {}): CreditPair => ({
  ...{ entityId: "A", counterpartyId, tradable: true, reason: null, sentence: "", limits, limitsLeftOut: 0 },
  documentation: { entity: "docs_in_place", counterparty: "docs_in_place" },
  ...more,
});
const EXACT = { isExact: true };

describe("what is used of a limit", () => {
  test.each([
    [use(100, 0), 0, undefined],
    [use(100, 80), 0.8, undefined],
    [use(1_000, 801), 0.801, "above 80 %"],
    [use(1_000, 999), 0.999, "above 80 %"],
    [use(100, 100), 1, "used up"],
    [use(100, 120), 1.2, "used up"],
    [use(0, 0), 1, "used up"],
    [use(0, 5), 1, "used up"],
  ])("%j is the share %p, with the warning %p", (one, share, word) => {
    expect([usedShare(one), warningOf(one)?.word]).toEqual([share, word]);
  });

  test.each(
    [
      ["notional", "4.2M $ of 5M $", "4,200,000 $ of 5,000,000 $", "800K $", "800,000 $"],
      ["mw", "4,200,000 MW of 5,000,000 MW", "4,200,000 MW of 5,000,000 MW", "800,000 MW", "800,000 MW"],
      ["mwh", "4,200,000 MWh of 5,000,000 MWh", "4,200,000 MWh of 5,000,000 MWh", "800,000 MWh", "800,000 MWh"],
    ] as const,
  )("has the unit of its type: %s", (limitType, used, exactlyUsed, left, exactlyLeft) => {
    const one = use(5_000_000, 4_200_000, { limitType });
    expect([usedWords(one), usedWords(one, EXACT)]).toEqual([used, exactlyUsed]);
    expect([leftWords(one.available, one), leftWords(one.available, one, EXACT)]).toEqual([left, exactlyLeft]);
  });

  test("may be more than the limit, and the greatest limit of all is no figure until it is used", () => {
    const over = use(100, 112.5, { limitType: "mw" });
    expect([usedWords(over), leftWords(over.available, over)]).toEqual(["112.5 MW of 100 MW", "none, over by 12.5 MW"]);
    const ample = use(1e12, 3_000);
    expect([usedWords(ample), leftWords(ample.available, ample)]).toEqual(["3K $ of an ample limit", "ample"]);
    const used = use(1e12, 9e11);
    expect([leftWords(used.available, used), warningOf(used)?.word]).toEqual(["100B $", "above 80 %"]);
  });

  test("after own open orders is less, or too little, and nothing is said of others", () => {
    expect([use(100, 60, { ownOrders: 30 }), use(100, 60, { ownOrders: 50 }), use(100, 60)].map(leftAfterOrders))
      .toEqual([10, -10, null]);
  });
});

describe("the rows", () => {
  const PAIRS = [
    pair("B", [use(100, 50, { ownOrders: 10 }), use(10, 1, { limitType: "mw", contractId: "C", ownOrders: 8 })]),
    pair("C", [], { tradable: false, reason: "entity_no_limit" }),
    pair("D", [use(1_000, 900, { limitType: "mwh", ownOrders: 200 })], { limitsLeftOut: 3 }),
    pair("E", [use(0, 0)], { tradable: false, reason: "counterparty_documents" }),
  ];
  const order = (column: UseColumn, descending: boolean) =>
    sorted(usageRows(PAIRS), { column, descending }, sortValue)
      .map(({ pair: { counterpartyId }, use }) => `${counterpartyId}${use?.limitType[1] ?? ""}`).join(" ");

  test("are one for each limit, and one for a pair without any, each with a key of its own", () => {
    const rows = usageRows(PAIRS);
    expect(rows.map(({ pair: { counterpartyId }, use }) => [counterpartyId, use?.limit ?? null]))
      .toEqual([["B", 100], ["B", 10], ["C", null], ["D", 1_000], ["E", 0]]);
    expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length);
  });

  test("are sorted by shares, whatever their units, and those without a limit come last", () => {
    expect([order("used", true), order("used", false)]).toEqual(["Eo Dw Bo Bw C", "Bw Bo Dw Eo C"]);
    expect([order("left", false), order("after", false)]).toEqual(["Eo Dw Bo Bw C", "Dw Bw Bo C Eo"]);
    expect([order("pair", false), order("standing", false)]).toEqual(["Bo Bw C Dw Eo", "Eo C Bo Bw Dw"]);
  });

  test("warn of what is used up, nearly used, too little for own orders, and of missing documents", () => {
    expect(warningsIn(PAIRS)).toEqual({ usedUp: 1, nearlyUsed: 1, tooLittle: 1, documents: 1, leftOut: 3 });
    expect(warningsIn([pair("B", [use(100, 80, { ownOrders: 20 })])]))
      .toEqual({ usedUp: 0, nearlyUsed: 0, tooLittle: 0, documents: 0, leftOut: 0 });
  });
});
