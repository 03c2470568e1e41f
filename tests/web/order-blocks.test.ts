// Each reason in an order's blockedBy in the words of its page, and who can change it.

import { describe, expect, test } from "bun:test";
import type { OrderBlock } from "../../protocol/index.ts";
import { blockRows, subjectOf } from "../../web/dashboard/pages/order/blocks.ts";

function block(reason: string, more: Partial<OrderBlock> = {}): OrderBlock {
  return { counterpartyId: "ASH", reason, quantity: 6, contractId: "C", price: 4_580, ...more };
}

describe("a reason in words", () => {
  const LIMIT = { limit: 80, used: 79.5, available: 0.5, needed: 1, unit: "MW", scope: "total" } as const;
  const MAY = "a user of ASH with Credit.Manage may do that";

  const rowOf = (one: OrderBlock, permissions: readonly string[] = []) => {
    const viewer = { entityId: "CEDAR", permissions };
    const [row] = blockRows([one], "CEDAR", viewer);
    expect(row).toMatchObject({ counterpartyId: one.counterpartyId, quantity: 6, price: 4_580 });
    return [row!.why, row!.remedy];
  };

  test.each<[one: OrderBlock, why: string, remedy: string | null]>([
    [block("self_trade"), "They are orders of CEDAR itself.", "Change or cancel one of the two."],
    [
      block("entity_documents", { documentation: "no_docs" }),
      "CEDAR has not marked its documents with ASH as in place.",
      "CEDAR marks them as in place: a user of CEDAR with Credit.Manage may do that.",
    ],
    [
      block("counterparty_documents", { documentation: "pending" }),
      "ASH has not marked its documents with CEDAR as in place: they are pending.",
      `ASH marks them as in place: ${MAY}.`,
    ],
    [
      block("entity_no_limit"),
      "CEDAR has set no credit limit for ASH that covers this contract.",
      "CEDAR sets one: a user of CEDAR with Credit.Manage may do that.",
    ],
    [
      block("counterparty_no_limit"),
      "ASH has set no credit limit for CEDAR that covers this contract.",
      `ASH sets one: ${MAY}.`,
    ],
    [
      block("counterparty_limit", LIMIT),
      "The limit of ASH for CEDAR in all contracts together leaves 0.5 MW of 80 MW; one lot needs 1 MW.",
      `ASH raises it, to 81 MW for one lot: ${MAY}.`,
    ],
    [
      block("counterparty_limit", {
        ...LIMIT,
        limit: 1_000,
        used: 900,
        available: 100,
        needed: 1_104,
        unit: "dollars",
      }),
      "The limit of ASH for CEDAR in all contracts together leaves 100 $ of 1,000 $; one lot needs 1,104 $.",
      `ASH raises it, to 2,004 $ for one lot: ${MAY}.`,
    ],
    [
      block("counterparty_limit", { ...LIMIT, limit: 0, used: 0, available: 0, needed: 0, unit: "MWh" }),
      "The limit of ASH for CEDAR in all contracts together of 0 MWh is used up; one lot needs 0 MWh.",
      `ASH raises it, to 1 MWh for one lot: ${MAY}.`,
    ],
    [
      block("counterparty_limit", { ...LIMIT, scope: "per_contract" }),
      "The limit of ASH for CEDAR in this contract leaves 0.5 MW of 80 MW; one lot needs 1 MW.",
      `ASH raises it, to 81 MW for one lot: ${MAY}.`,
    ],
    [
      block("counterparty_limit"),
      "The limit of ASH for CEDAR is missing or leaves too little. Its figures are hidden from you.",
      `ASH sets or raises it: ${MAY}.`,
    ],
    [
      block("documents_or_credit", { counterpartyId: null }),
      "Documents or credit limits of CEDAR and the other entity do not allow it. Which, is hidden from you.",
      "The page of credit shows with whom CEDAR can trade, to its users with Credit.View.",
    ],
    [block("sanctioned"), 'The market names the reason "sanctioned".', null],
  ])("%j", (one, why, remedy) => {
    expect(rowOf(one)).toEqual([why, remedy]);
  });

  test("says who may change it: the acting user for the own entity with Credit.Manage, and for no other", () => {
    const may = ["Credit.Manage"];
    expect(rowOf(block("entity_limit"), may)[1]).toBe("CEDAR sets or raises it: you may do that.");
    expect(rowOf(block("entity_documents"), may)[1]).toBe("CEDAR marks them as in place: you may do that.");
    expect(rowOf(block("counterparty_limit"), may)[1]).toBe(`ASH sets or raises it: ${MAY}.`);
  });

  test("has a subject for the sentence above them, also an unknown one", () => {
    const reasons = ["self_trade", "entity_documents", "counterparty_limit", "documents_or_credit", "on_a_list"];
    expect(reasons.map((reason) => subjectOf(block(reason)))).toEqual([
      "an entity does not trade with itself",
      "documents are missing",
      "a credit limit leaves too little",
      "documents or credit do not allow it",
      "on a list",
    ]);
  });
});
