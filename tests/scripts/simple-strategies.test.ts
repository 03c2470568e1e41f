import { expect, test } from "bun:test";
import { Maker } from "../../scripts/simple-strategies/maker.ts";
import type { SimpleStrategy } from "../../scripts/simple-strategies/market-view.ts";
import { LastHour, OnEvent, Sniper } from "../../scripts/simple-strategies/news-strategies.ts";
import { BaseHours, Chance, Movers, NodeSpread, Value } from "../../scripts/simple-strategies/price-strategies.ts";
import { profitRows, profitTable } from "../../scripts/simple-strategies/profit-table.ts";
import { SimpleAgent } from "../../scripts/simple-strategies/simple-agent.ts";
import { simulatedRun } from "../../scripts/simple-strategies/simulated-run.ts";
import { SeededRandom } from "../../sim/random/seeded-random.ts";
import type { Action, ContractTerms, Observe, Welcome } from "../../sim/outside/agents/agent-messages.ts";

const START = Date.parse("2026-03-02T06:00:00.000Z");

/** At `minute` after the start. */
const at = (minute: number) => new Date(START + minute * 60_000).toISOString();

function contract(contractId: string, node: string, type: string, startMinute: number, hours: number): ContractTerms {
  const terms = {
    lot: 1,
    tick: 1,
    minimumPrice: -50_000,
    maximumPrice: 500_000,
    shape: "base",
    productId: "P",
  } as const;
  const delivery = { deliveryStart: at(startMinute), deliveryEnd: at(startMinute + 60 * hours), hours };
  return { contractId, node, type, ...delivery, ...terms };
}

/** A day of two hours at the first node, and the same base at the second one. */
const CONTRACTS = [
  contract("base", "NORTH", "base", 300, 2),
  contract("h1", "NORTH", "hour", 300, 1),
  contract("h2", "NORTH", "hour", 360, 1),
  contract("west", "WEST", "base", 300, 2),
];

type Prices = readonly [bid: number, ask: number, forecast: number];

interface Seen extends Partial<Pick<Observe, "events" | "orders" | "fills">> {
  readonly minute: number;
  readonly books: Readonly<Record<string, Prices>>;
  /** At NORTH. */
  readonly spot?: number;
  readonly positions?: Readonly<Record<string, number>>;
}

function observation({ minute, books, spot = 3000, positions = {}, ...rest }: Seen): Observe {
  const level = (price: number) => ({ price, quantity: 10, orders: 1 });
  return {
    ...{ type: "observe", time: at(minute), reason: "time", cash: 0, profitAndLoss: 0, orders: [], fills: [] },
    ...{ closed: [], trades: [], missedTrades: 0, events: [], listed: [], delivered: [] },
    positions: Object.entries(positions).map(([contractId, position]) => ({ contractId, position, averagePrice: 0 })),
    books: Object.entries(books).map(([contractId, [bid, ask, forecast]]) => ({
      ...{ contractId, isOpen: true, lastPrice: null, forecast, bids: [level(bid)], asks: [level(ask)] },
    })),
    spot: [
      { node: "NORTH", price: spot, regime: "base" },
      { node: "WEST", price: 3000, regime: "base" },
    ],
    ...rest,
  };
}

/** What the agent does after the last of the observations. */
async function actionsAfter(strategy: SimpleStrategy, seen: readonly Seen[]): Promise<string[]> {
  const agent = new SimpleAgent(strategy);
  agent.send({ type: "welcome", contracts: CONTRACTS } as unknown as Welcome);
  let actions: readonly Action[] = [];
  for (const each of seen) {
    actions = [];
    agent.send(observation(each));
    let message = await agent.receive() as { readonly type: string; readonly actions: readonly Action[] };
    if (message.type === "act") {
      ({ actions } = message);
      message = await agent.receive() as typeof message;
    }
    expect(message).toMatchObject({ type: "next", inMs: strategy.wakeMs });
  }
  return actions.map((action) =>
    action.kind === "submit"
      ? `${action.side} ${action.quantity} ${action.contractId} at ${action.price}`
      : `${action.kind} ${action.kind === "cancel" ? action.orderId : ""}`
  );
}

