// Completion of the arguments of prompts.

import { describe, expect, test } from "bun:test";
import { ToolError } from "../../core/error.ts";
import { text } from "./support/desk.ts";
import { BASE, ISLAND } from "./support/market.ts";
import { argumentsOf, openPromptSeats, PROMPTS } from "./support/prompt-seats.ts";
import { completionsOf, promptOf } from "./support/prompts.ts";

const seats = await openPromptSeats();
const { orderId } = seats;

describe("completion", () => {
  const ORDER = ["mkt_explain_order", "orderId"] as const;

  test("gives the acting user's open orders first, then the others, newest first", async () => {
    const alice = seats.trader;
    const { runtime } = alice;
    const [first = ""] = await completionsOf(runtime, ORDER, "");
    expect(first).toBe(orderId);
    const closed = text(await alice.buy(BASE, 1, 1), "orderId");
    await alice.ok("mkt_cancel_order", { orderId: closed });
    const [one, two, three] = await completionsOf(runtime, ORDER, "");
    expect([one, two]).toEqual([orderId, closed]);
    expect(three).not.toBe(closed);
  });

  test("narrows by contract and user, and finds by id in any case and by contract", async () => {
    const { runtime } = seats.trader;
    const gretas = await completionsOf(runtime, ORDER, "", { userId: "GRETA" });
    expect(gretas.length).toBe(1);
    expect(gretas).not.toContain(orderId);
    expect(await completionsOf(runtime, ORDER, "", { contractId: ISLAND })).toEqual([]);
    expect(await completionsOf(runtime, ORDER, "", { contractId: "BASE-1", userId: "alice" })).toContain(orderId);
    expect(await completionsOf(runtime, ORDER, orderId.toLowerCase())).toContain(orderId);
    expect(await completionsOf(runtime, ORDER, BASE)).toContain(orderId);
    expect(await completionsOf(runtime, ORDER, "nothing")).toEqual([]);
  });

  test("gives no orders without a connection", async () => {
    expect(await completionsOf(seats.unconnected.runtime, ORDER, "")).toEqual([]);
  });

  test("gives markets, entities, counterparties, presets, events and days", async () => {
    const { runtime } = seats.trader;
    expect(await completionsOf(runtime, ["mkt_morning_check", "marketId"], "isl")).toEqual(["island"]);
    expect(await completionsOf(runtime, ["mkt_credit_review", "entityId"], "")).toEqual(["alpha"]);
    const counterparties = (entityId?: string) =>
      completionsOf(runtime, ["mkt_credit_review", "counterpartyId"], "", {
        ...(entityId !== undefined && { entityId }),
      });
    expect(await counterparties("alpha")).toEqual(["beta", "gamma"]);
    expect(await counterparties(" ALPHA ")).toEqual(["beta", "gamma"]);
    expect(await counterparties()).toEqual(["beta", "gamma"]);
    expect(await counterparties("beta")).toEqual(["alpha", "gamma"]);
    expect(await completionsOf(runtime, ["mkt_sim_experiment", "preset"], "s")).toEqual(["stress"]);
    expect(await completionsOf(runtime, ["mkt_sim_experiment", "eventType"], "heat")).toEqual(["heat_wave"]);
    const days = await completionsOf(runtime, ["mkt_investigate_order", "date"], "");
    expect(days.length).toBe(14);
    expect(days[0]! > days[13]!).toBe(true);
  });

  test.each(PROMPTS.map((prompt) => [prompt.name, prompt] as const))(
    "every value that is offered for %s is accepted",
    async (name, prompt) => {
      const { runtime } = seats.operator;
      const [required = {}] = argumentsOf(prompt, seats.orderId);
      const chosen = name === "mkt_credit_review" ? { entityId: "alpha" } : required;
      for (const argument of Object.keys(prompt.arguments ?? {})) {
        const values = await completionsOf(runtime, [name, argument], "", chosen);
        expect(values.length).toBeGreaterThan(0);
        for (const value of values) {
          const given = { ...chosen, [argument]: value };
          const made = await promptOf(runtime, name, given).catch((error: unknown) => error);
          // Another contract or user than that of the order is the person's mistake.
          if (["contractId", "userId"].includes(argument) && made instanceof ToolError) {
            expect(made.message).toContain(" has ");
          } else expect(made).toBeString();
        }
      }
    },
  );
});
