import { describe, expect, test } from "bun:test";
import { BUY, SELL } from "../../../engine/market/order-book.ts";
import { PriceTimeBook } from "../../../engine/market/price-time-book.ts";
import type { ContractState } from "../../../engine/state/market-state.ts";
import { addSpotPrice, MARK_UNITS, markOf } from "../../../engine/state/position-marks.ts";

interface Facts {
  readonly bid?: number;
  readonly ask?: number;
  readonly lastPrice?: number | null;
  readonly expired?: boolean;
  readonly delivered?: boolean;
  readonly spots?: readonly number[];
  readonly node?: string;
}

function contract({ bid, ask, lastPrice = null, expired = false, delivered = false, spots = [], node = "N" }: Facts) {
  const book = new PriceTimeBook();
  if (bid !== undefined) book.add(1, BUY, bid, 1, 1, 1);
  if (ask !== undefined) book.add(2, SELL, ask, 1, 2, 2);
  const spotPrices = { sum: spots.reduce((sum, price) => sum + price, 0), count: spots.length };
  return { book, expired, delivered, lastPrice, spotPrices, product: { node } } as unknown as ContractState;
}

const cents = (price: number) => BigInt(Math.round(price * Number(MARK_UNITS)));

describe("the mark of a contract", () => {
  test.each<[string, Facts, string | null, number]>([
    ["nothing", {}, null, 0],
    ["a trade", { lastPrice: -7 }, "trade", -7],
    ["a trade for nothing", { lastPrice: 0 }, "trade", 0],
    ["both sides", { bid: 10, ask: 15, lastPrice: 3 }, "book", 12.5],
    ["sides around zero", { bid: -11, ask: 10 }, "book", -0.5],
    ["equal sides", { bid: 10, ask: 10, lastPrice: 3 }, "trade", 3],
    ["crossed sides", { bid: 11, ask: 10, lastPrice: 3 }, "trade", 3],
    ["a bid alone", { bid: 10, lastPrice: 3 }, "trade", 3],
    ["an ask alone", { ask: 10 }, null, 0],
    ["spot prices before delivery", { bid: 10, ask: 12, spots: [50], lastPrice: 3 }, "book", 11],
    ["a book after its time", { bid: 10, ask: 12, expired: true, lastPrice: 3 }, "trade", 3],
    ["spot prices", { bid: 10, ask: 12, expired: true, spots: [50, 53], lastPrice: 3 }, "spot", 51.5],
    ["a third", { expired: true, spots: [1, 0, 0] }, "spot", 0.333333],
    ["two thirds below", { expired: true, spots: [-1, -1, 0] }, "spot", -0.666667],
    ["spot prices after delivery", { expired: true, delivered: true, spots: [4] }, "spot", 4],
  ])("of %s", (_, facts, source, price) => {
    const expected = source === null ? null : { source, price: cents(price) };
    expect(markOf(contract(facts)) as unknown).toEqual(expected);
  });

  test("counts a spot price for the contracts of its node that deliver", () => {
    const all = [
      contract({ expired: true }),
      contract({ expired: true, spots: [5] }),
      contract({}),
      contract({ expired: true, delivered: true }),
      contract({ expired: true, node: "S" }),
    ];
    addSpotPrice(all, "N", -3);
    addSpotPrice(all, "N", 4);
    expect(all.map(({ spotPrices: { sum, count } }) => [Number(sum), count])).toEqual([
      [1, 2],
      [6, 3],
      [0, 0],
      [0, 0],
      [0, 0],
    ]);
  });
});
