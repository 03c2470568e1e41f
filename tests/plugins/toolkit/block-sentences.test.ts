// The sentences for the reasons why an order does not trade. tests/plugins/order-blocks.test.ts has the reasons of a real
// engine.

import { describe, expect, test } from "bun:test";
import { sentencesOn } from "../../../plugins/toolkit/block-sentences.ts";
import type { ModuleData } from "../../../protocol/modules/registry.ts";
import type { OrderBlock, OrderBlocks } from "../../../protocol/index.ts";
import { pubsubThatIs } from "../../core/support/services.ts";
import { wholeModule } from "../../support/modules.ts";
import { snapshotOf } from "../support/still-market.ts";

const order = {
  id: "ORD-7",
  ...wholeModule("ORDER", { entityId: "SUMMIT", contractId: "con", marketId: "m", side: 0 }),
} as ModuleData<"ORDER">;
const snapshot = snapshotOf({
  "/MARKET/m": { status: "closed", preopen: "2030-01-02T08:00:00.000Z", open: "2030-01-02T09:00:00.000Z" },
});
const context = { snapshot, pubsub: pubsubThatIs("connected", ["Credit.Manage"]) };

function textOf(blockedBy: Partial<OrderBlock>[], change: Partial<OrderBlocks> = {}, side: 0 | 1 = 0): string {
  const whole = blockedBy.map((block) => ({
    counterpartyId: "CEDAR",
    reason: "self_trade",
    quantity: 10,
    contractId: "con",
    price: 4200,
    ...block,
  }));
  const blocks: OrderBlocks = {
    orderId: "ORD-7",
    contractId: "con",
    marketStatus: "open",
    blockedBy: whole,
    moreCounterparties: 0,
    complete: true,
    ...change,
  };
  return sentencesOn({ ...order, side }, blocks, context).join(" ");
}

const CROSSES = "It crosses asks of CEDAR at 4200 cents/MWh but can't trade with them:";
const BY_CEDAR = "A user of CEDAR with Credit.Manage can fix it with";
const THEN = "The orders then trade by themselves.";
const FIGURES = {
  limitType: "notional",
  scope: "total",
  limit: 1000,
  used: 970,
  available: 30,
  needed: 42,
  unit: "dollars",
} as const;

describe("one reason reads", () => {
  test.each([
    [
      { reason: "counterparty_documents" },
      `${CROSSES} CEDAR has not set docs_in_place for SUMMIT (10 MW). ${BY_CEDAR} mkt_set_documentation_status. ${THEN}`,
    ],
    [
      { reason: "entity_limit", ...FIGURES },
      `${CROSSES} SUMMIT's total notional limit for CEDAR leaves 30 of 1000 dollars, and one lot needs 42 (10 MW). ` +
      `A user of SUMMIT with Credit.Manage can fix it with mkt_set_credit_limit. ${THEN}`,
    ],
    [
      { reason: "counterparty_no_limit" },
      `${CROSSES} CEDAR has set no credit limit for SUMMIT that covers con (10 MW). ${BY_CEDAR} mkt_set_credit_limit. ${THEN}`,
    ],
    [
      { reason: "counterparty_limit" },
      `${CROSSES} CEDAR's limit for SUMMIT leaves too little; you may not see its figures (10 MW). ` +
      `${BY_CEDAR} mkt_set_credit_limit. ${THEN}`,
    ],
    [{ reason: "solar_eclipse" }, `${CROSSES} solar_eclipse (10 MW).`],
    [
      { reason: "market_preopen", counterpartyId: null },
      "Market m is in preopen, so nothing trades now; matching begins at 2030-01-02T09:00:00.000Z.",
    ],
    [
      { reason: "market_closed", counterpartyId: null },
      "Market m is closed, so nothing trades now; preopen begins at 2030-01-02T08:00:00.000Z.",
    ],
  ] as [Partial<OrderBlock>, string][])("%p", (block, expected) => {
    expect(textOf([block])).toBe(expected);
  });
});

test("an order that sells crosses bids", () => {
  expect(textOf([{}], {}, 1)).toStartWith("It crosses bids of CEDAR at 4200 cents/MWh but");
});

test("many reasons: the first four in words, the others and what was left out as numbers", () => {
  const many = Array.from(
    { length: 7 },
    (_, at) => ({ counterpartyId: `E${at}`, reason: "self_trade", price: 4200 + at }),
  );
  const text = textOf(many, { moreCounterparties: 3, complete: false });
  expect(text).toStartWith("It crosses asks from 4200 cents/MWh on but can't trade with them:");
  expect(text).toContain("3 more in blockedBy.");
  expect(text).toContain("3 more counterparties are left out.");
  expect(text).toContain("It may cross more orders than were examined.");
  expect(text.length).toBeLessThan(600);
});

test.each([[1, " of E0", ""], [4, " of E0, E1, E2, E3", ""], [5, "", "1 more in blockedBy"]])(
  "%d reasons name whose orders are crossed as %p, and the reasons that are left out as %p",
  (count, owners, more) => {
    const text = textOf(Array.from({ length: count }, (_, at) => ({ counterpartyId: `E${at}` })));
    expect(text).toStartWith(`It crosses asks${owners} at 4200 cents/MWh`);
    expect(text.includes("more in blockedBy")).toBe(more !== "");
    expect(text).toContain(more);
  },
);
