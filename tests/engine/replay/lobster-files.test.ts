import { describe, expect, test } from "bun:test";
import { BUY, SELL } from "../../../engine/market/order-book.ts";
import {
  type BookRow,
  formatBookRow,
  isWorse,
  parseBookRow,
  parseMessage,
  RowFault,
} from "../../../engine/replay/lobster-files.ts";

const faultOf = (parsed: unknown) => parsed instanceof RowFault ? parsed.what : parsed;
const [NO_ASK, NO_BID] = ["9999999999,0", "-9999999999,0"];

describe("a message", () => {
  test.each<[string, object]>([
    ["34200.5,1,16,18,5853300,1", { type: 1, orderId: 16, size: 18, price: 5853300, side: BUY }],
    ["0,4,0,1,-5,-1", { type: 4, orderId: 0, size: 1, price: -5, side: SELL }],
    ["7,5,-1,0,0,1", { type: 5, orderId: -1, size: 0, price: 0, side: BUY }],
    ["7,7,0,0,-1,-1", { type: 7, orderId: 0, size: 0, price: -1, side: SELL }],
  ])("%s has its columns in their order", (line, message) => {
    expect(parseMessage(line) as object).toEqual(message);
  });

  test.each([
    ["1,1,1,1,1,1,1", "columns: 7 instead of 6"],
    ["-1,1,1,1,1,1", 'time: "-1" is not a number of seconds'],
    ["1.,1,1,1,1,1", 'time: "1." is not a number of seconds'],
    ["1,x,1,1,1,1", 'type: "x" is not a whole number'],
    ["1,1,x,1,1,1", 'order id: "x" is not a whole number'],
    ["1,1,1,x,1,1", 'size: "x" is not a whole number'],
    ["1,1,1,1,x,1", 'price: "x" is not a whole number'],
    ["1,1,1,1,1,x", 'direction: "x" is not a whole number'],
    ["1,1,9007199254740992,1,1,1", 'order id: "9007199254740992" is not a whole number'],
    ["1,1,9007199254740991,1,1,0", "direction: 0 is neither 1 (buy) nor -1 (sell)"],
    ["1,1,1,0,1,1", "size: 0 is too small"],
    ["1,4,1,0,1,1", "size: 0 is too small"],
    ["1,7,1,-1,1,1", "size: -1 is too small"],
    ["1,8,1,1,1,1", "type: 8 is none of 1 to 7"],
    ["1,0,1,1,1,1", "type: 0 is none of 1 to 7"],
    [`1,1,1,${"9".repeat(41)},1,1`, `size: "${"9".repeat(40)}..." is not a whole number`],
    [`1,1,1,${"9".repeat(40)},1,1`, `size: "${"9".repeat(40)}" is not a whole number`],
  ])("%s has a fault that names its column", (line, fault) => {
    expect(faultOf(parseMessage(line))).toBe(fault);
  });
});

describe("a row of a book", () => {
  const rows: [string, number, BookRow][] = [
    ["101,5,99,4", 1, [[{ price: 99, size: 4 }], [{ price: 101, size: 5 }]]],
    ["101,5,99,4,102,6,-98,3", 2, [
      [{ price: 99, size: 4 }, { price: -98, size: 3 }],
      [{ price: 101, size: 5 }, { price: 102, size: 6 }],
    ]],
    [`101,5,${NO_BID},${NO_ASK},${NO_BID}`, 2, [[], [{ price: 101, size: 5 }]]],
    [`${NO_ASK},99,4,${NO_ASK},98,3`, 2, [[{ price: 99, size: 4 }, { price: 98, size: 3 }], []]],
  ];

  test.each(rows)("%s has its levels on their sides, and is written as it is read", (line, levels, row) => {
    expect(parseBookRow(line, levels)).toEqual(row);
    expect(formatBookRow(row, levels)).toBe(line);
  });

  test("is written with as many levels as are asked for", () => {
    const two: BookRow = [
      [{ price: 99, size: 4 }, { price: -98, size: 3 }],
      [{ price: 101, size: 5 }, { price: 102, size: 6 }],
    ];
    expect(formatBookRow(two, 1)).toBe("101,5,99,4");
    expect(formatBookRow(two, 3)).toBe(`101,5,99,4,102,6,-98,3,${NO_ASK},${NO_BID}`);
  });

  test.each([
    ["101,5,99", 1, "columns: 3 instead of 4 (--levels 1)"],
    ["101,5,99,4", 2, "columns: 4 instead of 8 (--levels 2)"],
    ["101,5,99,x", 1, 'column 4: "x" is not a whole number'],
    ["x,5,99,4", 1, 'column 1: "x" is not a whole number'],
    ["101,5,99,0", 1, "bid level 1: size 0"],
    ["101,-1,99,4", 1, "ask level 1: size -1"],
    ["9999999999,1,99,4,102,5,98,3", 2, "ask level 2: price 102 is not worse than the level before it"],
    [`101,5,${NO_BID},102,6,98,3`, 2, "bid level 2: below an empty level"],
    [`${NO_ASK},99,4,102,6,98,3`, 2, "ask level 2: below an empty level"],
    ["101,5,99,4,102,6,99,3", 2, "bid level 2: price 99 is not worse than the level before it"],
    ["101,5,99,4,102,6,100,3", 2, "bid level 2: price 100 is not worse than the level before it"],
    ["101,5,99,4,101,6,98,3", 2, "ask level 2: price 101 is not worse than the level before it"],
    ["101,5,99,4,102,6,98,3,101,1,97,1", 3, "ask level 3: price 101 is not worse than the level before it"],
  ])("%s for %d levels has a fault that names its place", (line, levels, fault) => {
    expect(faultOf(parseBookRow(line, levels))).toBe(fault);
  });

  test("has worse prices further out", () => {
    const worse = (price: number, than: number) => [isWorse(BUY, price, than), isWorse(SELL, price, than)];
    expect([worse(1, 2), worse(2, 2), worse(3, 2)]).toEqual([[true, false], [false, false], [false, true]]);
  });
});
