// Which rows of a long table are drawn: those in sight, and some around them, a few in each frame.

import { expect, test } from "bun:test";
import { rowsBetween, rowsToward } from "../../../web/components/long-table.tsx";

test("rows in sight, and some around them, are drawn", () => {
  expect(rowsBetween(2_600, 3_600, 2_000, 26)).toEqual({ first: 90, last: 149 });
  expect(rowsBetween(-100, 260, 2_000, 26, 0)).toEqual({ first: 0, last: 10 });
  // A table above or below what can be seen.
  expect(rowsBetween(2_600, 3_600, 20, 26, 0)).toEqual({ first: 20, last: 20 });
  expect(rowsBetween(-3_600, -2_600, 20, 26, 0)).toEqual({ first: 0, last: 0 });
});

test("many rows are drawn over some frames, from above, and those that are there stay", () => {
  const wanted = { first: 100, last: 135 };
  const frames = [{ first: 0, last: 40 }];
  while (frames.at(-1)!.first !== wanted.first || frames.at(-1)!.last !== wanted.last) {
    frames.push(rowsToward(frames.at(-1)!, wanted));
  }
  expect(frames.slice(1)).toEqual([{ first: 100, last: 112 }, { first: 100, last: 124 }, wanted]);
  expect(rowsToward(wanted, { first: 90, last: 140 })).toEqual({ first: 93, last: 140 });
  expect(rowsToward({ first: 93, last: 140 }, { first: 90, last: 140 })).toEqual({ first: 90, last: 140 });
  expect(rowsToward(wanted, { first: 105, last: 120 })).toEqual({ first: 105, last: 120 });
});
