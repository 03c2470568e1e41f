import { expect } from "bun:test";
import type { Task } from "./support/task.ts";

interface Persona {
  readonly id: string;
  readonly orders: number;
}

const OPEN = ["working", "partial", "held"];

/** The first of those with the most orders. */
function busiestOf(personas: readonly Persona[]): string | undefined {
  return personas.toSorted((a, b) => b.orders - a.orders)[0]?.id;
}

export default {
  name: "load-check",
  setBy: "tester",
  request:
    "load the market with simulated traders, name the busiest, stop, and prove that none of their orders is left",
  budget: { calls: 6, bytes: 5_000 },
  async run(market) {
    const agent = await market.agent("operator");
    await agent.ask("mkt_connect_pubsub");
    await agent.ask("mkt_sim_start", { preset: "thin", seed: 3, speed: 100 });
    await agent.ask("mkt_watch_fills", { waitSeconds: 30, limit: 1 });
    await agent.ask("mkt_sim_stop");
    const { personas } = await agent.ask("mkt_sim_status");
    const { total } = await agent.ask("mkt_find_modules", {
      moduleType: "ORDER",
      filters: { userId: { operator: "contains", value: "sim-" }, status: { operator: "in", value: OPEN } },
      limit: 1,
    });

    const status = await market.simulator("status");
    expect(busiestOf(personas)).toBe(busiestOf(status["personas"] as Persona[]));
    const orders = [...(await market.view()).modules.get("ORDER")?.values() ?? []]
      .filter(({ userId }) => String(userId).startsWith("sim-"));
    expect(orders.length).toBeGreaterThan(0);
    expect(orders.filter((order) => OPEN.includes(String(order["status"])))).toHaveLength(total);
    expect(total).toBe(0);
  },
} satisfies Task;
