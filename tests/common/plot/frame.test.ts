// What surrounds the layers of a chart: its labels, margins and grid, and what a chart without data still has.

import { expect, test } from "bun:test";
import { type Chart, chartSvg } from "../../../common/plot/chart.ts";
import type { Layer } from "../../../common/plot/layers.ts";
import { widthOf } from "../../../common/plot/svg.ts";

const DOTS: Layer = { kind: "dots", tone: "s0", points: [[0, 0], [1, 1]] };
const NONE: Layer = { kind: "line", tone: "s1", points: [] };
const svgOf = (changes: Partial<Chart> = {}) =>
  chartSvg({
    ...{ title: "", x: { kind: "linear" }, y: { kind: "linear" }, layers: [DOTS], width: 200, height: 100, left: 40 },
    ...changes,
  });
const dotsIn = (svg: string) => [...svg.matchAll(/cx="([\d.]+)" cy="([\d.]+)" r="2"/g)].map(([, x, y]) => `${x} ${y}`);
/** Where the lower axis begins. */
const leftOf = (svg: string) => Number(/<g class="p-muted"><path d="M([\d.]+) /.exec(svg)?.[1]);

test("the label of an axis takes the room of a line: above the plot on the left, below it on the right", () => {
  expect(dotsIn(svgOf())).toEqual(["40 80", "186 10"]);
  const svg = svgOf({ x: { kind: "linear", label: "hours" }, y: { kind: "linear", label: "MW" } });
  expect(dotsIn(svg)).toEqual(["40 66", "186 20"]);
  expect(svg).toContain('<text x="0" y="12" font-size="11" fill="currentColor" class="p-muted">MW</text>');
  expect(svg).toContain(
    '<text x="186" y="96" text-anchor="end" font-size="11" fill="currentColor" class="p-muted">hours<',
  );
});

test("there is a line at each mark on the left, that of zero stronger; none at names, and none if the chart is plain", () => {
  const lines = (changes: Partial<Chart>) => {
    const svg = svgOf({ y: { kind: "linear", domain: [-1, 1], markEvery: 1 }, ...changes });
    return [/stroke-opacity="0.14"/g, /stroke-opacity="0.55"/g].map((each) => svg.match(each)?.length ?? 0);
  };
  expect([lines({}), lines({ isPlain: true }), lines({ y: { kind: "names", names: ["a", "b"] } })])
    .toEqual([[2, 1], [0, 0], [0, 0]]);
});

test("the margin has room for the marks, but at most two fifths of the width: longer ones are cut", () => {
  const svgFor = (name: string) =>
    chartSvg({
      ...{ title: name, layers: [DOTS], width: 200, height: 100 },
      ...{ x: { kind: "linear" }, y: { kind: "names", names: [name] } },
    });
  const long = "a".repeat(40);
  expect([leftOf(svgFor("a")), leftOf(svgFor("a".repeat(8))), leftOf(svgFor(long))]).toEqual([30, 58.4, 80]);
  const texts = [...svgFor(long).matchAll(/<text[^>]*>(a+…)</g)].map(([, text = ""]) => text);
  expect(texts.map((text, at) => widthOf(text, at === 0 ? 13.5 : 11) <= (at === 0 ? 200 : 74))).toEqual([true, true]);
});

test("the label of the last mark ends with the picture", () => {
  const format = (value: number) => value === 1 ? "0".repeat(10) : "";
  const svg = svgOf({ x: { kind: "linear", domain: [0, 1], markEvery: 1, format } });
  // Half of its width is 5 x .67 x 11 = 36.85.
  expect(svg).toContain('<text x="163.2" y="96" text-anchor="middle" font-size="11" fill="currentColor">0000000000<');
});

test("a chart without data has the marks of its time alone; one with some data says nothing of it", () => {
  const has = (changes: Partial<Chart>) => {
    const svg = svgOf(changes);
    return [svg.includes(">no data<"), svg.includes('v4"')];
  };
  const x = { kind: "time", timezone: "UTC", domain: [0, 3_600_000] } as const;
  expect([has({ layers: [NONE] }), has({ layers: [NONE], x }), has({ layers: [NONE, DOTS] })])
    .toEqual([[true, false], [true, true], [false, true]]);
});

test("layers of one name have the swatch of the first", () => {
  const swatches = svgOf({ layers: [{ ...DOTS, name: "N" }, { ...NONE, name: "N" }] }).match(/<circle [^>]*r="3"|h13/g);
  expect(swatches).toEqual(['<circle cx="6" cy="10" r="3"']);
});
