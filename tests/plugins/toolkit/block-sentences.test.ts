// The sentences for the reasons why an order does not trade. tests/plugins/order-blocks.test.ts has the reasons of a real
// engine.

import { describe, expect, test } from "bun:test";
import { sentencesOn } from "../../../plugins/toolkit/block-sentences.ts";
import type { ToolContext } from "../../../core/tools/context.ts";
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

function textOf(
  blockedBy: Partial<OrderBlock>[],
  change: Partial<OrderBlocks> = {},
  side: 0 | 1 = 0,
  asked: Pick<ToolContext, "snapshot" | "pubsub"> = context,
): string {
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
  return sentencesOn({ ...order, side }, blocks, asked).join(" ");
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

describe("a market that is not open", () => {
  const PREOPEN = "Market m is in preopen, so nothing trades now; matching begins";
  const CLOSED = "Market m is closed, so nothing trades now; preopen begins";

  test("is told once, however many levels are crossed, before what else stands between them", () => {
    const level = (price: number) => ({ reason: "market_preopen", counterpartyId: null, price });
    expect(textOf([level(4200), level(4210), level(4220)])).toBe(`${PREOPEN} at 2030-01-02T09:00:00.000Z.`);
    expect(textOf([level(4200), { price: 4210 }, level(4220)])).toBe(
      `${PREOPEN} at 2030-01-02T09:00:00.000Z. It crosses asks of CEDAR at 4210 cents/MWh and couldn't trade with them ` +
        "in an open market either: SUMMIT doesn't trade with itself (10 MW).",
    );
  });

  test.each([["market_preopen", PREOPEN], ["market_closed", CLOSED]])(
    "%s without a time of its own begins with the next session",
    (reason, begins) => {
      for (const snapshot of [snapshotOf({}), snapshotOf({ "/MARKET/m": { preopen: null, open: null } })]) {
        const asked = { ...context, snapshot };
        expect(textOf([{ reason, counterpartyId: null }], {}, 0, asked)).toBe(`${begins} with the next session.`);
      }
    },
  );
});

test("each reason has its own quantity, and one for all others names nobody", () => {
  const text = textOf([
    { counterpartyId: "A", reason: "entity_documents", documentation: "pending", quantity: 2.5 },
    { counterpartyId: "B", reason: "counterparty_documents", documentation: "no_docs", quantity: 7 },
    { counterpartyId: null, reason: "documents_or_credit", quantity: 1 },
  ]);
  expect(text).toContain(
    "It crosses asks of A, B, other entities at 4200 cents/MWh but can't trade with them: " +
      "SUMMIT has not set docs_in_place for A yet (pending) (2.5 MW); B has not set docs_in_place for SUMMIT (7 MW); " +
      "documents or credit limits between SUMMIT and the other entities prevent it; you may not see which (1 MW).",
  );
});

describe("what can be done about it", () => {
  const DOCUMENTS = "mkt_set_documentation_status";
  const LIMIT = "mkt_set_credit_limit";
  const BOTH = [
    { reason: "entity_documents" },
    { reason: "counterparty_documents" },
    { reason: "entity_no_limit" },
    { reason: "counterparty_limit" },
    { reason: "entity_documents" },
  ];
  const manager = (entityId: string, capabilities: string[]) => {
    const pubsub = pubsubThatIs("connected", capabilities);
    return { snapshot, pubsub: { ...pubsub, session: { ...pubsub.session!, entityId } } };
  };

  test.each([
    [
      "the manager of the order's entity",
      manager("SUMMIT", ["Credit.Manage"]),
      "You",
      "a user of CEDAR with Credit.Manage",
    ],
    ["the manager of the other one", manager("CEDAR", ["Credit.Manage"]), "A user of SUMMIT with Credit.Manage", "you"],
    [
      "a user who may not",
      manager("SUMMIT", ["Order.Submit"]),
      "A user of SUMMIT with Credit.Manage",
      "a user of CEDAR with Credit.Manage",
    ],
  ])("is told to %s: who has which tools, each tool once", (_who, asked, own, other) => {
    expect(textOf(BOTH, {}, 0, asked)).toEndWith(
      ` ${own} can fix it with ${DOCUMENTS} and ${LIMIT}; ${other} can fix it with ${DOCUMENTS} and ${LIMIT}. ${THEN}`,
    );
  });

  test("names nobody whom the user may not see, and the first four of many", () => {
    expect(textOf([{ counterpartyId: null, reason: "counterparty_documents" }])).toEndWith(
      ` A user of the other entity with Credit.Manage can fix it with ${DOCUMENTS}. ${THEN}`,
    );
    const many = ["A", "B", "C", "D", "E"].map((counterpartyId) => ({ counterpartyId, reason: "counterparty_limit" }));
    expect(textOf(many).match(/user of \w+/g)).toEqual(["user of A", "user of B", "user of C", "user of D"]);
  });

  test("is a look at its own credit if the reason is hidden, unless there is something to set; else nothing", () => {
    const look = "mkt_get_credit_status with entityId SUMMIT shows with whom it can trade.";
    const hidden = { counterpartyId: "B", reason: "documents_or_credit" };
    expect(textOf([{}, hidden])).toEndWith(` ${look}`);
    expect(textOf([{ reason: "entity_no_limit" }, hidden])).not.toContain("mkt_get_credit_status");
    expect(textOf([{}])).toEndWith("SUMMIT doesn't trade with itself (10 MW).");
  });
});
