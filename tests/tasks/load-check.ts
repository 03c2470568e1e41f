import { expect } from "bun:test";
import type { Answer } from "./support/agent.ts";
import type { TaskMarket } from "./support/task-market.ts";
import type { Task } from "./support/task.ts";

const OPEN = ["working", "partial", "held"];

async function simulatedOrders(market: TaskMarket) {
  return (await market.modules("ORDER")).filter(({ userId }) => String(userId).startsWith("sim-"));
}

export default {
  name: "load-check",
  setBy: "tester",
  request:
    "load the market with simulated traders, name the busiest, stop, and prove that none of their orders is left",
  // Start, stop and status each have the totals: also of the business of companies, of losses and of how prices were valued.
  budget: { calls: 6, bytes: 5_800 },
  async run(market) {
    const earlier = new Set((await simulatedOrders(market)).map(({ id }) => id));

    const agent = await market.agent("operator");
    await agent.ask("mkt_connect_pubsub");
    await agent.ask("mkt_sim_start", { preset: "thin", seed: 3, speed: 500 });
    await agent.ask("mkt_watch_fills", { waitSeconds: 30, limit: 1 });
    await agent.ask("mkt_sim_stop");
    const { personas } = await agent.ask("mkt_sim_status");
    const [busiest] = personas.toSorted((a: Answer, b: Answer) => b["orders"] - a["orders"]);
    const { total } = await agent.ask("mkt_find_modules", {
      moduleType: "ORDER",
      filters: { userId: { operator: "contains", value: "sim-" }, status: { operator: "in", value: OPEN } },
      limit: 1,
    });

    const orders = await simulatedOrders(market);
    expect(orders.filter((order) => OPEN.includes(String(order["status"])))).toHaveLength(total);
    expect(total).toBe(0);
    // Each persona of this preset has an entity of its own.
    const ofRun = Object.groupBy(orders.filter(({ id }) => !earlier.has(id)), (order) => String(order["entityId"]));
    expect(busiest.orders).toBe(Math.max(...Object.values(ofRun).map((each) => each?.length ?? 0)));
    expect(busiest.orders).toBe(ofRun[busiest.entityId]?.length);
  },
} satisfies Task;
