import { expect, test } from "bun:test";
import { tradingScore } from "../../../arena/score/trading-score.ts";

const MARKS = { plain: -1_000, nothing: -3_000, hindsight: 1_000 };
const TERMS = { floor: 500 };

test.each([[-1_000, 0], [1_000, 1], [0, 0.5], [-2_000, -0.5], [3_000, 2]])(
  "a result of %d dollars between marks of -1,000 and 1,000 is a score of %d",
  (result, score) => {
    expect(tradingScore(result, MARKS, TERMS, [])).toBe(score);
  },
);

test("marks that are close together count as if they were the floor apart", () => {
  expect(tradingScore(100, { plain: 0, nothing: 0, hindsight: 10 }, TERMS, [])).toBe(0.2);
});

test("a broken term caps the score at 0", () => {
  expect(tradingScore(1_000, MARKS, TERMS, ["position"])).toBe(0);
  expect(tradingScore(-2_000, MARKS, TERMS, ["products"])).toBe(-0.5);
});
