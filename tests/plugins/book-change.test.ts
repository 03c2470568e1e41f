import { expect, test } from "bun:test";
import fc from "fast-check";
import { bookChange, type ChangedLevel } from "../../plugins/monitor/book-change.ts";
import { BOOK_DEPTH, type BookLevel } from "../../protocol/modules/registry.ts";

type Levels = Map<number, BookLevel>;

/** The levels of one side that a book shows, best first. */
function shown(levels: Levels, side: "BUY" | "SELL"): BookLevel[] {
  const sorted = [...levels.values()].sort((a, b) => side === "BUY" ? b.price - a.price : a.price - b.price);
  return sorted.slice(0, BOOK_DEPTH);
}

function volumeOf({ price, volume }: BookLevel): ChangedLevel {
  return [price, volume];
}

const change = fc.record({
  side: fc.constantFrom("BUY" as const, "SELL" as const),
  price: fc.integer({ min: 1, max: 16 }),
  volume: fc.integer({ min: 0, max: 3 }),
  orderCount: fc.integer({ min: 1, max: 2 }),
});

/** Sets a level; volume 0 removes it. */
function apply(side: Levels, [price, volume]: ChangedLevel, orderCount = 0): void {
  if (volume === 0) side.delete(price);
  else side.set(price, { price, volume, orderCount });
}

test("changes, applied to a whole book one after the other, give each later book inside the window", () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(change, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 40 }),
      (steps) => {
        const real = { BUY: new Map() as Levels, SELL: new Map() as Levels };
        const kept = { BUY: new Map() as Levels, SELL: new Map() as Levels };
        let earlier: Record<string, unknown> | undefined;
        for (const changes of steps) {
          for (const { side, price, volume, orderCount } of changes) apply(real[side], [price, volume], orderCount);
          const book = {
            contractId: "c",
            bids: shown(real.BUY, "BUY"),
            asks: shown(real.SELL, "SELL"),
            lastPrice: null,
          };
          const changed = bookChange(book, earlier);
          expect(changed?.["whole"]).toBe(earlier === undefined ? true : undefined);
          const { bids = [], asks = [] } = changed as { bids?: ChangedLevel[]; asks?: ChangedLevel[] };
          for (const level of bids) apply(kept.BUY, level);
          for (const level of asks) apply(kept.SELL, level);
          for (const side of ["BUY", "SELL"] as const) {
            const window = shown(kept[side], side);
            expect(window.map(volumeOf)).toEqual((side === "BUY" ? book.bids : book.asks).map(volumeOf));
            kept[side] = new Map(window.map((level) => [level.price, level]));
          }
          expect(changed).toMatchObject({
            bestBid: book.bids[0]?.price ?? null,
            bestAsk: book.asks[0]?.price ?? null,
          });
          earlier = book;
        }
      },
    ),
  );
});

test("a missing level has volume 0 only if it is better than the last level shown", () => {
  const level = (price: number) => ({ price, volume: 1, orderCount: 1 });
  const bids = Array.from({ length: BOOK_DEPTH }, (_, at) => level(100 - at));
  const before = { bids, asks: [] };
  const pushed = { bids: [level(101), ...bids.slice(0, -1)], asks: [] };
  expect(bookChange(pushed, before)?.["bids"]).toEqual([[101, 1]]);
  const cancelled = { bids: [...bids.slice(1), level(90)], asks: [] };
  expect(bookChange(cancelled, before)?.["bids"]).toEqual([[90, 1], [100, 0]]);
});

test("an unchanged book has no levels and no last price, and data without a book is shown as it is", () => {
  const book = { bids: [{ price: 1, volume: 2, orderCount: 1 }], asks: [], lastPrice: 7 };
  expect(bookChange(book, book)).toEqual({ contractId: undefined, bestBid: 1, bestAsk: null });
  expect(bookChange(book, { ...book, lastPrice: 6 })).toMatchObject({ lastPrice: 7 });
  expect(bookChange({ bids: "none" }, undefined)).toBeNull();
});
