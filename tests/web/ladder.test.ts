import { describe, expect, test } from "bun:test";
import { depthOf } from "../../web/components/depth.ts";
import { crossing, ladderOf } from "../../web/components/ladder.ts";
import { direction, sparkPath } from "../../web/components/spark-path.ts";

const level = (price: number, volume: number, orderCount = 1) => ({ price, volume, orderCount });
const BOOK = {
  bids: [level(4_990, 10, 3), level(4_980, 40)],
  asks: [level(5_000, 20), level(5_010, 5), level(5_050, 0.1)],
};

describe("the ladder", () => {
  test("the best prices are next to the spread, and there are always as many rows", () => {
    const { bids, asks } = ladderOf(BOOK, 4);
    expect(asks.map((row) => row?.price ?? null)).toEqual([null, 5_050, 5_010, 5_000]);
    expect(bids.map((row) => row?.price ?? null)).toEqual([4_990, 4_980, null, null]);
  });

  test("volumes add up from the best price, without rounding errors", () => {
    const { bids, asks } = ladderOf({ ...BOOK, asks: [level(1, 0.1), level(2, 0.2)] }, 2);
    expect(asks.map((row) => row!.cumulative)).toEqual([0.3, 0.1]);
    expect(bids.map((row) => row!.cumulative)).toEqual([10, 50]);
  });

  test("bars compare both sides", () => {
    const { bids, asks } = ladderOf(BOOK, 2);
    expect(bids.map((row) => row!.share)).toEqual([0.25, 1]);
    expect(asks.at(-1)!.share).toBe(0.5);
  });

  test("spread and mid need both sides, and an empty book has empty rows", () => {
    expect(ladderOf(BOOK, 2)).toMatchObject({ spread: 10, mid: 4_995 });
    expect(ladderOf({ ...BOOK, asks: [] }, 2)).toMatchObject({ spread: null, mid: null });
    expect(ladderOf({ bids: [], asks: [] }, 2))
      .toEqual({ bids: [null, null], asks: [null, null], spread: null, mid: null });
  });

  test("a level beyond the depth is not shown, and makes no bar shorter", () => {
    const { bids, asks } = ladderOf(BOOK, 1);
    expect([bids, asks].flat().map((row) => [row!.price, row!.share])).toEqual([[4_990, 0.5], [5_000, 1]]);
  });
});

test("a book is crossed if the best bid is above the best ask, and locked if they are the same", () => {
  expect([crossing(10, 9), crossing(10, 10), crossing(9, 10), crossing(null, 10), crossing(9, null)])
    .toEqual(["crossed", "locked", null, null, null]);
});

describe("the depth", () => {
  test("volume rises in steps from the best price outwards", () => {
    const { bids, asks, most } = depthOf(BOOK);
    expect(bids.slice(0, 4)).toEqual([
      { price: 4_990, volume: 0 },
      { price: 4_990, volume: 10 },
      { price: 4_980, volume: 10 },
      { price: 4_980, volume: 50 },
    ]);
    expect(asks.at(-1)!.volume).toBe(25.1);
    expect(most).toBe(50);
  });

  test("the mid is in the middle, and the steps reach the edges", () => {
    const { prices, bids, asks } = depthOf(BOOK);
    expect((prices!.low + prices!.high) / 2).toBe(4_995);
    expect(bids.at(-1)!.price).toBe(prices!.low);
    expect(asks.at(-1)!.price).toBe(prices!.high);
    expect(prices!.high).toBeGreaterThan(5_050);
  });

  test("a level that is far away from all others is not shown, so that these are not squeezed", () => {
    const bids = [level(4_990, 1), level(4_980, 2), level(4_970, 4), level(10, 8)];
    const { prices, bids: steps } = depthOf({ ...BOOK, bids });
    expect(prices!.low).toBeGreaterThan(4_800);
    expect(steps.at(-1)).toEqual({ price: prices!.low, volume: 7 });
  });

  test("a crossed book has the mid between its best prices", () => {
    const { prices } = depthOf({ bids: [level(5_020, 1)], asks: [level(5_000, 1)] });
    expect(prices!.mid).toBe(5_010);
  });

  test("one level alone has a range around it, and an empty book has none", () => {
    const { prices, asks } = depthOf({ bids: [level(-500, 3)], asks: [] });
    expect(prices!.low).toBeLessThan(-500);
    expect(prices!.high).toBeGreaterThan(-500);
    expect(asks).toEqual([]);
    expect(depthOf({ bids: [], asks: [] }).prices).toBeNull();
  });

  test("one side alone reaches to its last level, and little beyond its best; a level at the edge is shown", () => {
    const [bids, asks] = [[level(100, 1), level(80, 2)], [level(100, 1), level(120, 2)]];
    expect(depthOf({ bids, asks: [] }).prices).toEqual({ low: 78, high: 102, mid: null });
    expect(depthOf({ bids: [], asks }).prices).toEqual({ low: 98, high: 122, mid: null });
    // Locked: half of all levels are no cent from the mid, so two cents are shown on each side.
    const locked = depthOf({ bids: [level(10, 1), level(8, 3)], asks: [level(10, 1)] });
    expect(locked.prices).toEqual({ low: 8, high: 12, mid: 10 });
    expect(locked.bids.at(-1)).toEqual({ price: 8, volume: 4 });
  });
});

describe("spark lines", () => {
  test("go from the left edge to the right one, high prices at the top, or in the middle, if there are two prices", () => {
    expect(sparkPath([10, 30, 20], 100, 20, 0)).toBe("M0 20L50 0L100 10");
    expect(sparkPath([7, 7], 10, 20)).toBe("M0 10L10 10");
    expect([sparkPath([], 10, 10), sparkPath([5], 10, 10)]).toEqual(["", ""]);
  });

  test("the direction is that from the first price to the last", () => {
    expect([direction([1, 5, 2]), direction([2, 1]), direction([2, 9, 2]), direction([2])])
      .toEqual(["up", "down", "same", null]);
  });
});
