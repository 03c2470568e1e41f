// What an agent does in a run, action by action: each is carried out or refused alone.

import { describe, expect, test } from "bun:test";
import type { Action, ActionResult } from "../../../../sim/outside/agents/agent-messages.ts";
import { type AgentPlan, play, submission } from "./support.ts";

describe("actions", () => {
  /** The results of actions at the start. */
  async function resultsOf(
    actions: AgentPlan["decide"],
    hello: AgentPlan["hello"] = {},
  ): Promise<readonly ActionResult[]> {
    let results: readonly ActionResult[] = [];
    await play([{
      hello: { products: ["NORTH-DA-BASE"], ...hello },
      decide: (observation, count) => count === 0 ? actions!(observation, count) : {},
      onAnswer: (given) => results = given,
    }], { hours: 0.01 });
    return results;
  }

  test("are answered in order", async () => {
    const results = await resultsOf(() => ({
      actions: [
        submission(),
        { kind: "modify", orderId: "1", price: 200, quantity: 2 },
        { kind: "cancel", orderId: "1" },
        { kind: "cancel", orderId: "1" },
        submission({ price: 300 }),
      ],
    }));
    expect(results).toEqual([
      { accepted: true, orderId: "1", remainingQuantity: 1, trades: [] },
      { accepted: true, orderId: "1", remainingQuantity: 2, trades: [] },
      { accepted: true, orderId: "1", remainingQuantity: 0, trades: [] },
      { accepted: false, code: "not_found", message: "There is no open order 1." },
      { accepted: true, orderId: "2", remainingQuantity: 1, trades: [] },
    ]);
  });

  test.each<[string, object, string]>([
    ["a contract that does not exist", { contractId: "NONE" }, "not_found"],
    ["a price beyond the contract's limits", { price: 500_001 }, "invalid_price"],
    ["a part of a cent", { price: 100.5 }, "invalid_price"],
    ["no price", { price: null }, "invalid_price"],
    ["no quantity", { quantity: 0 }, "invalid_quantity"],
    ["no such kind", { kind: "buy" }, "invalid_action"],
    ["a part of a lot", { quantity: 0.5 }, "invalid_quantity"],
    ["a part of a kilowatt", { quantity: 1.0001 }, "invalid_quantity"],
    ["more lots than an order may have", { quantity: 51 }, "order_too_large"],
  ])("are refused: %s", async (_, changes, code) => {
    const results = await resultsOf(() => ({ actions: [submission(changes as Action), submission()] }));
    expect(results).toMatchObject([{ accepted: false, code }, { accepted: true }]);
  });

  test("are refused beyond the limits that the welcome names", async () => {
    const actions = [50, 50, 50, 50, 1].map((quantity) => submission({ quantity }));
    const results = await resultsOf(() => ({ actions }));
    expect(results.slice(0, 4).every(({ accepted }) => accepted)).toBe(true);
    expect(results[4]).toMatchObject({ accepted: false, code: "position_limit" });
    const many = await resultsOf(() => ({ actions: Array.from({ length: 61 }, () => submission()) }));
    expect(many.filter(({ accepted }) => accepted)).toHaveLength(60);
    expect(many.at(-1)).toMatchObject({ code: "too_many_orders" });
  });

  test("are refused if they meet an order of the same company", async () => {
    const results = await resultsOf(() => ({
      actions: [
        submission({ price: 100 }),
        submission({ side: "SELL", price: 100 }),
        submission({ side: "SELL", price: 101 }),
      ],
    }));
    const codes = results.map((result) => result.accepted ? "accepted" : result.code);
    expect(codes).toEqual(["accepted", "own_order", "accepted"]);
  });
});

test("an order that is filled in part is answered with its trades and what remains, also when it is changed", async () => {
  let results: readonly ActionResult[] = [];
  const hello = { products: ["NORTH-DA-BASE"] };
  const once = (actions: Action[]): AgentPlan["decide"] => (_observation, count) => count === 0 ? { actions } : {};
  await play([
    {
      hello: { ...hello, name: "a" },
      decide: once([submission({ side: "SELL", quantity: 1 }), submission({ side: "SELL", price: 101, quantity: 2 })]),
    },
    {
      hello: { ...hello, name: "b" },
      decide: once([
        submission({ price: 101, quantity: 10 }),
        { kind: "modify", orderId: "1", quantity: 5 },
        { kind: "modify", orderId: "1", price: 102 },
        { kind: "modify", orderId: "1", quantity: 3 },
        { kind: "cancel", orderId: "1" },
      ]),
      onAnswer: (given) => results = given,
    },
  ], { hours: 0.001 });
  const trades = [{ price: 100, quantity: 1 }, { price: 101, quantity: 2 }];
  expect(results).toEqual([
    { accepted: true, orderId: "1", remainingQuantity: 7, trades },
    { accepted: true, orderId: "1", remainingQuantity: 2, trades: [] },
    { accepted: true, orderId: "1", remainingQuantity: 2, trades: [] },
    { accepted: false, code: "invalid_quantity", message: "The quantity must be greater than what is filled." },
    { accepted: true, orderId: "1", remainingQuantity: 0, trades: [] },
  ]);
});

test("agents get companies without personas, each its own as long as there are any, unless they name one", async () => {
  const names = ["a", "b", "c", "d", "e", "f"];
  const { report } = await play(
    names.map((name) => ({
      hello: {
        name,
        ...(name === "b" ? { entityId: "JUNIPER" } : {}),
        ...(name === "c" ? { entityId: "SUMMIT" } : {}),
      },
    })),
    { hours: 0.01 },
  );
  const agents = report.personas.filter(({ id }) => id.startsWith("agent-"));
  expect(agents.map(({ entityId }) => entityId))
    .toEqual(["WILLOW", "JUNIPER", "SUMMIT", "ASPEN", "HAWTHORN", "WILLOW"]);
  expect(agents.map(({ userId }) => userId)[0]).toBe("willow-trader-1");
});
