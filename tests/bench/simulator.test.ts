import { expect, test } from "bun:test";
import type { HeadlessSizes } from "../../bench/headless-market.ts";
import { simulatorTables } from "../../bench/simulator.ts";
import rmsc04 from "../../docs/examples/rmsc04.json" with { type: "json" };
import { readExperiment } from "../../sim/experiment/read-experiment.ts";
import { coarseClock } from "./coarse-clock.ts";

const HEADLESS: HeadlessSizes = { fewerPersonas: 40, wakeUps: 10, longRun: { preset: "thin", days: 0.1 } };

test("the bench makes its tables, without a figure that is missing", () => {
  const sizes = { zicOrders: 4_000, zipUpdates: 40_000, peerOrders: 200, rounds: 2, headless: HEADLESS };
  const tables = simulatorTables(sizes);
  const traders = ["20 ZIC", "100 ZIC", "20 ZIP", "100 ZIP", "ZIC", "ZIP"];
  const markets = ["1,117 of rmsc04", "4,000 of rmsc04", "4,000 ZIC", "a day", "memory"];
  for (const row of [...traders, ...markets]) expect(tables).toContain(`| ${row} `);
  expect(tables).not.toMatch(/NaN|Infinity/);
}, 120_000);

test("the example experiment of 1,117 personas is valid", () => {
  expect(readExperiment(rmsc04)).toMatchObject({ ok: true });
  expect(rmsc04.personas.reduce((sum, { count }) => sum + count, 0)).toBe(1_117);
});

// A coarse clock makes the bench repeat each run about 15 times, so the markets are smaller still.
test("a clock that ticks in 10 ms gives finite figures", () => {
  const sizes = { zicOrders: 2_000, zipUpdates: 20_000, peerOrders: 100, rounds: 1, headless: HEADLESS };
  expect(simulatorTables(sizes, coarseClock())).not.toMatch(/NaN|Infinity|∞|\| 0 /);
}, 120_000);
