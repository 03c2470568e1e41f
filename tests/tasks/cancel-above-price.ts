import { expect } from "bun:test";
import type { Answer } from "./support/agent.ts";
import type { Task } from "./support/task.ts";

const ENTITY = "LAKESHORE";
const ORDERS = 150;
const TOO_DEAR = 6000;
const PAGES = 2;
/** Cents/MWh of the order with this number: every 15th is too dear. */
const priceOf = (index: number) => index % 15 === 7 ? TOO_DEAR + 1 + index : TOO_DEAR - index;

export default {
  name: "cancel-above-price",
  setBy: "operator",
  request: "go through the open orders of one company page by page and cancel those above a price",
  budget: { calls: 13, bytes: 11_000 },
  async run(market) {
    const contractId = await market.contractOf("WEST-QU-BASE");
    const trader = await market.user("lakeshore-trader-1");
    const placed: string[] = [];
    for (let index = 0; index < ORDERS; index++) {
      placed.push(await trader.submit(contractId, "SELL", priceOf(index), 1));
    }
    const leaving = placed.splice(-PAGES);

    const agent = await market.agent("operator");
    await agent.ask("mkt_connect_pubsub");
    const tooDear: string[] = [];
    let cursor: string | undefined;
    do {
      const page: Answer = await agent.ask("mkt_list_orders", {
        entityId: ENTITY,
        status: "working",
        fields: ["price"],
        ...(cursor !== undefined && { cursor }),
      });
      for (const { id, price } of page["orders"]) if (price > TOO_DEAR) tooDear.push(id);
      cursor = page["cursor"] ?? undefined;
      // Meanwhile the company goes on trading.
      await trader.submit(contractId, "SELL", TOO_DEAR - 1, 1);
      await trader.request("order.cancel", { orderId: leaving.pop() });
    } while (cursor !== undefined);
    for (const orderId of tooDear) await agent.ask("mkt_cancel_order", { orderId });

    const orders = (await market.view()).modules.get("ORDER");
    for (const [index, id] of placed.entries()) {
      expect(orders?.get(id)?.["status"]).toBe(priceOf(index) > TOO_DEAR ? "cancelled" : "working");
    }
    expect(tooDear).toHaveLength(ORDERS / 15);
  },
} satisfies Task;
