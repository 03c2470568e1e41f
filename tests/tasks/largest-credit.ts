import { expect } from "bun:test";
import type { Task } from "./support/task.ts";

const ENTITY = "CEDAR";
/** MW that each counterparty buys from the entity. */
const SALES = { "summit-trader-2": 5, "meridian-trader-2": 40, "heartland-trader-2": 20 };
const PRICE = 4500;
/** What the question is about: seventeen counterparties with every column would be a long answer. */
const FIELDS = ["counterpartyId", "usedCredit", "availableCredit"];

export default {
  name: "largest-credit",
  setBy: "trader",
  request: "which counterparty uses most of my credit, and how much of its limit is left?",
  budget: { calls: 2, bytes: 7_000 },
  async run(market) {
    const contractId = await market.contractOf("NORTH-MO-PEAK");
    const seller = await market.user("cedar-trader-2");
    for (const [userId, quantity] of Object.entries(SALES)) {
      await seller.submit(contractId, "SELL", PRICE, quantity);
      await (await market.user(userId)).submit(contractId, "BUY", PRICE, quantity);
    }

    const agent = await market.agent("cedar-trader-1");
    const { entityId } = await agent.ask("mkt_connect_pubsub");
    const { creditLimits } = await agent.ask("mkt_get_credit_status", { entityId, fields: FIELDS });
    const [largest] = creditLimits.toSorted((a: { usedCredit: number }, b: { usedCredit: number }) =>
      b.usedCredit - a.usedCredit
    );

    const credits = (await market.modules("CREDIT", { entityId: ENTITY }))
      .sort((a, b) => Number(b["usedNotional"]) - Number(a["usedNotional"]));
    const { counterpartyId, usedNotional: usedCredit, limits } = credits[0]!;
    const [{ available: availableCredit }] = limits as [{ available: number }];
    expect(largest).toMatchObject({ counterpartyId, usedCredit, availableCredit });
    expect(largest.counterpartyId).toBe("MERIDIAN");
  },
} satisfies Task;