const FAIR: Prices = [2990, 3010, 3000];
const minutes = (last: number, step: number) => Array.from({ length: last / step + 1 }, (_, index) => index * step);
const risen = minutes(30, 5).map((minute): Seen => ({ minute, books: { h1: [2990 + minute, 3010 + minute, 0] } }));
const held = (minute: number): Seen => ({ minute, books: { h1: FAIR }, positions: { h1: -5 } });
const apart = [...minutes(115, 5), 120].map((minute): Seen => ({
  minute,
  books: { base: minute < 120 ? FAIR : [3090, 3110, 3000], west: FAIR },
}));
const event = (type: string, node: string | null): Observe["events"] => [{ type, node, size: 1, since: at(1) }];
const eventAfter = (type: string, node: string | null): Seen[] => [
  { minute: 0, books: { base: FAIR, h1: FAIR, h2: FAIR, west: FAIR } },
  { minute: 1, books: { base: FAIR, h1: FAIR, h2: FAIR, west: FAIR }, events: event(type, node) },
];
const OWN: Observe["orders"] = [
  { orderId: "7", contractId: "base", side: "BUY", price: 2990, quantity: 10, remainingQuantity: 10 },
];

const cases: readonly (readonly [string, SimpleStrategy, readonly Seen[], readonly string[]])[] = [
  ["value buys far below its forecast", new Value(), [{ minute: 0, books: { h1: [2990, 3010, 3031] } }], [
    "BUY 5 h1 at 3010",
  ]],
  ["value sells far above its forecast", new Value(), [{ minute: 0, books: { base: [2990, 3010, 2969] } }], [
    "SELL 2 base at 2990",
  ]],
  ["value waits within a spread of its forecast", new Value(), [{ minute: 0, books: { h1: [2990, 3010, 3030] } }], []],
  ["no strategy holds more than four orders of a contract", new Value(), [
    { minute: 0, books: { h1: [2990, 3010, 3031] }, positions: { h1: 18 } },
  ], ["BUY 2 h1 at 3010"]],
  ["momentum buys what rose in half an hour", new Movers("momentum", 1), risen, ["BUY 5 h1 at 3040"]],
  ["its reverse sells it", new Movers("reversal", -1), risen, ["SELL 5 h1 at 3020"]],
  ["momentum closes after an hour", new Movers("momentum", 1), [held(0), held(60)], ["BUY 5 h1 at 3010"]],
  ["an event raises the prices of its node", new OnEvent(), eventAfter("plant_outage", "NORTH"), [
    "BUY 2 base at 3010",
    "BUY 5 h1 at 3010",
    "BUY 5 h2 at 3010",
  ]],
  ["a surplus lowers them", new OnEvent(), eventAfter("renewable_surplus", "WEST"), ["SELL 2 west at 2990"]],
  ["congestion acts behind the line", new OnEvent(), eventAfter("line_congestion", null), ["BUY 2 west at 3010"]],
  ["an event at the start is no news", new OnEvent(), eventAfter("plant_outage", "NORTH").slice(1), []],
  ["a base is sold if its hours cost less", new BaseHours(), [
    { minute: 0, books: { base: [3020, 3030, 0], h1: [2990, 3010, 0], h2: [3000, 3020, 0] } },
  ], ["SELL 5 base at 3020", "BUY 5 h1 at 3010", "BUY 5 h2 at 3020"]],
  ["a base is kept without all of its hours", new BaseHours(), [
    { minute: 0, books: { base: [9000, 9010, 0], h1: FAIR } },
  ], []],
  ["the node that became dear is sold, the other one bought", new NodeSpread(), apart, [
    "SELL 2 base at 3090",
    "BUY 2 west at 3010",
  ]],
  ["the nodes are closed once they are back", new NodeSpread(), [
    { minute: 0, books: { base: FAIR, west: FAIR }, positions: { base: -2, west: 2 } },
  ], ["BUY 2 base at 3010", "SELL 2 west at 2990"]],
  ["a revision of the forecast is traded", new Sniper(), [
    { minute: 0, books: { h1: FAIR } },
    { minute: 1, books: { h1: [2990, 3010, 2985] } },
  ], ["SELL 5 h1 at 2990"]],
  ["a spot price is traded in near hours only", new Sniper(), [
    { minute: 200, books: { h1: FAIR, base: FAIR } },
    { minute: 201, books: { h1: FAIR, base: FAIR }, spot: 3020 },
  ], ["BUY 5 h1 at 3010"]],
  ["a revision that the book knows is not traded", new Sniper(), [
    { minute: 0, books: { h1: FAIR } },
    { minute: 1, books: { h1: [2980, 3000, 2985] } },
  ], []],
  ["an hour below the spot price is bought in the last hour", new LastHour(), [
    { minute: 240, books: { h1: FAIR, h2: FAIR }, spot: 3100 },
  ], ["BUY 5 h1 at 3010"]],
  ["the maker quotes nothing beside its own orders alone", new Maker(), [
    { minute: 0, books: { base: FAIR }, orders: OWN },
  ], ["cancel 7"]],
  ["the maker replaces its quotes", new Maker(), [
    { minute: 0, books: { base: FAIR }, orders: OWN.map((order) => ({ ...order, remainingQuantity: 4 })) },
  ], ["cancel 7", "BUY 2 base at 2991", "SELL 2 base at 3009"]],
  ["the maker stops buying at its limit", new Maker(), [
    { minute: 0, books: { base: [2999, 3000, 0] }, positions: { base: 6 } },
  ], ["SELL 2 base at 3000"]],
  ["chance takes a quote", new Chance(new SeededRandom(1)), [{ minute: 0, books: { h1: FAIR } }], [
    "BUY 5 h1 at 3010",
  ]],
];

