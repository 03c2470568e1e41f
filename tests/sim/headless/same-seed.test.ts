// What one seed gives: every order and trade of a short run in which each strategy and each kind of persona takes part. A change
// that is meant changes these numbers, and the failure prints the new ones; any other change is a mistake, such as a stream of
// random numbers that is used twice, a forecast that is a step too new, or what is ordered in place of what remains.

import { expect, test } from "bun:test";
import { presetExperiment } from "../../../sim/experiment/read-experiment.ts";
import { Simulation } from "../../../sim/headless/simulate.ts";
import type { RunObserver } from "../../../sim/tape/run-observer.ts";
import { STRATEGIES } from "../../../sim/strategies/registry.ts";
import { BUILT_IN, HOUR, seldomRevised } from "./support.ts";

const START = "2026-03-02T11:58:00Z";

/** A number for a series that differs if the series does. */
const sumOf = (series: readonly unknown[]) => Number(Bun.hash.crc32(JSON.stringify(series)));

test("a run of each strategy", () => {
  const { trading, ...preset } = seldomRevised(presetExperiment("volatile"), HOUR / 10);
  const pace = { kind: "exponential", meanMs: 90_000 };
  const personas = Object.keys(STRATEGIES).map((strategy) => ({
    strategy,
    count: ["zip", "aa", "zic"].includes(strategy) ? 3 : 2,
  }));
  const [orders, trades, books, points]: unknown[][] = [[], [], [], []];
  const observer: Partial<RunObserver> = {
    onOrder: (time, action, { side, price, quantity }, { id }, persona) =>
      orders!.push([time, action, side, price, quantity, id, persona.id]),
    onTrade: (time, { id }, price, quantity, side, buyer, seller) =>
      trades!.push([time, id, price, quantity, side, buyer.id, seller.id]),
    onBook: (time, { id }, book) => books!.push([time, id, book.priceOfLevel(book.bestLevel(0))]),
    onPoint: ({ time, tradedNow, personas }) =>
      points!.push([
        time,
        tradedNow.map(({ id }) => id),
        personas.map((
          { workingOrders, counts, account, economics },
        ) => [workingOrders, counts, account.trades, economics.stops]),
      ]),
  };
  for (const name of ["onDelivery", "onRemoval", "onEvent", "onSpot", "onEnd"] as const) observer[name] = () => {};
  const simulation = new Simulation({
    definition: BUILT_IN,
    experiment: {
      ...preset,
      trading: { ...trading, pace, paces: {} },
      personas,
      seed: 7,
      start: START,
      steps: 500,
    } as never,
    observer: observer as RunObserver,
  });
  for (const due of simulation.advance()) throw new Error(due.id);
  const { personas: reports, totals, metrics } = simulation.report();
  expect({
    first: orders![0],
    orders: [orders!.length, sumOf(orders!)],
    trades: [trades!.length, sumOf(trades!)],
    lastTrade: trades!.at(-1),
    books: sumOf(books!),
    points: [points!.length, sumOf(points!)],
    byStrategy: reports.map(({ strategy, orders, changes, cancels, trades }) =>
      [strategy, orders, changes, cancels, trades].join(" ")
    ),
    reports: sumOf(reports),
    totals,
    metrics,
  }).toEqual({
    books: 2451284051,
    byStrategy: [
      "zic 10 0 6 2",
      "zic 1 0 0 0",
      "zic 17 0 15 1",
      "zip 16 0 14 0",
      "zip 10 0 7 0",
      "zip 8 0 7 0",
      "gvwy 20 0 0 21",
      "gvwy 2 0 0 1",
      "shvr 3 0 1 0",
      "shvr 2 0 0 0",
      "aa 0 0 0 0",
      "aa 0 0 0 0",
      "aa 11 0 8 1",
      "avellaneda-stoikov 356 13 128 16",
      "avellaneda-stoikov 387 5 163 14",
      "momentum 0 0 0 0",
      "momentum 0 0 0 0",
      "mean-reversion 0 0 0 0",
      "mean-reversion 0 0 0 0",
      "generator 8 2 0 4",
      "generator 9 0 1 0",
      "retailer 10 1 2 3",
      "retailer 9 0 1 5",
      "arbitrageur 0 0 0 0",
      "arbitrageur 0 0 0 0",
    ],
    first: [
      1772452684567,
      "submit",
      0,
      3898,
      4000,
      "NORTH-MO-PEAK-2026-03",
      "avellaneda-stoikov-1",
    ],
    lastTrade: [
      1772455074134,
      "WEST-QU-BASE-2026-Q2",
      3893,
      1000,
      1,
      "avellaneda-stoikov-2",
      "gvwy-1",
    ],
    metrics: {
      allocativeEfficiency: null,
      meanSpread: 6.4266,
      smithsAlpha: 3.3872,
      twoSidedBooks: 100,
    },
    orders: [
      1253,
      1922753176,
    ],
    points: [
      8,
      2242224117,
    ],
    reports: 3862831477,
    totals: {
      cancels: 353,
      changes: 21,
      orders: 879,
      personas: 25,
      physicalResult: 207.42,
      rejected: 0,
      stoppedForLosses: 0,
      surplus: 4575.64,
      trades: 34,
      volumeMw: 53,
      workingOrders: 475,
    },
    trades: [
      34,
      4148980182,
    ],
  });
});
