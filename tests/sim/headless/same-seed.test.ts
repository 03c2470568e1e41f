// What one seed gives: every order and trade of a short run in which each strategy and kind of persona takes part. A change
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
    count: ["zip", "aa", "zic"].includes(strategy) ? 2 : 1,
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
      steps: 220,
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
    books: 2224597639,
    byStrategy: [
      "zic 8 0 5 2",
      "zic 0 0 0 0",
      "zip 13 0 12 0",
      "zip 6 0 3 0",
      "gvwy 12 0 0 12",
      "shvr 1 0 0 0",
      "aa 0 0 0 0",
      "aa 0 0 0 0",
      "avellaneda-stoikov 289 0 59 20",
      "momentum 0 0 0 0",
      "mean-reversion 0 0 0 0",
      "generator 8 1 0 5",
      "retailer 9 0 1 1",
      "arbitrageur 2 0 2 2",
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
      1772454597248,
      "NORTH-MO-BASE-2026-04",
      3586,
      3000,
      1,
      "avellaneda-stoikov-1",
      "generator-1",
    ],
    metrics: {
      allocativeEfficiency: null,
      meanSpread: 7.1799,
      smithsAlpha: 2.4596,
      twoSidedBooks: 99.2284,
    },
    orders: [
      431,
      4232906785,
    ],
    points: [
      7,
      192680878,
    ],
    reports: 1000889115,
    totals: {
      cancels: 82,
      changes: 1,
      orders: 348,
      personas: 14,
      physicalResult: 116.93,
      rejected: 0,
      stoppedForLosses: 0,
      surplus: 1821.5,
      trades: 21,
      volumeMw: 30,
      workingOrders: 236,
    },
    trades: [
      21,
      1286133833,
    ],
  });
});
