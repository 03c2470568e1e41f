import { expect } from "bun:test";
import type { EngineView } from "../e2e/support/engine-view.ts";
import type { Answer } from "./support/agent.ts";
import type { Task } from "./support/task.ts";

const ENTITY = "PRAIRIE";
const CENTS_PER_DOLLAR = 100;

/** The entity's position in a contract, from its fills and the best prices; cash and worth in dollars. */
function positionFrom(modules: EngineView["modules"], contractId: string) {
  const fills = [...modules.get("FILL")?.values() ?? []]
    .filter((fill) => fill["entityId"] === ENTITY && fill["contractId"] === contractId)
    .map(({ quantity, side, price }) => ({ quantity: Number(quantity) * (side === 0 ? 1 : -1), price: Number(price) }));
  const hours = Number(modules.get("CONTRACT")?.get(contractId)?.["hours"]);
  const book = [...modules.get("ENGINE")?.values() ?? []].find((each) => each["contractId"] === contractId);
  const mark = (Number(book?.["bestBid"]) + Number(book?.["bestAsk"])) / 2;
  const netQuantity = fills.reduce((sum, { quantity }) => sum + quantity, 0);
  const cash = fills.reduce((sum, { quantity, price }) => sum - quantity * price * hours / CENTS_PER_DOLLAR, 0);
  const netEnergy = netQuantity * hours;
  return { netQuantity, netEnergy, mark, cash, worth: netEnergy * mark / CENTS_PER_DOLLAR };
}

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
    const fills = await market.modules("FILL", { entityId: ENTITY });
    const held = [...new Set(fills.map((fill) => String(fill["contractId"])))];
    expect(answer["positions"].map(({ contractId }: Answer) => contractId).sort()).toEqual(held.sort());
    let profit = 0;
    for (const shown of answer["positions"]) {
      const { cash, worth, ...expected } = positionFrom(modules, shown.contractId);
      expect(shown).toMatchObject({ ...expected, markSource: "book" });
      expect(shown.cash).toBeCloseTo(cash, 2);
      expect(shown.realisedProfit + shown.unrealisedProfit).toBeCloseTo(cash + worth, 2);
      profit += cash + worth;
    }
    expect(answer["totals"].profit).toBeCloseTo(profit, 2);
  },
} satisfies Task;
