// The bench of the simulator at small sizes. How the cost of an order grows is tested in
// tests/sim/laboratory/continuous-market.test.ts.

import { expect, test } from "bun:test";
import { simulatorTables } from "../../bench/simulator.ts";
import { coarseClock } from "./coarse-clock.ts";

test("the bench makes its two tables, without a figure that is missing", () => {
  const tables = simulatorTables({ zicOrders: 20_000, zipUpdates: 200_000, peerOrders: 1_000, rounds: 2 });
  for (const row of ["20 ZIC", "100 ZIC", "20 ZIP", "100 ZIP", "ZIC", "ZIP"]) expect(tables).toContain(`| ${row} `);
  expect(tables).not.toContain("NaN");
  expect(tables).not.toContain("Infinity");
});

test("a clock that ticks in 10 ms gives finite figures", () => {
  expect(simulatorTables({ zicOrders: 2_000, zipUpdates: 20_000, peerOrders: 500, rounds: 1 }, coarseClock())).not
    .toMatch(/NaN|Infinity|∞|\| 0 /);
});
