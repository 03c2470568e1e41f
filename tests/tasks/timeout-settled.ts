import { expect } from "bun:test";
import { atEnd } from "../support/at-end.ts";
import { CuttingProxy } from "../support/cutting-proxy.ts";
import type { Agent, Answer } from "./support/agent.ts";
import type { Task } from "./support/task.ts";

const TRADER = "sunfield-trader-1";
/** Shorter than the default 15 s; long enough for a confirmation on a busy machine. */
const MKT_CONFIRM_TIMEOUT_MS = "3000";

/** After a timeout: connects again, looks for the order, and repeats the call only if the market does not have it. */
async function settle(agent: Agent, order: Answer): Promise<Answer> {
  await agent.ask("mkt_connect_pubsub");
  const filters = { clientOrderId: order["idempotencyKey"] };
  const { ids } = await agent.ask("mkt_find_modules", { moduleType: "ORDER", filters });
  if (ids.length > 0) return { orderId: ids[0] };
  const { value } = await agent.try("mkt_create_test_order", order);
  // mkt noticed only now that the connection is lost, and sent nothing.
  return value["status"] === "not_connected" ? await settle(agent, order) : value;
}

export default {
  name: "timeout-settled",
  setBy: "tester",
  request: "the answer to an order did not come: does it exist? send it, but never twice",
  // Six calls more if both losses are noticed late.
  budget: { calls: 14, bytes: 6_000 },
  async run(market) {
    const contractId = await market.contractOf("WEST-MO-BASE");
    const proxy = await CuttingProxy.to(market.engine.port);
    atEnd(() => proxy[Symbol.asyncDispose]());
    const agent = await market.agent(TRADER, { MKT_WS_URL: proxy.url, MKT_CONFIRM_TIMEOUT_MS });
    const order = { contractId, side: "BUY", price: 1500, quantity: 3 };

    await agent.ask("mkt_connect_pubsub");
    // The order arrives, and its confirmation is lost.
    proxy.mute();
    const arriving = { ...order, idempotencyKey: "arrives" };
    const unanswered = await agent.try("mkt_create_test_order", arriving);
    proxy.cut();
    const first = await settle(agent, arriving);
    // The order is lost on its way.
    proxy.hold();
    const lost = { ...order, idempotencyKey: "is-lost" };
    const unheard = await agent.try("mkt_create_test_order", lost);
    proxy.cut();
    proxy.deliver();
    const second = await settle(agent, lost);

    expect([unanswered.value["status"], unheard.value["status"]]).toEqual(["timeout", "timeout"]);
    const orders = await market.modules("ORDER", { userId: TRADER, contractId });
    expect(orders.map(({ id, clientOrderId }) => [clientOrderId, id])).toEqual([
      ["arrives", first["orderId"]],
      ["is-lost", second["orderId"]],
    ]);
  },
} satisfies Task;
