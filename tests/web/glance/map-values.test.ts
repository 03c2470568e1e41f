// Extremes and colours of the map, and the text on each of its colours.

import { describe, expect, test } from "bun:test";
import { extremes, shadesOf } from "../../../web/dashboard/pages/glance/map-values.ts";
import { shortly, shown } from "../../../web/dashboard/pages/glance/map-words.ts";

test.each<[values: (number | null)[], expected: [number, number] | null]>([
  [[3, null, 1, 9, 1, 9], [2, 3]],
  [[-5, 0], [0, 1]],
  [[4, 4, null], null],
  [[4], null],
  [[null], null],
  [[], null],
])("the lowest and the highest of %j are at %j", (values, expected) => {
  const ends = extremes(values);
  expect(ends === null ? null : [ends.lowest, ends.highest]).toEqual(expected);
});

describe("a shade", () => {
  test("of a price is higher for a higher price, and a spike leaves shades for usual prices", () => {
    const { stepOf, ranges } = shadesOf([-500, 2_000, 4_000, 8_000, 300_000], "price")!;
    expect([-500, 2_000, 4_000, 8_000, 300_000].map(stepOf)).toEqual([0, 1, 1, 2, 6]);
    expect([ranges.length, ranges[0]![0], ranges[6]![1]].map((each) => Math.round(each))).toEqual([7, -500, 300_000]);
    for (const [step, [from, to]] of ranges.entries()) expect(stepOf((from + to) / 2)).toBe(step);
  });

  test("of equal prices is the middle one, and there is none without a price", () => {
    expect(shadesOf([4_000, 4_000], "price")!.stepOf(4_000)).toBe(3);
    expect(shadesOf([0, 0], "change")!.stepOf(0)).toBe(3);
    expect([shadesOf([], "price"), shadesOf([], "change")]).toEqual([null, null]);
  });

  test("of a change is as far from the middle as that of the opposite change, and no change is the middle", () => {
    const { stepOf, ranges } = shadesOf([-300, 60, 100], "change")!;
    expect([-300, -201, -200, -100, -1, 0, 1, 100, 200, 201, 300].map(stepOf)).toEqual([
      0,
      0,
      1,
      2,
      2,
      3,
      4,
      4,
      5,
      6,
      6,
    ]);
    expect(ranges.map((range) => range.map(Math.round))).toEqual([
      [-300, -200],
      [-200, -100],
      [-100, 0],
      [0, 0],
      [0, 100],
      [100, 200],
      [200, 300],
    ]);
  });
});

test("a figure is exact, or rounded to a dollar if there is no room", () => {
  expect([shown("price", 4_673), shortly("price", 4_673), shortly("price", -1_250), shortly("price", null)])
    .toEqual(["46.73", "47", "−13", "–"]);
  expect([shown("change", 125), shortly("change", 125), shortly("change", -125), shortly("change", 20)])
    .toEqual(["+1.25", "+1", "−1", "0"]);
});

/** Relative luminance, WCAG 2. */
function luminance([red, green, blue]: readonly number[]): number {
  const part = (value = 0) => value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4;
  return 0.2126 * part(red) + 0.7152 * part(green) + 0.0722 * part(blue);
}

describe.each([["light", 0], ["dark", 1]] as const)("in %s", (_theme, place) => {
  test("text on every colour of the map has a contrast of 4.5, and lightness tells the steps of prices apart", async () => {
    const sheet = (path: string) => Bun.file(new URL(`../../../web/${path}.css`, import.meta.url)).text();
    const text = await sheet("dashboard/pages/glance/glance") + await sheet("components/theme");
    const colour = (name: string) => {
      const hex = new RegExp(`--${name}: light-dark\\(#(\\w{6}), #(\\w{6})\\)`).exec(text)![place + 1]!;
      return [0, 2, 4].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
    };
    const ground = (name: string) => {
      const rule = new RegExp(`^\\.${name} \\{\\s*background-color: ([^;]+);`, "m").exec(text)![1]!;
      const [first = "", second = ""] = [...rule.matchAll(/--([\w-]+)/g)].map((match) => match[1]!);
      const share = Number(/(\d+)%/.exec(rule)?.[1] ?? 100) / 100;
      return second === ""
        ? colour(first)
        : colour(first).map((each, at) => each * share + colour(second)[at]! * (1 - share));
    };
    const grounds = (mode: string) =>
      Array.from({ length: 7 }, (_, step) => luminance(ground(`glance-${mode}-${step}`)));
    const ink = luminance(colour("text"));
    const contrast = (other: number) => (Math.max(ink, other) + 0.05) / (Math.min(ink, other) + 0.05);
    const all = [...grounds("price"), ...grounds("change")].map(contrast);
    expect(Math.min(...all)).toBeGreaterThanOrEqual(4.5);
    const prices = grounds("price");
    const order = prices.toSorted((a, b) => place === 0 ? b - a : a - b);
    expect(prices).toEqual(order);
    expect(new Set(prices).size).toBe(7);
  });
});
