import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type Axis, scaleOf, shortNumber } from "../../../common/plot/axis.ts";
import { type Chart, chartSvg } from "../../../common/plot/chart.ts";
import type { Layer } from "../../../common/plot/layers.ts";
import { pictureSvg } from "../../../common/plot/picture.ts";
import { escaped } from "../../../common/plot/svg.ts";
import { localTime, timeMarks } from "../../../common/plot/time-marks.ts";
import { wellFormed } from "./support.ts";

const WIDTH = 400;
const HEIGHT = 200;

const value = fc.oneof(
  fc.double(),
  fc.integer({ min: -5_000, max: 900_000 }),
  fc.constantFrom(0, -0, NaN, Infinity, -Infinity, 1e-300, 1e300),
);
const gap = fc.oneof(value, fc.constant(null));
const axis = fc.oneof<fc.Arbitrary<Axis>[]>(
  fc.record({ kind: fc.constant("linear" as const), fromZero: fc.boolean(), isRounded: fc.boolean() }),
  fc.constant({ kind: "logarithmic" as const }),
  fc.constant({ kind: "bent" as const, bend: 20 }),
  fc.constant({ kind: "names" as const, names: ["one", "<two>"] }),
);
const points = fc.array(fc.tuple(value, gap), { maxLength: 20 });
const extents = fc.array(fc.tuple(value, gap, gap), { maxLength: 20 });
const tone = fc.constantFrom("s0" as const, "spike" as const);
const isStepped = fc.boolean();
const layer = fc.oneof<fc.Arbitrary<Layer>[]>(
  fc.record({ kind: fc.constant("line" as const), tone, points, isStepped }),
  fc.record({ kind: fc.constant("area" as const), tone, extents, isStepped }),
  fc.record({ kind: fc.constant("dots" as const), tone, points }),
  fc.record({ kind: fc.constant("sticks" as const), tone, extents }),
  fc.record({
    kind: fc.constant("boxes" as const),
    tone,
    boxes: fc.array(fc.record({ x: fc.tuple(value, value), y: fc.tuple(value, value), strength: value })),
  }),
  fc.record({
    kind: fc.constant("bands" as const),
    tone,
    axis: fc.constantFrom("x" as const, "y" as const),
    bands: fc.array(fc.record({ from: value, to: value })),
  }),
  fc.record({ kind: fc.constant("level" as const), tone, value: fc.double({ noNaN: true, noDefaultInfinity: true }) }),
);

/** All numbers of paths and attributes of place, in the coordinates of the picture. */
function coordinatesIn(svg: string): { readonly x: number[]; readonly y: number[] } {
  const [x, y]: [number[], number[]] = [[], []];
  for (const [, name = "", text = ""] of svg.matchAll(/ (x|y|cx|cy)="([^"]*)"/g)) {
    (name.endsWith("x") ? x : y).push(Number(text));
  }
  for (const [, path = ""] of svg.matchAll(/ d="([^"]*)"/g)) {
    for (const [, command = "", rest = ""] of path.matchAll(/([A-Za-z])([^A-Za-z]*)/g)) {
      const numbers = rest.split(/[ ,]+|(?=-)/).filter((each) => each !== "").map(Number);
      if (command === "H") x.push(...numbers);
      else if (command === "V") y.push(...numbers);
      else if (command === "M" || command === "L") numbers.forEach((each, at) => (at % 2 === 0 ? x : y).push(each));
    }
  }
  return { x, y };
}

describe("a chart", () => {
  test("of any data has finite coordinates inside of its frame", () => {
    const property = fc.property(axis, axis, fc.array(layer, { maxLength: 4 }), (x, y, layers) => {
      const svg = chartSvg({ title: "any", x, y, layers, width: WIDTH, height: HEIGHT });
      wellFormed(svg);
      expect(svg).not.toMatch(/NaN|Infinity|undefined/);
      const coordinates = coordinatesIn(svg);
      expect(coordinates.x.every((each) => each >= 0 && each <= WIDTH)).toBe(true);
      expect(coordinates.y.every((each) => each >= -2 && each <= HEIGHT)).toBe(true);
    });
    fc.assert(property, { numRuns: 300 });
  });

  const line = (points: readonly (readonly [number, number | null])[], rest: Partial<Chart> = {}) =>
    chartSvg({
      title: "A line",
      x: { kind: "linear" },
      y: { kind: "linear" },
      layers: [{ kind: "line", tone: "s0", points }],
      width: WIDTH,
      height: HEIGHT,
      left: 40,
      ...rest,
    });

  test("places values in proportion, greater ones higher, and leaves a gap for a missing value", () => {
    expect(line([[0, -10], [5, 0], [10, 10]])).toContain('d="M40,180L213,105L386,30"');
    expect(line([[0, 0], [1, 1], [2, null], [3, 1], [4, 0]])).toMatch(/d="M40,180L126.5,30M299.5,30L386,180"/);
  });

  test("without data says so", () => {
    expect(line([])).toContain(">no data<");
    expect(line([[NaN, 1]], { emptyText: "nothing was traded" })).not.toContain("NaN");
    expect(line([], { emptyText: "nothing was traded" })).toContain(">nothing was traded<");
  });

  test("is the same for the same data, and is named for screen readers", () => {
    const svg = line([[0, 1], [1, 2]], { description: "What it shows" });
    expect(svg).toBe(line([[0, 1], [1, 2]], { description: "What it shows" }));
    expect(svg).toContain('role="img"');
    expect(svg).toContain("<title>A line</title><desc>What it shows</desc>");
    expect(line([[0, 1]], { title: "", description: "What it shows" })).toContain("<title>What it shows</title>");
  });
});

