// Where an axis places values, and which of them it marks.

import { describe, expect, test } from "bun:test";
import { type Axis, scaleOf } from "../../../common/plot/axis.ts";

describe("an axis", () => {
  const places = (axis: Axis, values: number[], asked: number[], way: "across" | "up" = "across") => {
    const scale = way === "across" ? scaleOf(axis, values, 0, 100, way) : scaleOf(axis, values, 100, 0, way);
    return asked.map((value) => Math.round(scale.at(value) * 10) / 10);
  };

  test.each<[axis: Axis, values: number[], asked: number[], expected: number[]]>([
    [{ kind: "linear" }, [-10, 10], [-20, -10, 0, 5, 10, 20], [0, 0, 50, 75, 100, 100]],
    [{ kind: "linear", domain: [0, 4] }, [-10, 10], [-1, 0, 1, 4], [0, 0, 25, 100]],
    [{ kind: "linear", domain: [4, 4] }, [0], [0, 4], [0, 100]],
    [{ kind: "linear", fromZero: true }, [5, 10], [0, 5, 10], [0, 50, 100]],
    [{ kind: "linear", fromZero: true }, [-10, -5], [-10, -5, 0], [0, 50, 100]],
    [{ kind: "linear", isRounded: true }, [0.3, 9.7], [0, 5, 10], [0, 50, 100]],
    [{ kind: "linear" }, [], [0, 0.5, 1], [0, 50, 100]],
    [{ kind: "linear" }, [7, NaN], [6, 7, 8], [0, 50, 100]],
    [{ kind: "linear" }, [5, 5 + 1e-12], [4, 5, 6], [0, 50, 100]],
    [{ kind: "linear" }, [-100], [-110, -105, -100, -90], [0, 25, 50, 100]],
    [{ kind: "logarithmic" }, [1, 100, -5], [-5, 0, 1, 10, 100, 1_000], [0, 0, 0, 50, 100, 100]],
    [{ kind: "logarithmic" }, [0, 1, 100], [1, 10, 100], [0, 50, 100]],
    [{ kind: "logarithmic" }, [8], [4, 8, 16], [0, 50, 100]],
    [{ kind: "logarithmic" }, [-1], [1, 10], [0, 100]],
    [{ kind: "bent", bend: 20 }, [-100, 100], [-100, 0, 100], [0, 50, 100]],
    // ln(1 + 50 / 20) / ln(1 + 100 / 20) = .699
    [{ kind: "bent", bend: 20 }, [50, 100], [-1, 0, 50, 100], [0, 0, 69.9, 100]],
    [{ kind: "bent", bend: 20 }, [-100, -50], [-100, 0, 1], [0, 100, 100]],
    [{ kind: "time", timezone: "UTC", domain: [0, 1_000] }, [], [-1, 0, 250, 1_000], [0, 0, 25, 100]],
    [{ kind: "names", names: ["a", "b"] }, [], [-0.5, 0, 1, 1.5], [0, 25, 75, 100]],
    [{ kind: "names", names: [] }, [], [0], [50]],
  ])("%# has values at their places, from left to right and from the bottom up, but names from the top", (...given) => {
    const [axis, values, asked, expected] = given;
    const isNames = axis.kind === "names";
    expect([places(axis, values, asked), places(axis, values, asked, "up")])
      .toEqual([expected, expected.map((place) => isNames ? place : Math.round((100 - place) * 10) / 10)]);
  });

  test("has as many marks as there is room for", () => {
    const marks = (axis: Axis, values: number[], length: number, way: "across" | "up" = "across") =>
      scaleOf(axis, values, way === "up" ? length : 0, way === "up" ? 0 : length, way).marks.map(({ label }) => label);
    expect(marks({ kind: "linear" }, [0, 10], 720)).toHaveLength(11);
    expect(marks({ kind: "linear" }, [0, 10], 144)).toEqual(["0", "5", "10"]);
    expect(marks({ kind: "linear" }, [0, 10], 300, "up")).toHaveLength(11);
    expect(marks({ kind: "linear", format: (value) => `${value}!` }, [0, 1], 72)).toEqual(["0!", "0.5!", "1!"]);
    expect(marks({ kind: "linear", markEvery: 5 }, [-7, 7], 72)).toEqual(["-5", "0", "5"]);
    expect(marks({ kind: "bent", bend: 10 }, [-1_000, 1_000], 300)).toEqual([
      "-1000",
      "-100",
      "0",
      "100",
      "1000",
    ]);
    expect(marks({ kind: "names", names: ["a", "b"] }, [], 10)).toEqual(["a", "b"]);
    expect(marks({ kind: "time", timezone: "UTC", domain: [0, 90 * 60_000] }, [], 150)).toEqual(["Jan 1", "01:00"]);
    expect(marks({ kind: "logarithmic" }, [0.1, 10], 300)).toEqual(["0.1", "0.2", "0.5", "1", "2", "5", "10"]);
    expect(marks({ kind: "linear", markEvery: 0.1, domain: [1.1, 1.4] }, [], 72)).toEqual(["1.1", "1.2", "1.3", "1.4"]);
    expect(marks({ kind: "linear", markEvery: 0.3, domain: [2.1, 2.7] }, [], 72)).toEqual(["2.1", "2.4", "2.7"]);
    expect(marks({ kind: "linear", markEvery: 1 }, [0, 100], 72)).toHaveLength(101);
  });
});
