import { expect, test } from "bun:test";
import type { CreditPair, CreditReason } from "../../web/contract/credit.ts";
import {
  countStandings,
  moved,
  pairKey,
  pairsByKey,
  SHOWN,
  standingOf,
  whySentence,
} from "../../web/dashboard/pages/credit/words.ts";

function pairOf(reason: CreditReason | null, more: Partial<CreditPair> = {}): CreditPair {
  const documentation = { entity: "docs_in_place", counterparty: "docs_in_place" } as const;
  const credit = { limits: [], limitsLeftOut: 0 };
  const words = { tradable: reason === null, reason, sentence: "" };
  return { entityId: "A", counterpartyId: "B", ...words, documentation, ...credit, ...more };
}

const REASONS: readonly [CreditReason | null, string, string][] = [
  [null, "can trade", "A and B can trade with each other."],
  ["entity_documents", "documents missing", "A has not set its documents with B as in place."],
  ["counterparty_documents", "documents missing", "B has not set its documents with A as in place."],
  ["entity_no_limit", "no limit set", "A has set no limit for B."],
  ["entity_limit", "no credit left", "The limits of A for B leave no lot of any contract."],
  ["counterparty_limit", "limit of the other", "The limits of B for A are missing or leave no lot of any contract."],
  ["no_contract", "no contract listed", "No contract is listed now."],
];

test.each(REASONS)("the reason %s in words", (reason, word, sentence) => {
  const pair = pairOf(reason);
  expect([SHOWN[standingOf(pair)].word, whySentence(pair)]).toEqual([word, sentence]);
});

test("a refusal without a reason is no permission to trade", () => {
  const pair = pairOf(null, { tradable: false });
  expect(standingOf(pair)).not.toBe("tradable");
  expect(whySentence(pair)).toContain("can't trade");
});

test("each standing has a picture of its own, so that colour is not needed", () => {
  const icons = Object.values(SHOWN).map(({ icon }) => icon);
  expect(new Set(icons).size).toBe(icons.length);
});

test("pairs are found by both ids, whatever characters these have", () => {
  const odd = pairOf(null, { entityId: 'a","b', counterpartyId: "c" });
  const pairs = pairsByKey({ pairs: [odd, pairOf("entity_limit")] });
  expect(pairs.get(pairKey('a","b', "c"))?.tradable).toBe(true);
  expect(pairs.get(pairKey("A", "B"))?.tradable).toBe(false);
  expect(pairs.get(pairKey("a", 'b","c'))).toBeUndefined();
});

test("the legend counts every pair once", () => {
  const counts = countStandings(REASONS.map(([reason]) => pairOf(reason)));
  expect(counts).toEqual({ tradable: 1, documents: 2, no_limit: 1, limit: 1, other_limit: 1, no_contract: 1 });
});

test("the keys of the grid move by one or ten and stay inside, or to the ends; other keys do nothing", () => {
  const at = { row: 1, column: 1 };
  const to = (key: string, hasControl = false) => moved(at, key, hasControl, 3, 4);
  expect(["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"].map((key) => to(key)))
    .toEqual([{ row: 0, column: 1 }, { row: 2, column: 1 }, { row: 1, column: 0 }, { row: 1, column: 2 }]);
  expect(moved({ row: 2, column: 2 }, "ArrowDown", false, 3, 3)).toEqual({ row: 2, column: 2 });
  const far = ["PageUp", "PageDown"].map((key) => moved({ row: 15, column: 2 }, key, false, 40, 4));
  expect(far).toEqual([{ row: 5, column: 2 }, { row: 25, column: 2 }]);
  expect([to("PageDown"), to("Home"), to("End", true)])
    .toEqual([{ row: 2, column: 1 }, { row: 1, column: 0 }, { row: 2, column: 3 }]);
  expect(to("Tab")).toBeNull();
});
