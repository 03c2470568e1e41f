import { expect } from "bun:test";
import type { Agent, Answer } from "./support/agent.ts";
import type { Task } from "./support/task.ts";

const BUYER = "SUNFIELD";
const SELLER = "HEARTLAND";
const MW = 20;

/** Removes one reason, if it is on the agent's own side. */
async function removeReason(agent: Agent, order: Answer, block: Answer): Promise<void> {
  const pair = { entityId: order["entityId"], counterpartyId: block["counterpartyId"] };
  if (block["reason"] === "entity_documents") {
    await agent.ask("mkt_set_documentation_status", { ...pair, status: "docs_in_place" });
  } else if (block["reason"] === "entity_limit") {
    const { limitType, scope, used, needed } = block;
    const limit = used + needed * (order["quantity"] - order["filledQuantity"]);
    await agent.ask("mkt_set_credit_limit", { ...pair, limitType, scope, limit });
  } else throw new Error(`${block["reason"]} is not the agent's to remove`);
}

export default {
  name: "why-no-trade",
  setBy: "trader",
  request: "my order crosses the book and doesn't trade: say why, and make it trade",
  budget: { calls: 6, bytes: 4_300 },
  async run(market) {
    const contractId = await market.contractOf("WEST-MO-PEAK");
    const [seller, colleague] = [await market.user("heartland-trader-1"), await market.user("sunfield-trader-1")];
    const pair = { entityId: BUYER, counterpartyId: SELLER };
    await colleague.request("credit.setDocumentation", { ...pair, status: "pending" });
    await colleague.request("credit.setLimit", { ...pair, limitType: "notional", scope: "total", limit: 5_000 });
    const offer = await seller.submit(contractId, "SELL", 4000, MW);

    const agent = await market.agent("sunfield-trader-1");
    await agent.ask("mkt_connect_pubsub");
    const bid = { contractId, side: "BUY", price: 4100, quantity: MW };
    const { orderId, orderDetails, blockedBy } = await agent.ask("mkt_create_test_order", bid);
    let order: Answer = { ...orderDetails, blockedBy };
    const reasons: string[] = [];
    while (order["blockedBy"].length > 0) {
      for (const block of order["blockedBy"]) {
        reasons.push(block.reason);
        await removeReason(agent, order, block);
      }
      order = await agent.ask("mkt_get_order", { orderId });
    }

    expect(reasons).toEqual(["entity_documents", "entity_limit"]);
    const { modules } = await market.view();
    expect(modules.get("ORDER")?.get(orderId))
      .toMatchObject({ status: "filled", filledQuantity: MW, averagePrice: 4000 });
    expect(modules.get("ORDER")?.get(offer)).toMatchObject({ status: "filled" });
  },
} satisfies Task;
