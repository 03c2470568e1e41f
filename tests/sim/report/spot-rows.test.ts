// Spot prices of which several are in one bucket of a picture.

import { expect, test } from "bun:test";
import { spotOverTime, spotSummaries } from "../../../sim/report/spot-charts.ts";
import { spotPicture } from "../../../sim/report/spot-picture.ts";
import { SpotSamples } from "../../../sim/report/spot-samples.ts";

const HOUR = 3_600_000;

/** `every`: between prices. Of each hour, how many prices of node A are in a spike, and how many in congestion. */
function samplesOf(every: number, hours: readonly (readonly [spikes: number, congested: number])[], width = HOUR) {
  const samples = new SpotSamples(0, width, ["A", "B"], "UTC");
  for (const [hour, [spikes, congested]] of hours.entries()) {
    for (let at = 0; at * every < HOUR; at++) {
      const time = hour * HOUR + at * every;
      samples.add(0, time, 300 + at, at < spikes ? "spike" : "base");
      samples.add(1, time, 100, "base");
      samples.addCongestion(time, at < congested);
    }
  }
  return samples;
}

test("rows are as strong as the share of the bucket, and touching ones of one strength are one", () => {
  const samples = samplesOf(HOUR / 12, [[3, 6], [12, 6], [3, 0], [3, 12]]);
  const [prices, strip] = spotOverTime({ samples, end: 4 * HOUR, events: [], width: 900 });
  const boxes = (name: string) =>
    strip.layers.flatMap((layer) =>
      layer.kind === "boxes" && layer.name === name
        ? layer.boxes.map(({ x: [from, to], strength }) => [from / HOUR, to / HOUR, strength])
        : []
    );
  expect(boxes("spike")).toEqual([[0, 1, 0.35 + 0.65 / 4], [1, 2, 1], [2, 4, 0.35 + 0.65 / 4]]);
  expect(boxes("congestion")).toEqual([[0, 2, 0.35 + 0.65 / 2], [3, 4, 1]]);
  expect(prices.title).toBe("Spot prices, mean and range of 60 minutes");
  const lines = prices.layers.flatMap((layer) => layer.kind === "line" ? [layer] : []);
  expect(lines.map(({ name, points, width }) => [name, points[0]?.[1], width]))
    .toEqual([["B", 1, 1.3], ["A", 3.055, 1.6]]);
  // The mean of 300 to 311 cents in each of the first four hours.
  const [, { layers: [day] }] = spotSummaries(samples, 400);
  expect(day).toMatchObject({ points: [[0, 3.055], [1, 3.055], [2, 3.055], [3, 3.055]] });
});

test("spikes are bands behind the prices, but not in a bucket of more than twelve prices", () => {
  const bandsOf = (every: number) => {
    const [{ layers }] = spotOverTime({ samples: samplesOf(every, [[1, 0]]), end: HOUR, events: [], width: 900 });
    return layers.flatMap((layer) => layer.kind === "bands" ? [layer.bands.length] : []);
  };
  expect([HOUR, HOUR / 12, HOUR / 13].map(bandsOf)).toEqual([[1, 0], [1, 0], []]);
});

test("the picture of a seed has the prices of both nodes, which differ at times", () => {
  const svg = spotPicture({ seed: 7, hours: 500, version: "1", onProgress: () => {} });
  const pathOf = (tone: string) => new RegExp(`<g class="p-${tone}"><path d="([^"]{500,})"`).exec(svg)?.[1];
  expect(pathOf("s0")).toBeString();
  expect(pathOf("s1")).toBeString();
  expect(pathOf("s0")).not.toBe(pathOf("s1"));
});
