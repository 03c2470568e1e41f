// What stands out in a day of the market.

import { expect, test } from "bun:test";
import type { PastEvent } from "../../../../web/contract/past.ts";
import {
  activityOf,
  burstMarks,
  notable,
  spotMarks,
  statusLanes,
} from "../../../../web/dashboard/pages/past/day-marks.ts";

const DAY = { from: 0, to: 86_400_000 };
const MINUTE = 60_000;
const iso = (at: number) => new Date(at).toISOString();

function change(
  at: number,
  moduleId: string,
  previousStatus: string,
  status: string,
  reason: string | null = null,
): PastEvent {
  return {
    ...{ id: String(at), time: iso(at), event: "marketStatusChanged", moduleType: "MARKET", moduleId },
    ...{ userId: null, entityId: null, orderId: null, details: { previousStatus, status, reason } },
  };
}

test("a market has the status of its last change, and before the first one the status that it left", () => {
  const changes = [
    change(10, "A", "preopen", "open"),
    change(20, "A", "open", "halted", "fire"),
    change(30, "B", "open", "closed"),
  ];
  const lanes = statusLanes(changes, { from: 5, to: 40 }, new Map([["C", "open"]]));
  const shown = lanes.map(({ title, marks }) => [title, marks.map(({ from, to, label }) => `${from}-${to} ${label}`)]);
  expect(Object.fromEntries(shown)).toEqual({
    A: ["5-10 preopen", "10-20 open", "20-40 halted: fire"],
    B: ["5-30 open", "30-40 closed"],
    C: ["5-40 open"],
  });
  expect(notable(lanes.flatMap(({ marks }) => marks)).map(({ label }) => label)).toEqual(["halted: fire"]);
});

test("a day of which there are no records has no status", () => {
  expect(statusLanes([], { from: 40, to: 5 }, new Map([["A", "open"]]))).toEqual([{ title: "Market", marks: [] }]);
});

test("a burst is four times as dense as the day, and bursts that follow each other are one", () => {
  const spans = [[0, 60, 100], [60, 61, 90], [61, 62, 100], [62, 120, 100]] as const;
  const counts = spans.map(([from, to, count]) => ({ from: iso(from * MINUTE), to: iso(to * MINUTE), count }));
  const activity = activityOf(counts);
  expect(activity.map(({ isBurst }) => isBurst)).toEqual([false, true, true, false]);
  expect(Math.max(...activity.map(({ height }) => height))).toBe(1);
  expect(burstMarks(activity)).toEqual([
    { from: 60 * MINUTE, to: 62 * MINUTE, kind: "burst", label: "burst of 190 events in 120 s" },
  ]);
  expect(activityOf([])).toEqual([]);
});

test("a spike is told with its highest price, within the day", () => {
  const point = (hour: number, price: number, regime: string) => ({ time: iso(hour * 60 * MINUTE), price, regime });
  const history = [
    point(-1, 90_000, "spike"),
    point(0, 50_000, "spike"),
    point(1, 4_000, "base"),
    point(2, -500, "drop"),
  ];
  const node = { node: "NORTH", ...point(3, 4_100, "base"), history };
  expect(spotMarks(node, DAY).map(({ from, to, label }) => [from / MINUTE, to / MINUTE, label])).toEqual([
    [0, 60, "spike at NORTH: 500.00 $/MWh"],
    [120, 180, "drop at NORTH: −5.00 $/MWh"],
  ]);
});
