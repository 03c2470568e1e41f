// The answer of a book, and which contracts of which products fit into an answer.

import { expect, test } from "bun:test";
import type { SnapshotReader } from "../../../core/market/snapshot-reader.ts";
import { contractsOfProducts } from "../../../plugins/query/listed-contracts.ts";
import { orderBook } from "../../../plugins/query/market.ts";

const levels = (...prices: number[]) => prices.map((price) => ({ price, volume: 1, orderCount: 1 }));
const book = (bids: number[], asks: number[]) =>
  orderBook({ id: "B", contractId: "C", bids: levels(...bids), asks: levels(...asks), lastPrice: 7 } as never);

test("a book has the five best levels of each side, and the best ask less the best bid as its spread", () => {
  const { bids, asks, spread, ...rest } = book([60, 50, 40, 30, 20, 10], [75, 80, 90, 100, 110, 120]);
  expect([bids.map(({ price }) => price), asks.map(({ price }) => price)])
    .toEqual([[60, 50, 40, 30, 20], [75, 80, 90, 100, 110]]);
  expect(spread).toBe(15);
  expect(rest).toMatchObject({ engineId: "B", contractId: "C", lastPrice: 7 });
  expect(rest).not.toHaveProperty("note");
});

test.each([
  [[], [75], null, false],
  [[60], [], null, false],
  [[], [], null, false],
  [[60], [61], 1, false],
  [[60], [60], 0, true],
  [[60], [55], -5, true],
])(
  "a book of the bids %j and the asks %j has the spread %j, and says whether it is crossed",
  (bids, asks, spread, isCrossed) => {
    const answer = book(bids, asks);
    expect(answer.spread).toBe(spread);
    expect(answer.note ?? "").toMatch(isCrossed ? /^The book is crossed/ : /^$/);
  },
);

/** A snapshot of products with so many contracts each, which come in another order than they deliver. */
function snapshotOf(products: Readonly<Record<string, number>>): SnapshotReader {
  const contract = (productId: string, at: number, status = "listed") => (
    {
      id: `${productId}-${at}`,
      productId,
      status,
      deliveryStart: new Date(at * 3_600_000).toISOString(),
      engineId: "none",
    }
  );
  const all = Object.entries(products).flatMap(([productId, count]) => [
    contract(productId, 0, "expired"),
    ...Array.from({ length: count }, (_, at) => contract(productId, count - at)),
  ]);
  return {
    get: () => undefined,
    find: (_type: string, query: { equals: { productId: string }; where: (data: object) => boolean }) => ({
      modules: all.filter((each) => each.productId === query.equals.productId && query.where(each)),
    }),
  } as unknown as SnapshotReader;
}

test("the listed contracts of a product come by delivery, and how many there are if they are not all shown", () => {
  const [few] = contractsOfProducts(snapshotOf({ A: 3 }), ["A"]);
  expect(few?.contracts.map(({ id }) => id)).toEqual(["A-1", "A-2", "A-3"]);
  expect(few).not.toHaveProperty("contractCount");
  const [all] = contractsOfProducts(snapshotOf({ A: 130 }), ["A"]);
  expect([all?.contracts.length, all?.contractCount]).toEqual([130, undefined]);
  const [many] = contractsOfProducts(snapshotOf({ A: 131 }), ["A"]);
  expect([many?.contracts.length, many?.contractCount, many?.contracts.at(-1)?.id]).toEqual([130, 131, "A-130"]);
});

test.each([
  [{ A: 60, B: 70, C: 1 }, 2],
  [{ A: 60, B: 71, C: 1 }, 1],
  [{ A: 500, B: 1 }, 1],
  [{ A: 0, B: 130, C: 0, D: 1 }, 3],
  [{}, 0],
])("as many products are shown as their contracts fit, at least one: %j", (products, expected) => {
  expect(contractsOfProducts(snapshotOf(products), Object.keys(products))).toHaveLength(expected);
});
