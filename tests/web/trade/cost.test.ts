// The cost of a prepared order, and the credit that is left for it.

import { expect, test } from "bun:test";
import type { CreditPair, CreditUse } from "../../../web/contract/credit.ts";
import { costOf, costWords, creditWords } from "../../../web/dashboard/trade/cost.ts";

test("the cost is price times energy, whatever the sign of the price", () => {
  expect(costOf({ price: 4_650, quantity: 2.5 }, 24)).toEqual({ dollars: 2_790, mw: 2.5, mwh: 60 });
  expect(costOf({ price: -200, quantity: 1 }, 1).dollars).toBe(2);
});

test.each(
  [
    ["BUY", 4_650, "$46.50 to pay"],
    ["SELL", 4_650, "$46.50 to receive"],
    ["BUY", -4_650, "$46.50 to receive"],
    ["SELL", -4_650, "$46.50 to pay"],
    ["BUY", 0, "$0.00"],
  ] as const,
)("a %s at %d cents is %s", (side, price, words) => {
  expect(costWords(costOf({ price, quantity: 1 }, 1), side, price)).toBe(words);
});

const limit = (limitType: CreditUse["limitType"], available: number, contractId: string | null = null): CreditUse => {
  return { limitType, contractId, limit: available, used: 0, available, ownOrders: null };
};

const pair = (counterpartyId: string, notional: number | null, change: Partial<CreditPair> = {}): CreditPair => ({
  entityId: "CEDAR",
  counterpartyId,
  tradable: true,
  reason: null,
  sentence: "",
  documentation: { entity: "docs_in_place", counterparty: "docs_in_place" },
  limits: notional === null ? [] : [limit("notional", notional), limit("notional", 1, "of-another-contract")],
  limitsLeftOut: 0,
  ...change,
});
const COST = { dollars: 1_000, mw: 10, mwh: 240 };

test.each<[string, CreditPair[]]>([
  ["none: no counterparty can trade with you now", []],
  ["none: no counterparty can trade with you now", [pair("A", 5_000, { tradable: false })]],
  ["none: no counterparty can trade with you now", [pair("A", 5_000, { entityId: "ELM" })]],
  ["$5K with each; enough with the one counterparty", [pair("A", 5_000)]],
  ["$1K with each; enough with all 2 counterparties", [pair("A", 1_000), pair("B", 1_000)]],
  ["$999 to $5K; enough with 1 of 2 counterparties", [pair("A", 999), pair("B", 5_000)]],
  ["ample; enough with the one counterparty", [pair("A", 1e12)]],
  ["no limit in dollars; enough with the one counterparty", [pair("A", null)]],
  ["$5K with each; enough with 0 of 2 counterparties", [
    pair("A", 5_000, { limits: [limit("notional", 5_000), limit("mw", 9)] }),
    pair("B", 5_000, { limits: [limit("notional", 5_000), limit("mwh", 239)] }),
  ]],
])("credit left: %s", (words, pairs) => {
  expect(creditWords(pairs, "CEDAR", COST)).toBe(words);
});
