// Trades and candles: no trade is missing or counted twice, and a candle is what its trades say.

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { UpdateSource } from "../../../plugins/dashboard/update-source.ts";
import { LiveMarket } from "../../../plugins/dashboard/live-market.ts";
import type { History, Sparks } from "../../../web/contract/calls.ts";
import { type Candle, CANDLE_INTERVALS, candlesOf, candleWith } from "../../../web/contract/candles.ts";
import type { Trade } from "../../../web/contract/market.ts";
import type { Update } from "../../../web/contract/update.ts";
import { MarketInProcess } from "../../core/support/market-in-process.ts";
import { configurationFor } from "../../core/support/services.ts";
import { size } from "../../support/sizes.ts";
import { BASE, MARKET, PEAK, SECRET } from "../support/market.ts";
import { DashboardServer, type Failed } from "./support/dashboard-server.ts";

const BEGAN = Date.parse("2030-06-01T12:00:00.000Z");

/** Trades in the order of their times. */
const trades = fc.array(
  fc.record({
    after: fc.oneof(fc.constant(0), fc.nat({ max: 10_000 }), fc.nat({ max: 7_200_000 })),
    price: fc.integer({ min: -5_000, max: 5_000 }),
    quantity: fc.integer({ min: 1, max: 100 }),
  }),
  { maxLength: 60, size: "max" },
).map((made) => {
  let at = BEGAN;
  return made.map(({ after, price, quantity }, index): Trade => {
    at += after;
    const time = new Date(at).toISOString();
    return { id: `t${index}`, contractId: BASE, time, price, quantity, aggressorSide: 0 };
  });
});

const interval = fc.constantFrom(...CANDLE_INTERVALS);

/** The candle of the trades in one interval, the obvious way. */
function candleOf(time: number, own: readonly Trade[]): Candle {
  const prices = own.map(({ price }) => price);
  return {
    time,
    open: prices[0]!,
    high: Math.max(...prices),
    low: Math.min(...prices),
    close: prices.at(-1)!,
    volume: own.reduce((sum, { quantity }) => sum + quantity, 0),
  };
}

describe("candles", () => {
  test("are those of the trades in each interval that has any", () => {
    fc.assert(
      fc.property(trades, interval, (trades, interval) => {
        const starts = new Map<number, Trade[]>();
        for (const trade of trades) {
          const start = Math.floor(Date.parse(trade.time) / 1_000 / interval) * interval;
          starts.set(start, [...starts.get(start) ?? [], trade]);
        }
        expect(candlesOf(trades, interval)).toEqual([...starts].map(([time, own]) => candleOf(time, own)));
      }),
      { numRuns: size(25, 2_000) },
    );
  });

  test("go on with later trades as if all had been there at once", () => {
    fc.assert(
      fc.property(trades, interval, fc.nat(), (trades, interval, at) => {
        const cut = trades.length === 0 ? 0 : at % trades.length;
        const candles = candlesOf(trades.slice(0, cut), interval);
        for (const trade of trades.slice(cut)) {
          const candle = candleWith(candles.at(-1), trade, interval);
          if (candle.time === candles.at(-1)?.time) candles.pop();
          candles.push(candle);
        }
        expect(candles).toEqual(candlesOf(trades, interval));
      }),
      { numRuns: size(25, 2_000) },
    );
  });
});

async function served() {
  const market = new MarketInProcess(MARKET, SECRET, 1_000);
  await market.connect("olga");
  return { market, server: new DashboardServer(market) };
}

function trade(market: MarketInProcess, contractId: string, price: number): void {
  const order = { contractId, price, quantity: 5 };
  market.execute("alice", "order.submit", { ...order, side: 0 });
  market.execute("bob", "order.submit", { ...order, side: 1 });
}

const pricesOf = (trades: readonly Trade[]) => trades.map(({ price }) => price);

test("the history has the newest trades, oldest first, and candles of all of them", async () => {
  const { market, server } = await served();
  for (const price of [100, 200, 50, 300]) {
    trade(market, PEAK, price);
    market.pass(30_000);
  }
  trade(market, BASE, 77);
  const { body } = await server.get<History>(`/dashboard/history/${PEAK}?interval=60&trades=3`);
  expect(pricesOf(body.trades)).toEqual([200, 50, 300]);
  const time = BEGAN / 1_000;
  expect(body.candles).toEqual([
    { time, open: 100, high: 200, low: 100, close: 200, volume: 10 },
    { time: time + 60, open: 50, high: 300, low: 50, close: 300, volume: 10 },
  ]);
  expect(body).toMatchObject({ contractId: PEAK, interval: 60, known: 4, isComplete: true });
  const { prices } = (await server.get<Sparks>("/dashboard/sparks")).body;
  expect(prices).toMatchObject({ [PEAK]: [100, 200, 50, 300], [BASE]: [77] });
});

test.each(["interval=61", "interval=", "trades=-1", "trades=5001", "trades=x"])("refuses %s", async (query) => {
  const { server } = await served();
  const { status, body } = await server.get<Failed>(`/dashboard/history/${PEAK}?${query}`);
  expect([status, body.error.code]).toEqual([400, "invalid_input"]);
});

test("an unknown contract is named, and another form of a contract's id is understood", async () => {
  const { server } = await served();
  const { status, body } = await server.get<Failed>("/dashboard/history/%E2%80%AEnone");
  expect([status, body.error.code]).toEqual([404, "not_found"]);
  expect(body.error.message).toContain("\\u202e");
  expect((await server.get<History>(`/dashboard/history/${PEAK.toUpperCase()}`)).body.contractId).toBe(PEAK);
});

test("history and stream together have each trade once, also while a lost connection is restored", async () => {
  const { market, server } = await served();
  const made: number[] = [];
  const more = () => trade(market, BASE, made[made.push(100 + made.length) - 1]!);
  const live = new LiveMarket({
    ...market.services,
    frozen: () => null,
    configuration: configurationFor(),
  });
  const source = new UpdateSource(live, { watched: [BASE], events: "watched" }, null);
  const streamed: { sequence: number; price: number }[] = [];
  const read = () => {
    const update = source.next(0);
    if (update === null) return;
    for (const { type, sequence, data } of (JSON.parse(update.text) as Update).events) {
      if (type === "new.trade") streamed.push({ sequence, price: data["price"] as number });
    }
  };
  read();
  const steps = [more, read, more, () => market.lose(), read, () => market.restore(), more, read, more, read];
  for (const step of steps) {
    step();
    const { trades, sequence } = (await server.get<History>(`/dashboard/history/${BASE}`)).body;
    const seen = [
      ...pricesOf(trades),
      ...streamed.filter((event) => event.sequence > sequence).map(({ price }) => price),
    ];
    expect(seen).toEqual(made);
  }
});
