// Orders per second in a market of ZIC or ZIP traders, on the engine's order book (the continuous market of
// tests/support/laboratory), and the cost of an order by the number of traders. The peer is the simple version of the same
// market that the tests use as a reference; both must give the same trades. The runs are too long to be samples of mitata, so
// the least time of a few alternating rounds is taken, after one to warm up.
//
// The figures of the Bristol Stock Exchange (Python) were measured on another two-core machine, so they only show the
// order of magnitude. There, too, an order is a quote of a randomly chosen trader that all traders see.
//
// Claims: at least twenty times Bristol's orders per second. With ZIC traders, the cost of an order is the same with
// 1,000 traders as with 20. With ZIP traders, who all learn from each order, it grows at most in proportion.
//
// headless-market.ts adds the figures of whole headless markets.

import { deepStrictEqual, ok } from "node:assert";
import { ContinuousMarket, type ContinuousOutcome } from "../tests/support/laboratory/continuous-market.ts";
import { continuousSetting } from "../tests/support/laboratory/reference-market.ts";
import { ObviousMarket } from "../tests/sim/laboratory/support/obvious-market.ts";
import { type HeadlessSizes, headlessTables } from "./headless-market.ts";
import { type Clock, measuringClock, timed } from "./stopwatch.ts";
import type { StandaloneBench } from "./suite.ts";
import { aligned, duration, grouped, threeDigits } from "./table.ts";

interface SimulatorSizes {
  /** Orders of one run. */
  readonly zicOrders: number;
  /** Updates of all traders in one run: orders times traders. */
  readonly zipUpdates: number;
  /** Orders of the peer's run. */
  readonly peerOrders: number;
  /** The least time of the rounds counts. */
  readonly rounds: number;
  readonly headless: HeadlessSizes;
}

const SIZES: SimulatorSizes = {
  zicOrders: 1_000_000,
  zipUpdates: 10_000_000,
  peerOrders: 50_000,
  rounds: 4,
  headless: { fewerPersonas: 1, wakeUps: 100, longRun: { preset: "calm", days: 12 } },
};

type Name = "zic" | "zip";

/** Orders per second of the Bristol Stock Exchange, measured elsewhere. */
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
    "Orders per second, by number of traders. The figures of the Bristol Stock Exchange were measured on another machine.",
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
    "Cost of one order, by number of traders.",
    aligned(
      ["strategy", ...TRADERS.map(grouped), "1,000 / 20"],
      [...costs.keys()].map((name) => [
        name.toUpperCase(),
        ...TRADERS.map((traders) => duration(costOf(name, traders))),
        threeDigits(costOf(name, 1_000) / costOf(name, 20)),
      ]),
    ),
    ...headlessTables(sizes.headless, clock),
  ].join("\n\n");
}

/** Nanoseconds of an order, by the number of traders: the least of the rounds, which alternate between the numbers. */
function costsOf(name: Name, { zicOrders, zipUpdates, rounds }: SimulatorSizes, clock: Clock): Map<number, number> {
  const least = new Map<number, number>();
  for (let round = 0; round <= rounds; round++) {
    for (const traders of TRADERS) {
      const orders = name === "zic" ? zicOrders : Math.ceil(zipUpdates / traders);
      const market = new ContinuousMarket(continuousSetting(name, traders, SEED));
      market.run(orders);
      const { nanoseconds } = timedOrders(clock, market, orders);
      ok(market.restingOrders <= traders);
      if (round > 0) least.set(traders, Math.min(nanoseconds / orders, least.get(traders) ?? Infinity));
    }
  }
  return least;
}

/** Nanoseconds of an order in the simple version. Throws if its trades differ from ours. */
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

/** Continues the same market until the time is long enough for the clock. */
function timedOrders(clock: Clock, market: ContinuousMarket | ObviousMarket, orders: number) {
  const { nanoseconds, outcome } = timed(clock, () => (): ContinuousOutcome => market.run(orders));
  deepStrictEqual(outcome.orders, orders);
  ok(outcome.trades > orders / 50 && outcome.surplus > 0, "too few trades, or no surplus");
  return { nanoseconds, outcome };
}

function inHundreds(rate: number): string {
  return grouped(Math.round(rate / 100) * 100);
}

export default { name: "simulator", tables: () => simulatorTables(SIZES) } satisfies StandaloneBench;
