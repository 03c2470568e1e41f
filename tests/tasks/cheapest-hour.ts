import { expect } from "bun:test";
import type { Task } from "./support/task.ts";

const PRODUCT = "NORTH-DA-HOUR";
const TIMEZONE = "America/Chicago";
const MW = 5;

/** The hour with the lowest best ask is the cheapest to buy, the one with the highest best bid the dearest to sell. */
function cheapestAndDearest<Hour extends { id: string; bestBid?: unknown; bestAsk?: unknown }>(hours: readonly Hour[]) {
  const offered = hours.filter(({ bestAsk }) => typeof bestAsk === "number");
  const wanted = hours.filter(({ bestBid }) => typeof bestBid === "number");
  const [cheapest] = offered.sort((a, b) => Number(a.bestAsk) - Number(b.bestAsk));
  const [dearest] = wanted.sort((a, b) => Number(b.bestBid) - Number(a.bestBid));
  return { cheapest: [cheapest?.id, cheapest?.bestAsk], dearest: [dearest?.id, dearest?.bestBid] };
}

function isTomorrow(contract: Readonly<Record<string, unknown>>): boolean {
  const delivery = Temporal.Instant.from(String(contract["deliveryStart"])).toZonedDateTimeISO(TIMEZONE).toPlainDate();
  return delivery.equals(Temporal.Now.plainDateISO(TIMEZONE).add({ days: 1 }));
}

export default {
  name: "cheapest-hour",
  setBy: "trader",
  request: "which hour of tomorrow is the cheapest to buy, and which the dearest to sell?",
  budget: { calls: 2, bytes: 3_400 },
  async run(market) {
    const [buyer, seller] = [await market.user("summit-trader-1"), await market.user("cedar-trader-1")];
    const contracts = await market.modules("CONTRACT", { productCode: PRODUCT });
    for (const [index, { id }] of contracts.entries()) {
      const middle = 3000 + (index * 7 % 24) * 100;
      if (index % 5 !== 1) await buyer.submit(id, "BUY", middle - 40, MW);
      if (index % 5 !== 3) await seller.submit(id, "SELL", middle + 40, MW);
    }

    const agent = await market.agent("prairie-trader-1");
    await agent.ask("mkt_connect_pubsub");
    const { modules, hasMore } = await agent.ask("mkt_find_modules", {
      moduleType: "CONTRACT",
      filters: { productCode: PRODUCT, deliveryStart: "tomorrow" },
      fields: ["bestBid", "bestAsk"],
    });
    const answer = cheapestAndDearest(modules);

    expect(hasMore).toBe(false);
    const tomorrow = new Set(contracts.filter(isTomorrow).map(({ id }) => id));
    const books = (await market.modules("ENGINE"))
      .map((engine) => ({ ...engine, id: String(engine["contractId"]) }))
      .filter(({ id }) => tomorrow.has(id));
    expect(modules).toHaveLength(books.length);
    expect(answer).toEqual(cheapestAndDearest(books));
    expect(answer.cheapest).not.toContain(undefined);
  },
} satisfies Task;
