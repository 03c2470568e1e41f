import { expect } from "bun:test";
import type { Task } from "./support/task.ts";

export default {
  name: "halt-and-resume",
  setBy: "operator",
  request: "halt the market, prove that nobody trades, and resume it",
  budget: { calls: 6, bytes: 1_800 },
  async run(market) {
    const contractId = await market.contractOf("WEST-YR-BASE");
    const [buyer, seller] = [await market.user("riverbend-trader-2"), await market.user("cornerstone-trader-1")];
    await buyer.submit(contractId, "BUY", 4000, 10);

    const agent = await market.agent("operator");
    await agent.ask("mkt_connect_pubsub");
    await agent.ask("mkt_halt_market", { reason: "drill" });
    const { latestSequence: since } = await agent.ask("mkt_watch_fills", { limit: 1 });
    await seller.submit(contractId, "SELL", 4000, 10);
    const proof = await agent.ask("mkt_watch_fills", { since, waitSeconds: 1 });
    await agent.ask("mkt_resume_market", { reason: "drill" });
    const later = { since: proof["latestSequence"], fillTypes: ["new.trade"], waitSeconds: 10 };
    const after = await agent.ask("mkt_watch_fills", later);

    expect([proof["count"], proof["missed"]]).toEqual([0, 0]);
    const halted = await seller.event(({ type }) => type === "halt.market");
    const resumed = await seller.event(({ type }) => type === "resume.market");
    const trades = seller.events.filter(({ type }) => type === "new.trade").map(({ sequence }) => sequence);
    expect(trades.filter((sequence) => sequence > halted.sequence && sequence < resumed.sequence)).toEqual([]);
    expect(proof["latestSequence"]).toBeLessThan(resumed.sequence);
    const traded = after["events"].map(({ sequence }: { sequence: number }) => sequence);
    expect(traded).toEqual(trades.filter((sequence) => sequence > resumed.sequence));
    expect(traded).toHaveLength(1);
  },
} satisfies Task;
