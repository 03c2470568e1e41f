// Spot prices, contracts of coming hours and what was special, on one axis of time.

import { describe, expect, test } from "bun:test";
import { congestionBoxes, regimeBoxes } from "../../web/components/spot-lanes.ts";
import { hoursOf, type PriceStep, readingAt, timelineOf } from "../../web/components/spot-timeline.ts";
import type { SpotEvent, SpotNode, SpotResult } from "../../web/contract/tool-results.ts";

const HOUR = 3_600;
const START = Date.parse("2026-07-01T00:00:00Z") / 1_000;
const at = (hours: number) => new Date((START + hours * HOUR) * 1_000).toISOString();
const sinceStart = (seconds: number) => (seconds - START) / HOUR;
const REGIMES: Readonly<Record<string, string>> = { b: "base", s: "spike", d: "drop" };

/** A price in cents and the first letter of a regime for each hour, then those of half past the last one. */
function nodeOf(node: string, ...hours: readonly string[]): SpotNode {
  const point = (text: string, time: string) => (
    { time, price: Number.parseInt(text), regime: REGIMES[text.at(-1)!]! }
  );
  const history = hours.slice(0, -1).map((text, hour) => point(text, at(hour)));
  return { node, history, ...point(hours.at(-1)!, at(hours.length - 1.5)) };
}

/** In hours after the start, for a present at half past the last hour. */
function spans(node: SpotNode, now = node.history.length - 0.5) {
  return regimeBoxes(node, START + now * HOUR).map(({ kind, from, to }) => [kind, sinceStart(from), sinceStart(to)]);
}

describe("the spans of a regime", () => {
  test("join hours that follow each other, and split between two regimes", () => {
    expect(spans(nodeOf("N", "1b", "2s", "3s", "4b", "5d", "6b", "6b"))).toEqual([["spike", 1, 3], ["drop", 4, 5]]);
    expect(spans(nodeOf("N", "1s", "2d", "3b", "3b"))).toEqual([["spike", 0, 1], ["drop", 1, 2]]);
  });

  test("end now if they go on, also those that began a moment ago", () => {
    expect(spans(nodeOf("N", "1b", "2s", "2s"))).toEqual([["spike", 1, 1.5]]);
    expect(spans(nodeOf("N", "1b", "2b", "9d"))).toEqual([["drop", 1.5 - 1 / 12, 1.5]]);
    expect(spans(nodeOf("N", "1b", "2b", "2b"))).toEqual([]);
    expect(spans({ node: "N", history: [], time: at(0), price: 1, regime: "base" }, 0)).toEqual([]);
  });

  test("of a name that nobody knows are shown as something else", () => {
    const node = nodeOf("N", "1b", "2b", "3b");
    expect(regimeBoxes({ ...node, regime: "odd" }, START + 1.5 * HOUR)).toMatchObject([{
      kind: "other",
      label: "odd",
    }]);
  });
});

describe("congestion", () => {
  const boxes = (first: readonly string[], second: readonly string[], isNow: boolean) =>
    congestionBoxes(nodeOf("N", ...first), nodeOf("W", ...second), isNow, START + (first.length - 1.5) * HOUR)
      .map(({ label, from, to }) => [label, sinceStart(from), sinceStart(to)]);

  test("has the hours in which both nodes differ by more than a dollar, and says which is dearer", () => {
    expect(boxes(["500b", "500b", "500b", "100b", "100b"], ["100b", "100b", "900b", "200b", "200b"], false))
      .toEqual([["N dearer", 0, 2], ["W dearer", 2, 3]]);
    expect(boxes(["100b", "100b", "100b"], ["200b", "100b", "100b"], false)).toEqual([]);
  });

  test("of now is of the hour in progress, although its mean does not show it yet", () => {
    expect(boxes(["100b", "100b", "100b"], ["100b", "100b", "900b"], true)).toEqual([["W dearer", 1, 1.5]]);
  });

  test("is unknown in an hour that only one node has", () => {
    expect(boxes(["900b", "900b", "100b"], ["100b", "100b"], false)).toEqual([["N dearer", 0, 1]]);
  });
});

const EVENT: SpotEvent = {
  ...{ id: "e", type: "heat_wave", node: "W", size: 1, remaining: 1 },
  ...{ startedAt: at(-5), endsAt: at(4) },
};
const SPOT: SpotResult = {
  ...{ status: "running", congested: false },
  nodes: [nodeOf("N", "100b", "200s", "300s"), nodeOf("W", "100b", "200b", "250b")],
  events: [EVENT],
};
const step = (from: number, price: number): PriceStep => ({
  from: START + from * HOUR,
  to: START + (from + 1) * HOUR,
  price,
});

describe("a timeline", () => {
  test("has the past in hours up to now, the hours ahead that contracts price, and a lane for each subject", () => {
    const outlook = new Map([["N", [step(1, 1), step(3, 400), step(5, 500), step(60, 9)]]]);
    const { from, now, to, nodes, lanes } = timelineOf(SPOT, outlook)!;
    expect([from, now, to].map(sinceStart)).toEqual([0, 1.5, 6]);
    expect(nodes.map(({ past }) => past.map((each) => [sinceStart(each.from), sinceStart(each.to), each.price])))
      .toEqual([[[0, 1, 100], [1, 1.5, 200]], [[0, 1, 100], [1, 1.5, 200]]]);
    expect(nodes.map(({ ahead }) => ahead.map(({ price }) => price))).toEqual([[400, 500], []]);
    expect(lanes.map(({ name, boxes }) => [name, ...boxes.map(({ label }) => label)])).toEqual([
      ["N", "spike"],
      ["W"],
      ["congestion"],
      ["heat wave", "heat wave at W"],
    ]);
    // It began before the history does, so the price before it is unknown.
    expect(lanes.at(-1)!.boxes[0]!.effect).toBe("W – → 2.50");
  });

  test("ends with the last hour or event, but not later than two days ahead, and never at the present", () => {
    const end = (events: SpotEvent[]) => sinceStart(timelineOf({ ...SPOT, events })!.to);
    expect([end([]), end([EVENT]), end([{ ...EVENT, endsAt: at(700) }])]).toEqual([2.5, 4, 49.5]);
  });

  test("of one node has no congestion, and without history there is none", () => {
    const [node] = SPOT.nodes as [SpotNode];
    expect(timelineOf({ ...SPOT, nodes: [node] })!.lanes.map(({ name }) => name)).toEqual(["N", "heat wave"]);
    expect(timelineOf({ ...SPOT, nodes: [{ ...node, history: [] }] })).toBeNull();
    expect(timelineOf({ ...SPOT, nodes: [] })).toBeNull();
  });

  test("reads out what was, what is and what the market expects, with gaps as gaps", () => {
    const timeline = timelineOf(SPOT, new Map([["N", [step(3, 400)]]]))!;
    const read = (hours: number) => {
      const { prices, isAhead, notes } = readingAt(timeline, START + hours * HOUR);
      return [...prices.map(({ price }) => price), isAhead, ...notes];
    };
    expect(read(0.5)).toEqual([100, 100, false, "heat wave at W"]);
    expect(read(1.2)).toEqual([200, 200, false, "N: spike", "heat wave at W"]);
    expect(read(1.5)).toEqual([300, 250, false, "heat wave at W"]);
    expect(read(2)).toEqual([null, null, true, "heat wave at W"]);
    expect(read(3.5)).toEqual([400, null, true, "heat wave at W"]);
    expect(hoursOf(timeline).map(({ from }) => sinceStart(from))).toEqual([3, 1, 0]);
  });
});
