import { expect } from "bun:test";
import type { Task } from "./support/task.ts";

/** The audit trail's name of each event about an order. */
const AUDIT_NAMES: Readonly<Record<string, string>> = {
  "new.order": "orderQueued",
  "change.order": "orderModified",
  "new.fill": "orderFilled",
  "cancel.order": "orderCancelled",
};

export default {
  name: "order-history",
  setBy: "operator",
  request: "a client complains about an order: tell everything that happened to it",
  budget: { calls: 1, bytes: 1_300 },
  async run(market) {
    const contractId = await market.contractOf("NORTH-YR-BASE");
    const [owner, other] = [await market.user("meridian-trader-1"), await market.user("heartland-trader-1")];
    const orderId = await owner.submit(contractId, "SELL", 5200, 30);
    await owner.request("order.modify", { orderId, price: 5100 });
    await other.submit(contractId, "BUY", 5100, 10);
    await other.submit(contractId, "BUY", 5100, 5);
    await owner.request("order.cancel", { orderId });

    const agent = await market.agent("operator");
    const { events, hasMore } = await agent.ask("mkt_get_order_events", { orderId });

    expect(hasMore).toBe(false);
    const seen = owner.events.filter(({ type, data }) =>
      type === "new.fill" ? data["orderId"] === orderId : data["id"] === orderId && type in AUDIT_NAMES
    );
    // A fill also changes the order; the trail has one entry for both.
    const happened = seen.filter(({ type, data }) => type !== "change.order" || data["filledQuantity"] === 0);
    expect(happened.map(({ type }) => AUDIT_NAMES[type])).toHaveLength(5);
    const told = [...events].reverse() as { event: string; time: string }[];
    expect(told.map(({ event }) => event)).toEqual(happened.map(({ type }) => AUDIT_NAMES[type] ?? type));
    expect(told.map(({ time }) => time)).toEqual(happened.map(({ time }) => time));
  },
} satisfies Task;
