// When traders act: over half-hours and hours in which the market is open throughout.

import { expect, test } from "bun:test";
import { activityFacts, tradesByHour } from "../../../sim/facts/activity.ts";

const MINUTE = 60_000;
/** Midnight in Chicago, seven in Berlin. */
const START = Date.parse("2026-03-02T06:00:00Z");
const definition = {
  markets: [
    { timezone: "America/Chicago", nodes: ["NORTH"] },
    { timezone: "Europe/Berlin", nodes: ["WEST"] },
  ],
};
type Trade = readonly [minute: number, megawatts: number];

/** A tape from START on, closed in its minute 89. `messages`: the minute and how many. */
function tapeOf(
  minutes: number,
  trades: Readonly<Record<string, readonly Trade[]>>,
  messages: readonly (readonly [minute: number, count: number])[] = [],
) {
  return {
    definition,
    contracts: new Map(Object.keys(trades).map((node) => [`${node}-1`, { node }])),
    trades: Object.entries(trades).map(([node, all]) => [`${node}-1`, {
      times: all.map(([minute]) => START + minute * MINUTE),
      quantities: all.map(([, megawatts]) => megawatts),
    }]),
    messageTimes: messages.flatMap(([minute, count]) => Array(count).fill(START + minute * MINUTE)),
    minutes: {
      start: START,
      end: START + minutes * MINUTE,
      open: Uint8Array.from({ length: minutes }, (_, at) => at === 89 ? 0 : 1),
    },
  } as unknown as Parameters<typeof tradesByHour>[0];
}

const figures = (tape: ReturnType<typeof tapeOf>) => activityFacts.measure(tape).map(({ value }) => value);

test("messages are compared in the first and the last minute of half-hours that are open in both", () => {
  const messages = [[-1, 99], [0, 6], [30, 3], [59, 2], [60, 9], [90, 5], [119.9, 1], [120, 1], [149, 4], [
    180,
    99,
  ]] as const;
  // 15 to 7 in all; 9 to 7 without the first; of 3 / 2, 5 / 1 and 1 / 4 the median.
  expect(figures(tapeOf(185, {}, messages)).slice(0, 3)).toEqual([15 / 7, 9 / 7, 1.5]);
});

test("trades and MW are those of each hour of the day at their nodes, while the market is open throughout", () => {
  const north: Trade[] = [[0, 2], [5, 1], [59.9, 4], ...Array.from({ length: 50 }, (): Trade => [70, 9])];
  for (let part = 0; part < 6; part++) north.push([125, 0.5]);
  const { trades, volumes } = tradesByHour(tapeOf(24 * 60, { NORTH: north, WEST: [[1, 10], [2, 10]] }));
  const expected = (hours: Readonly<Record<number, number>>) =>
    Array.from({ length: 24 }, (_, hour) => hours[hour] ?? 0);
  // Minute 89 is in the hour 1 of Chicago, and 8 of Berlin.
  expect([...trades]).toEqual(expected({ 0: 3, 1: NaN, 2: 6, 7: 2, 8: NaN }));
  expect([...volumes]).toEqual(expected({ 0: 7, 1: NaN, 2: 3, 7: 20, 8: NaN }));
  expect(figures(tapeOf(185, { NORTH: north })).slice(3)).toEqual([6 / 3, 7 / 3]);
  // A single hour can't be compared, nor can none.
  expect([figures(tapeOf(65, { NORTH: north })).slice(3), figures(tapeOf(0, {}))]).toEqual([
    [NaN, NaN],
    Array(5).fill(NaN),
  ]);
});