test("text of outside is text in titles, legends and marks", () => {
  const evil = `<img onerror="x">&'\u0000\ud800`;
  const chart: Chart = {
    title: evil,
    description: evil,
    x: { kind: "names", names: [evil], label: evil },
    y: { kind: "linear" },
    layers: [{ kind: "boxes", tone: "s0", name: evil, boxes: [{ x: [0, 1], y: [0, 1], title: evil }] }],
    width: 2_000,
    height: HEIGHT,
  };
  const svg = pictureSvg({ title: evil, note: evil, rows: [[chart]] });
  wellFormed(svg);
  expect(svg).not.toContain("<img");
  expect(escaped(evil)).toBe("&lt;img onerror=&quot;x&quot;&gt;&amp;&#39;\ufffd\ufffd");
});

describe("marks", () => {
  const marksOf = (axis: Axis, values: readonly number[], length = 500) =>
    scaleOf(axis, values, 0, length, "across").marks.map(({ label }) => label);

  test("are round numbers, also negative ones", () => {
    expect(marksOf({ kind: "linear" }, [-100, 100], 300)).toEqual(["-100", "-50", "0", "50", "100"]);
    expect(marksOf({ kind: "linear", markEvery: 4 }, [0, 23])).toEqual(["0", "4", "8", "12", "16", "20"]);
  });

  test("of a logarithmic axis are 1, 2 and 5 times the powers of ten", () => {
    expect(marksOf({ kind: "logarithmic" }, [0.1, 10])).toEqual(["0.1", "0.2", "0.5", "1", "2", "5", "10"]);
  });

  test("of a bent axis are on both sides of zero", () => {
    expect(marksOf({ kind: "bent", bend: 20 }, [-100, 5_000]).join(" ")).toBe("-100 -20 0 20 100 500 1000 2000 5000");
  });

  test("of large numbers are short", () => {
    expect([0.05, -250, 12_340, -3_500_000].map(shortNumber)).toEqual(["0.05", "-250", "12.34k", "-3.5M"]);
    expect([9_999, 1e4, 1e6, 1e9].map(shortNumber)).toEqual(["9999", "10k", "1M", "1G"]);
  });

  const labels = (from: string, until: string, most: number, timezone = "America/Chicago") =>
    timeMarks(Date.parse(from), Date.parse(until), timezone, most).map(({ label }) => label);

  test("of time are round local times", () => {
    expect(labels("2026-03-02T06:00Z", "2026-03-03T06:00Z", 8).join(" "))
      .toBe("Mar 2 03:00 06:00 09:00 12:00 15:00 18:00 21:00 Mar 3");
    expect(labels("2026-01-01T06:00Z", "2027-01-01T06:00Z", 6).join(" ")).toBe("2026 Apr Jul Oct 2027");
    expect(labels("2026-03-01T06:00Z", "2026-03-20T05:00Z", 4)).toEqual(["Mar 2", "Mar 9", "Mar 16"]);
  });

  test("of time stay at local midnight when the clocks change", () => {
    const marks = timeMarks(Date.parse("2026-03-07T06:00Z"), Date.parse("2026-03-10T05:00Z"), "America/Chicago", 4);
    expect(marks.map(({ value }) => new Date(value).toISOString().slice(5, 13)).join(" "))
      .toBe("03-07T06 03-08T06 03-09T05 03-10T05");
    expect(localTime(Date.parse("2026-03-09T05:00Z"), "America/Chicago")).toBe("2026-03-09 00:00");
    expect(labels("2026-03-02T06:00Z", "2026-03-02T06:00Z", 8)).toEqual([]);
  });
});
