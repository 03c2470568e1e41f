import { describe, expect, test } from "bun:test";
import { spreadOf, studentQuantile } from "../../common/statistics.ts";

describe("an interval of a mean", () => {
  // Of the printed tables of Student's distribution, two-sided 5 %.
  test.each([[1, 12.706], [2, 4.303], [3, 3.182], [4, 2.776], [9, 2.262], [10, 2.228], [30, 2.042], [120, 1.98], [
    9_999,
    1.96,
  ]])(
    "has Student's t of %i degrees of freedom: %d",
    (degrees, t) => expect(studentQuantile(degrees)).toBeCloseTo(t, 3),
  );

  test("is t times the standard error, around the mean, beside the quartiles", () => {
    expect(spreadOf([4, 1, 3, 2])).toEqual({
      runs: 4,
      mean: 2.5,
      margin: expect.closeTo(3.18245 * Math.sqrt(5 / 3) / 2, 4),
      least: 1,
      lowerQuartile: 1.75,
      median: 2.5,
      upperQuartile: 3.25,
      greatest: 4,
    });
  });

  test("has no width if all values are equal, and is unknown for one value", () => {
    expect(spreadOf([7, 7, 7])).toMatchObject({ mean: 7, margin: 0 });
    expect(spreadOf([7])).toMatchObject({ runs: 1, mean: 7, margin: null, median: 7 });
    expect(spreadOf([])).toBeNull();
  });
});
