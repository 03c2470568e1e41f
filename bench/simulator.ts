// Orders a second of a market of ZIC and of ZIP traders, on the book that the engine trades on (the continuous market of
// sim/laboratory); and how the cost of an order grows with the traders. The peer is the same market written in the obvious
// way, which the tests keep as the reference; both must come to the same trades. Its runs are too long for mitata's samples,
// so that it takes its own: the least of a few, turn by turn, after one to warm up.
//
// The figures of the Bristol Stock Exchange (Python) beside ours were measured on another two-core machine, not in this
// run: they say what size of difference to expect, and no more. There, too, an order is a quote that one trader, chosen at
// random, calls out, and that all hear of.
//
// Claims: at least twenty times as many as Bristol's; an order costs the same among 1,000 ZIC traders as among 20, and among
// ZIP traders, each of whom learns from each order, at most in proportion.

import { deepStrictEqual, ok } from "node:assert";
import { ContinuousMarket, type ContinuousOutcome } from "../sim/laboratory/continuous-market.ts";
import { continuousSetting } from "../sim/laboratory/reference-market.ts";
import { ObviousMarket } from "../tests/sim/laboratory/support/obvious-market.ts";
import { type Clock, measuringClock, timed } from "./stopwatch.ts";
import type { Chapter } from "./suite.ts";
import { aligned, duration, threeDigits } from "./table.ts";

export interface SimulatorSizes {
  /** Of one run. */
  readonly zicOrders: number;
  /** Of one run, times the number of traders. */
  readonly zipHearings: number;
  /** Of the peer's one run. */
  readonly peerOrders: number;
  /** Of which the least time counts. */
  readonly rounds: number;
}

export const SIZES: SimulatorSizes = { zicOrders: 1_000_000, zipHearings: 10_000_000, peerOrders: 50_000, rounds: 4 };

type Name = "zic" | "zip";

/** Orders a second of the Bristol Stock Exchange, measured elsewhere. */
const BRISTOL: readonly (readonly [Name, traders: number, ordersPerSecond: number])[] = [
  ["zic", 20, 34_000],
  ["zic", 100, 10_100],
  ["zip", 20, 19_100],
  ["zip", 100, 4_500],
];
const TRADERS = [20, 100, 1_000] as const;
const SEED = 1;

export function simulatorTables(sizes: SimulatorSizes, clock: Clock = measuringClock()): string {
  const costs = new Map((["zic", "zip"] as const).map((name) => [name, costsOf(name, sizes, clock)]));
  const costOf = (name: Name, traders: number) => costs.get(name)?.get(traders) ?? NaN;
  return [
    "### simulator",
    "Orders a second in a market of so many traders. The Bristol Stock Exchange's were measured on another machine.",
    aligned(
      ["traders", "mkt", "the obvious way", "mkt / obvious", "Bristol Stock Exchange", "mkt / Bristol"],
      BRISTOL.map(([name, traders, bristol]) => {
        const rate = 1e9 / costOf(name, traders);
        const peer = 1e9 / peerCost(name, traders, sizes.peerOrders, clock);
        return [
          `${traders} ${name.toUpperCase()}`,
          ...[inHundreds(rate), inHundreds(peer), threeDigits(rate / peer)],
          ...[inHundreds(bristol), threeDigits(rate / bristol)],
        ];
      }),
    ),
    "What one order costs among so many traders.",
    aligned(
      ["strategy", ...TRADERS.map((count) => count.toLocaleString("en-US")), "1,000 / 20"],
      [...costs.keys()].map((name) => [
        name.toUpperCase(),
        ...TRADERS.map((traders) => duration(costOf(name, traders))),
        threeDigits(costOf(name, 1_000) / costOf(name, 20)),
      ]),
    ),
  ].join("\n\n");
}

/** Nanoseconds of an order, by the number of traders: the least of the rounds, which go round the numbers. */
function costsOf(name: Name, { zicOrders, zipHearings, rounds }: SimulatorSizes, clock: Clock): Map<number, number> {
  const least = new Map<number, number>();
  for (let round = 0; round <= rounds; round++) {
    for (const traders of TRADERS) {
      const orders = name === "zic" ? zicOrders : Math.ceil(zipHearings / traders);
      const market = new ContinuousMarket(continuousSetting(name, traders, SEED));
      market.run(orders);
      const { nanoseconds } = timedOrders(clock, market, orders);
      ok(market.restingOrders <= traders);
      if (round > 0) least.set(traders, Math.min(nanoseconds / orders, least.get(traders) ?? Infinity));
    }
  }
  return least;
}

/** Nanoseconds of an order in the market written the obvious way. Throws where it does not trade as ours. */
function peerCost(name: Name, traders: number, orders: number, clock: Clock): number {
  const [ours, peers] = [
    new ContinuousMarket(continuousSetting(name, traders, SEED)),
    new ObviousMarket(continuousSetting(name, traders, SEED)),
  ].map((market) => {
    market.run(orders);
    return timedOrders(clock, market, orders);
  });
  deepStrictEqual(ours?.outcome, peers?.outcome);
  return (peers?.nanoseconds ?? NaN) / orders;
}

/** Goes on with the same market until it has taken long enough for the clock. */
function timedOrders(clock: Clock, market: ContinuousMarket | ObviousMarket, orders: number) {
  const { nanoseconds, outcome } = timed(clock, () => (): ContinuousOutcome => market.run(orders));
  deepStrictEqual(outcome.orders, orders);
  ok(outcome.trades > orders / 50 && outcome.surplus > 0, "the market stands still");
  return { nanoseconds, outcome };
}

function inHundreds(rate: number): string {
  return (Math.round(rate / 100) * 100).toLocaleString("en-US");
}

export default { name: "simulator", tables: () => simulatorTables(SIZES) } satisfies Chapter;
