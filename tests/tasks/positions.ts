import { expect } from "bun:test";
import type { Task } from "./support/task.ts";

const ENTITY = "PRAIRIE";
const CENTS = 100;

export default {
  name: "positions",
  setBy: "trader",
  request: "what are my positions, what are they worth, and what did I earn?",
  budget: { calls: 2, bytes: 1_700 },
  async run(market) {
    const contractIds = [await market.contractOf("NORTH-WK-BASE"), await market.contractOf("WEST-WK-BASE")];
    const [mine, other] = [await market.user("prairie-trader-1"), await market.user("cornerstone-trader-2")];
    for (const [index, contractId] of contractIds.entries()) {
      await other.submit(contractId, "SELL", 4000 + index, 10);
      await mine.submit(contractId, "BUY", 4000 + index, 10);
      await other.submit(contractId, "BUY", 4300, 4 + index);
      await mine.submit(contractId, "SELL", 4300, 4 + index);
      await other.submit(contractId, "BUY", 4150, 1);
      await other.submit(contractId, "SELL", 4250, 1);
    }

    const agent = await market.agent("prairie-trader-1");
    const { entityId } = await agent.ask("mkt_connect_pubsub");
    const answer = await agent.ask("mkt_get_entity", { entityId, positions: true });

    const { modules } = await market.view();
    const fills = [...modules.get("FILL")?.values() ?? []].filter((fill) => fill["entityId"] === ENTITY);
    const positions = Object.groupBy(fills, (fill) => String(fill["contractId"]));
    expect(answer["positions"].map(({ contractId }: { contractId: string }) => contractId).sort())
      .toEqual(Object.keys(positions).sort());
    let profit = 0;
    for (const shown of answer["positions"]) {
      const signed = (positions[shown.contractId] ?? []).map((fill) => ({
        quantity: Number(fill["quantity"]) * (fill["side"] === 0 ? 1 : -1),
        price: Number(fill["price"]),
      }));
      const hours = Number(modules.get("CONTRACT")?.get(shown.contractId)?.["hours"]);
      const book = [...modules.get("ENGINE")?.values() ?? []].find((each) => each["contractId"] === shown.contractId);
      const mark = (Number(book?.["bestBid"]) + Number(book?.["bestAsk"])) / 2;
      const net = signed.reduce((sum, { quantity }) => sum + quantity, 0);
      const cash = signed.reduce((sum, { quantity, price }) => sum - quantity * price * hours / CENTS, 0);
      const worth = net * mark * hours / CENTS;
      expect(shown).toMatchObject({ netQuantity: net, netEnergy: net * hours, mark, markSource: "book" });
      expect(shown.cash).toBeCloseTo(cash, 2);
      expect(shown.realisedProfit + shown.unrealisedProfit).toBeCloseTo(cash + worth, 2);
      profit += cash + worth;
    }
    expect(answer["totals"].profit).toBeCloseTo(profit, 2);
  },
} satisfies Task;
