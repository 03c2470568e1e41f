// The benches at small sizes. Each compares what mkt and its peer have made, and throws if they differ.

import { expect, test } from "bun:test";
import { bookTables } from "../../bench/book.ts";
import { engineTables } from "../../bench/engine.ts";
import type { HeadlessSizes } from "../../bench/headless-market.ts";
import { readingTables } from "../../bench/reading.ts";
import { simulatorTables } from "../../bench/simulator.ts";
import { spotTables } from "../../bench/spot.ts";
import rmsc04 from "../../docs/examples/rmsc04.json" with { type: "json" };
import { readExperiment } from "../../sim/experiment/read-experiment.ts";
import { LONG, size } from "../support/sizes.ts";
import { coarseClock } from "./coarse-clock.ts";

const BOOK = { operations: 2_000, deepOrders: 1_000, peerOperations: 200, rounds: size(1, 2) };
const ENGINE = { warmUp: 200, block: 40, blocks: 1, restingOrders: [50, 100], entities: [3, 12], cellSamples: 1 };
const HEADLESS: HeadlessSizes = { fewerPersonas: 200, wakeUps: 10, longRun: { preset: "thin", days: 0.05 } };
const SIMULATOR = { zicOrders: 1_000, zipUpdates: 4_000, peerOrders: 50, rounds: size(1, 2), headless: HEADLESS };
const READING = { orders: [1_000], rounds: 1 };

const SPOT: [string, () => string, string[]] = [
  "spot",
  () => spotTables({ hours: 200, rounds: 2 }),
  ["all", "an hour"],
];

test.each(size<[string, () => string, string[]][]>([SPOT], [
  [
    "engine",
    () => engineTables(ENGINE),
    ["the mix", "an order that rests", "an order that trades", "a cancel", "a modify", "3", "12"],
  ],
  SPOT,
]))("the bench %s makes its tables, without a figure that is missing", (_name, tablesOf, rows) => {
  const tables = tablesOf();
  for (const row of rows) expect(tables).toContain(`| ${row} `);
  expect(tables).not.toMatch(/NaN|Infinity|undefined/);
});

test("a clock that ticks in 10 ms gives a table with finite figures in the bench spot", () => {
  expect(spotTables({ hours: 100, rounds: 1 }, coarseClock())).not.toMatch(/NaN|Infinity|∞|undefined|\| 0 /);
});

// The other benches measure alike, with the same stopwatch, and play longer.
test.skipIf(!LONG).each([
  ["book", () => bookTables(BOOK, coarseClock()), ["shallow", "deep, from 1,001 on", "deep"]],
  [
    "reading",
    () => readingTables(READING, coarseClock()),
    ["1,000  | none", "1,000  | 1", "1,000  | 8", "a frame"],
  ],
  ["simulator", () => simulatorTables(SIMULATOR, coarseClock()), [
    ...["20 ZIC", "100 ZIC", "20 ZIP", "100 ZIP", "ZIC", "ZIP"],
    ...["1,117 of rmsc04", "4,000 of rmsc04", "4,000 ZIC", "a day", "memory"],
  ]],
])("a clock that ticks in 10 ms gives tables with finite figures in the bench %s", (_name, tablesOf, rows) => {
  const tables = tablesOf();
  for (const row of rows) expect(tables).toContain(`| ${row} `);
  expect(tables).not.toMatch(/NaN|Infinity|∞|undefined|\| 0 /);
});

test.skipIf(!LONG)("a clock that ticks in 10 ms gives finite figures in the bench engine", () => {
  const sizes = { ...ENGINE, restingOrders: [100], entities: [12], blocks: 2, cellSamples: 0 };
  expect(engineTables(sizes, coarseClock())).not.toMatch(/NaN|Infinity|∞|\| 0 /);
});

test("the example experiment of 1,117 personas is valid", () => {
  expect(readExperiment(rmsc04)).toMatchObject({ ok: true });
  expect(rmsc04.personas.reduce((sum, { count }) => sum + count, 0)).toBe(1_117);
});
