// "Explain yesterday's loss" in four calls: a market in Chicago in which alpha bought from beta before delivery. It is 3 March,
// noon. Of 2 March, H08 (8 MW at $40) was delivered at $30, H09 was bought at $40 and sold again at $45, and H21, which ends on
// 3 March in UTC, was delivered above its price. Today's H20 is to come.

import { expect, test } from "bun:test";
import { MARKET } from "./support/market.ts";
import { marketDefinition } from "../../engine/definition/market-definition.ts";
import { connect } from "../engine/server/harness.ts";
import { column, Desk, list, part, text } from "./support/desk.ts";

const hour = (id: string, start: string) => {
  const deliveryEnd = new Date(Date.parse(start) + 3_600_000).toISOString();
  return { id, productId: "hour", code: id, name: id, deliveryStart: start, deliveryEnd, hours: 1 };
};
const { products: [base], markets, contracts: _, users, ...rest } = MARKET;
const HOURLY = marketDefinition.parse({
  ...rest,
  credit: rest.credit.map((pair) => ({ ...pair, limits: pair.limits.slice(0, 1) })),
  markets: markets.slice(0, 1),
  products: [{ ...base, id: "hour", code: "HOUR", type: "hour" }],
  contracts: [
    hour("H08", "2026-03-02T13:00:00Z"),
    hour("H09", "2026-03-02T14:00:00Z"),
    hour("H21", "2026-03-03T02:00:00Z"),
    hour("H20", "2026-03-04T01:00:00Z"),
  ],
  users: [...users, { id: "feed", name: "Feed", entityId: null, permissions: ["Spot.Publish", "Market.Operate"] }],
});

test("yesterday's loss is explained in four calls: by hour, by contract, by its trades", async () => {
  const desk = await Desk.open(HOURLY, { start: Date.parse("2026-03-02T06:00:00Z"), speed: null, lockstep: true });
  const [alice, bob] = await desk.all("alice", "bob");
  for (
    const [contractId, price, quantity] of [["H08", 4000, 8], ["H09", 4000, 5], ["H21", 4000, 2], [
      "H20",
      4200,
      1,
    ]] as const
  ) {
    await bob.sell(contractId, price, quantity);
    await alice.buy(contractId, price, quantity);
  }
  await bob.buy("H09", 4500, 5);
  await alice.sell("H09", 4500, 5);
  const feed = await connect(desk.engine, "feed");
  for (const [time, price] of [["2026-03-02T13:30:00Z", 3000], ["2026-03-03T02:30:00Z", 4100]] as const) {
    await feed.request("clock.advance", { to: time });
    await feed.request("spot.publish", { prices: [{ node: "N1", price, regime: "base", time }] });
  }
  await feed.request("clock.advance", { to: "2026-03-03T18:00:00Z" });

  const agent = await desk.seat("alice");
  const entityId = text(await agent.ok("mkt_connect_pubsub"), "entityId");
  const hours = await agent.ok("mkt_get_entity", { entityId, day: "yesterday", by: "hour" });
  const worst = await agent.ok("mkt_get_entity", {
    entityId,
    day: "yesterday",
    limit: 1,
    fields: ["netEnergy", "averagePrice", "mark", "markSource", "profit"],
  });
  const [{ contractId } = {}] = list(worst, "positions");
  const fills = await agent.ok("mkt_find_modules", {
    moduleType: "FILL",
    filters: { entityId, contractId },
    fields: ["side", "quantity", "price", "counterpartyId", "userId", "time"],
  });

  expect(part(hours, "totals")).toEqual({
    contracts: 3,
    netEnergy: 10,
    cash: -375,
    realisedProfit: -53,
    unrealisedProfit: 0,
    profit: -53,
  });
  const yesterday = "after 2026-03-02T06:00:00.000Z and until 2026-03-03T06:00:00.000Z (America/Chicago)";
  expect(hours["note"]).toBe(`Deliveries that end ${yesterday}.`);
  expect(list(hours, "sums").map(({ hour, profit }) => [hour, profit])).toEqual([
    ["07:00", -80],
    ["08:00", 25],
    ["20:00", 2],
  ]);
  expect(list(worst, "positions")).toEqual([
    { contractId: "H08", netEnergy: 8, averagePrice: 4000, mark: 3000, markSource: "spot", profit: -80 },
  ]);
  expect(list(fills, "modules")).toMatchObject([{ side: "BUY", quantity: 8, price: 4000, counterpartyId: "beta" }]);
  expect(Buffer.byteLength(JSON.stringify([hours, worst, fills]))).toBeLessThan(2_500);

  const days = await agent.ok("mkt_get_entity", { entityId, by: "day" });
  expect(list(days, "sums")).toMatchObject([
    { day: "2026-03-02", contracts: 3, realisedProfit: -53 },
    { day: "2026-03-03", contracts: 1, realisedProfit: 0 },
  ]);
  expect(column(await agent.ok("mkt_get_entity", { entityId, day: "today" }), "positions", "contractId")).toEqual([
    "H20",
  ]);
  await feed.request("clock.advance", { to: "2026-03-07T00:00:00Z" });
  expect(await agent.ok("mkt_get_entity", { entityId, day: "2026-03-02" })).toMatchObject({
    total: 0,
    note: expect.stringMatching(/3 more contracts .* profit of -53 dollars/),
  });
});