test.each(cases)("%s", async (_, strategy, seen, wanted) => {
  expect(await actionsAfter(strategy, seen)).toEqual([...wanted]);
});

test("a maker's spread pays half of its mean spread on each MWh that it traded", async () => {
  const maker = new Maker();
  const fill = { time: at(1), orderId: "7", contractId: "base", side: "BUY", price: 2991, quantity: 5 } as const;
  await actionsAfter(maker, [
    { minute: 0, books: { base: FAIR } },
    { minute: 1, books: { base: [2980, 3020, 3000] }, fills: [fill] },
  ]);
  // 5 MW of two hours, half of the mean of 20 and 40 cents.
  expect(maker.spreadPay()).toBeCloseTo(1.5, 9);
});

test("the table shows means with their errors, and in bold what earns too much", () => {
  const run = (seed: number, value: number, maker: number) => ({
    preset: "calm",
    seed,
    results: [
      { strategy: "value", profit: value, trades: 4, megawatts: 10, spreadPay: null },
      { strategy: "maker", profit: maker, trades: 1, megawatts: 2, spreadPay: 30 },
    ],
  });
  const rows = profitRows([run(401, 10, 20), run(402, 14, 42)]);
  expect(rows).toMatchObject([
    { preset: "calm", strategy: "value", mean: 12, error: 2, trades: 4, megawatts: 10, spreadPay: null, holds: false },
    { preset: "calm", strategy: "maker", mean: 31, error: 11, trades: 1, megawatts: 2, spreadPay: 30, holds: false },
  ]);
  expect(profitTable(rows)).toContain("| calm   | value    | **12**  | 2        | 6.0          | 4      | 10  |");
  const within = profitRows([run(401, 10, -9), run(402, -3, 42)]);
  expect(within.map(({ holds }) => holds)).toEqual([true, true]);
});

test("ten strategies take part in a run, each for a company of its own", async () => {
  const { results } = await simulatedRun("thin", 401, 0.5);
  expect(results.map(({ strategy }) => strategy)).toEqual([
    ...[
      "sniper",
      "event",
      "maker",
      "last-hour",
      "value",
      "momentum",
      "reversal",
      "base-hours",
      "node-spread",
      "random",
    ],
  ]);
  expect(results.every(({ profit }) => Number.isFinite(profit))).toBe(true);
  const traders = results.filter(({ trades, megawatts }) => trades > 0 && megawatts > 0).map(({ strategy }) =>
    strategy
  );
  expect(traders).toEqual(expect.arrayContaining(["sniper", "maker", "value", "random"]));
});
