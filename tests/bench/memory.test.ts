// Memory of the engine, measured in a process of its own. A day of full size is played in test:long.

import { expect, test } from "bun:test";
import { FULL_DAY, memoryTables, playedDay } from "../../bench/memory.ts";
import { LONG, size } from "../support/sizes.ts";

const GIGABYTE = 2 ** 30;
/** Bytes for each operation: what is told in engine/operations/operation-log.ts, and a fifth for what else grows. */
const PER_OPERATION = 150;
/** What an engine keeps without operations: open and closed orders, trades, texts. */
const WITHOUT_OPERATIONS = 60e6;

test("a day of many operations stays within the memory that is told", () => {
  const { operations, accepted, openOrders, peakBytes, keptBytes } = playedDay(size(5_000, FULL_DAY));
  expect(accepted / operations).toBeGreaterThan(0.8);
  expect(openOrders).toBeGreaterThan(size(300, 5_000));
  expect(keptBytes).toBeLessThan(WITHOUT_OPERATIONS + PER_OPERATION * accepted);
  expect(peakBytes).toBeLessThan(LONG ? 4 * GIGABYTE : GIGABYTE);
});

test.skipIf(!LONG)("the bench makes its two tables, and no object takes more bytes than is told", () => {
  const tables = memoryTables({ objects: size(10_000, 20_000), day: 1_000 });
  expect(tables).not.toMatch(/NaN|Infinity|-\d/);
  const bytesOf = (object: string) =>
    Number(tables.match(new RegExp(`\\| ${object} +\\| ([\\d,]+)`))?.[1]?.replace(",", ""));
  expect(bytesOf("open order")).toBeLessThan(1_500);
  expect(bytesOf("closed order")).toBeLessThan(1_000);
  expect(bytesOf("trade, with both fills")).toBeLessThan(1_200);
  // Code that is compiled meanwhile counts, too: with few objects that is up to 20 bytes for each.
  const compiled = size(30, 0);
  expect(bytesOf("operation of the last 24 hours, if it submits an order")).toBeLessThan(120 + compiled);
  expect(bytesOf("operation of the last 24 hours, if it changes or cancels one")).toBeLessThan(140 + compiled);
});
