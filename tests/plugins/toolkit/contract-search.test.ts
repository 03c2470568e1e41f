// Which contracts a description means, and in which order.

import { expect, test } from "bun:test";
import type { SnapshotReader } from "../../../core/market/snapshot-reader.ts";
import { contractsDescribedBy, deliveryDay } from "../../../plugins/toolkit/contract-search.ts";

const HOUR = 3_600_000;
/** Midnight of 2 December in Chicago. */
const MIDNIGHT = Date.parse("2026-12-02T06:00:00Z");

const contract = (id: string, days: number, hours: number, more: object = {}) => ({
  id,
  name: `${id} delivery`,
  code: id.slice(0, 1),
  marketId: "M",
  status: "listed",
  deliveryStart: new Date(MIDNIGHT + days * 24 * HOUR).toISOString(),
  hours,
  ...more,
});

const CONTRACTS = [
  contract("LATER", 1, 24),
  contract("FIRST-HOUR", 0, 1),
  contract("LAST-HOUR", 23 / 24, 1),
  contract("DAY", 0, 24),
  contract("OLD", 0, 24, { status: "expired" }),
  contract("YESTERDAY", -1 / 24, 1),
  contract("MONTH", -1, 31 * 24),
  contract("YEAR", -1, 365 * 24),
  contract("ELSEWHERE", 0, 24, { marketId: "UNKNOWN", code: "X" }),
];

/** At noon in Chicago. */
function described(text: string, contracts: readonly object[] = CONTRACTS): string[] {
  const snapshot = {
    asOf: new Date(MIDNIGHT + 12 * HOUR).toISOString(),
    count: () => contracts.length,
    find: () => ({ modules: [...contracts] }),
    get: (_type: string, id: string) => id === "M" ? { timezone: "America/Chicago" } : undefined,
  };
  return contractsDescribedBy(snapshot as unknown as SnapshotReader, text);
}

test.each([
  ["today", ["FIRST-HOUR", "DAY", "ELSEWHERE", "LAST-HOUR"]],
  ["tomorrow", ["LATER"]],
  ["yesterday", ["MONTH", "YEAR", "YESTERDAY"]],
  ["hour today", ["FIRST-HOUR", "LAST-HOUR"]],
  ["HOUR, 2026-12-02", ["FIRST-HOUR", "LAST-HOUR"]],
  ["old", []],
  ["", []],
  ["nothing today", []],
])("%j means what fits every word, by start of delivery", (text, expected) => {
  expect(described(text)).toEqual(expected);
});

test("a month means first what delivers all of it, and last what is longer", () => {
  const found = described("December");
  expect([found[0], found.at(-1)]).toEqual(["MONTH", "YEAR"]);
  expect(found.indexOf("DAY")).toBeLessThan(found.indexOf("FIRST-HOUR"));
  expect(described("november")).toEqual([]);
});

test("too many words, or too many contracts, mean none", () => {
  expect(described(Array(12).fill("day").join(" "))).toContain("DAY");
  expect(described(Array(13).fill("day").join(" "))).toEqual([]);
  const many = Array.from({ length: 3_001 }, (_, at) => contract(`C${at}`, 0, 1));
  expect([described("today", many.slice(1)).length, described("today", many).length]).toEqual([3_000, 0]);
});

test("a delivery's day is that of its market, and empty if its time can't be read", () => {
  const snapshot = { get: () => ({ timezone: "America/Chicago" }) } as unknown as SnapshotReader;
  const dayOf = (deliveryStart: string) => deliveryDay(contract("C", 0, 1, { deliveryStart }) as never, snapshot);
  expect(["2026-12-02T05:59:59Z", "2026-12-02T06:00:00Z", "never"].map(dayOf)).toEqual([
    "2026-12-01",
    "2026-12-02",
    "",
  ]);
});
