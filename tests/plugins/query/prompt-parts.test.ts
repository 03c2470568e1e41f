// The order that a prompt's arguments mean, and the steps of the morning check.

import { expect, test } from "bun:test";
import { entitySteps, marketSteps } from "../../../plugins/query/prompts-morning-steps.ts";
import { narrowingArguments, orderArgument, orderOf, shownOrder } from "../../../plugins/query/prompts-order.ts";
import { contractIds, orderIds, userIdsWithOrders } from "../../../plugins/toolkit/completions.ts";
import { YOUR_ENTITY } from "../../../plugins/toolkit/prompt-text.ts";
import { wholeModule } from "../../support/modules.ts";
import { snapshotOf } from "../support/snapshot-of.ts";

const ORDER = wholeModule("ORDER", { contractId: "C-1", userId: "u-1", side: 1, quantity: 10, filledQuantity: 4 });
const snapshot = snapshotOf({
  "/ORDER/ORD-1": ORDER,
  "/CONTRACT/C-1": {},
  "/CONTRACT/C-2": {},
  "/USER/u-1": {},
  "/USER/u-2": {},
});

test.each<[object, string | null, string]>([
  [{}, null, ""],
  [{ contractId: "C-1", userId: "u-1" }, null, ""],
  [{ orderId: "ord-1", contractId: "c-1", userId: "U-1" }, null, ""],
  [{ contractId: "C-2" }, "invalid_input", 'contractId: order ORD-1 has contractId C-1, not "C-2".'],
  [{ userId: "u-2" }, "invalid_input", 'userId: order ORD-1 has userId u-1, not "u-2".'],
  [{ contractId: "C-1", userId: "u-2" }, "invalid_input", 'userId: order ORD-1 has userId u-1, not "u-2".'],
  [{ contractId: "X" }, "not_found", 'There is no CONTRACT "X".'],
  [{ userId: "X" }, "not_found", 'There is no USER "X".'],
  [{ orderId: "X" }, "not_found", 'There is no ORDER "X".'],
])("the arguments %j mean the order, or are refused as %p", (given, code, message) => {
  const find = () => orderOf({ orderId: "ORD-1", ...given } as never, { snapshot } as never);
  if (code === null) return expect(find().id).toBe("ORD-1");
  expect(find).toThrow(expect.objectContaining({ code, message }));
});

test("each argument is completed with its own ids, and only the order is required", () => {
  const { contractId, userId } = narrowingArguments;
  const completions = [orderArgument, contractId, userId].map((argument) => argument!.complete);
  expect(completions).toEqual([orderIds, contractIds, userIdsWithOrders]);
  expect([orderArgument, contractId, userId].map((argument) => argument!.required ?? true)).toEqual([
    true,
    false,
    false,
  ]);
});

test("a prompt says of an order its terms, what is filled and when, and names its side", () => {
  const shown = shownOrder(orderOf({ orderId: "ORD-1" }, { snapshot } as never), { snapshot } as never);
  expect(Object.keys(shown)).toEqual([
    "id",
    "contractId",
    "marketId",
    "entityId",
    "userId",
    "side",
    "price",
    "quantity",
    "filledQuantity",
    "status",
    "closeReason",
    "timeInForce",
    "createdAt",
    "updatedAt",
  ]);
  expect(shown).toMatchObject({ side: "SELL", quantity: 10, filledQuantity: 4 });
});

const SCOPE = { market: null, marketId: "m", entityId: "e", hours: 9, since: "2030-06-01T03:00:00.000Z" };
const contextWith = (...tools: string[]) => ({ server: { tools: new Set(tools) } }) as never;

/** The first call of a step, with its parameters. */
function callOf(step: string): readonly [tool: string, parameters: unknown] {
  const [, tool = "", parameters = ""] = /(mkt_\w+) (\{.*?\})(?=: )/.exec(step) ?? [];
  return [tool, JSON.parse(parameters)];
}

test.each([["m"], [undefined]])("the steps of a market named %p ask for all of it, since then", (named) => {
  const steps = marketSteps(SCOPE, named, contextWith("mkt_watch_market", "mkt_sim_get_spot_prices"));
  expect(steps.map(callOf)).toEqual([
    ["mkt_get_market_state", named === undefined ? {} : { marketId: "m" }],
    ["mkt_get_audit_log", { moduleType: "MARKET", moduleId: "m", startTime: SCOPE.since }],
    ["mkt_find_modules", {
      moduleType: "CONTRACT",
      filters: { marketId: "m", status: "listed" },
      sort: "deliveryStart",
      fields: ["deliveryStart", "bestBid", "bestAsk", "lastPrice", "volume"],
      limit: 150,
    }],
    ["mkt_find_modules", {
      moduleType: "TRADE",
      filters: { marketId: "m", time: { value: SCOPE.since, operator: "gte" } },
      sort: "-quantity",
      fields: ["contractId", "price", "quantity", "time"],
      limit: 5,
    }],
    ["mkt_sim_get_spot_prices", { hours: 9 }],
  ]);
  expect(steps[1]).toEndWith('If it fails: mkt_watch_market {"limit":30} has those since this server connected.');
});

test("steps name only tools that are offered", () => {
  const steps = marketSteps(SCOPE, "m", contextWith());
  expect([steps.length, steps[1]]).toEqual([4, expect.not.stringContaining("mkt_watch_market")] as never);
  expect(marketSteps(SCOPE, "m", contextWith("mkt_watch_market"))).toHaveLength(4);
  expect(marketSteps(SCOPE, "m", contextWith("mkt_sim_get_spot_prices"))).toHaveLength(5);
});

test.each([["e", false], [YOUR_ENTITY, true]])(
  "the steps of the entity %s may be left out: %p",
  (entityId, mayLack) => {
    const steps = entitySteps(entityId, SCOPE);
    expect(steps.map(callOf)).toEqual([
      ["mkt_find_modules", {
        moduleType: "ORDER",
        filters: {
          marketId: "m",
          entityId,
          status: { value: ["working", "partial", "held"], operator: "in" },
        },
        fields: ["contractId", "side", "price", "remainingQuantity", "status", "userId"],
        limit: 50,
      }],
      ["mkt_get_order", { orderId: "<id of the order>" }],
      ["mkt_get_entity", { entityId, positions: true, limit: 30 }],
      ["mkt_get_credit_status", { entityId, marketId: "m" }],
    ]);
    expect(steps[0]!.endsWith("If your entityId is null, leave out this step and those after it.")).toBe(mayLack);
    expect(steps.slice(1).join("\n")).not.toContain("is null, leave out");
  },
);
