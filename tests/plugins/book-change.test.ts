// change.book as the watching tools show it: small changes, and a whole book if its reader needs one.

import { expect, test } from "bun:test";
import fc from "fast-check";
import { EventBuffer } from "../../core/market/event-buffer.ts";
import { shownEvents, type ShownLevel } from "../../plugins/monitor/shown-event.ts";
import { reduceEvent } from "../../protocol/client/module-reduction.ts";
import { BOOK_DEPTH, type BookLevel, type ModuleData } from "../../protocol/modules/registry.ts";
import { changesOf, type Sides } from "../engine/support/book-changes.ts";
import { wholeModule } from "../support/modules.ts";

const EPOCH = 1_000;
const TIME = "2030-06-01T12:00:00.000Z";

type Levels = Map<number, BookLevel>;
type Side = "bids" | "asks";

/** The levels of one side that a book shows, best first. */
function shown(levels: Levels, side: Side): BookLevel[] {
  const sorted = [...levels.values()].sort((a, b) => side === "bids" ? b.price - a.price : a.price - b.price);
  return sorted.slice(0, BOOK_DEPTH);
}

/** An engine's book, the events of its changes, and what a client makes of them. */
class Market {
  readonly buffer: EventBuffer;
  book = { ...wholeModule("ENGINE", { id: "e" }), bids: [], asks: [] } as unknown as ModuleData<"ENGINE">;
  published: Sides = { bids: [], asks: [] };
  #sequence = EPOCH;

  constructor(capacity = 1_000) {
    this.buffer = new EventBuffer(capacity);
    this.buffer.begin(EPOCH, EPOCH);
  }

  /** Publishes a change. `isReduced` false: the snapshot of a reconnect contained it already. */
  change(
    book: Sides,
    { lastPrice = null, isReduced = true }: { lastPrice?: number | null; isReduced?: boolean } = {},
  ) {
    const [bestBid, bestAsk] = [book.bids[0]?.price ?? null, book.asks[0]?.price ?? null];
    const numbers = { bestBid, bestAsk, lastPrice, totalWorkingOrders: 0, heldOrders: 0, tradedQuantity: 0 };
    const place = { contractId: "c", productCode: "P", engineId: "e" };
    const data = { ...place, ...changesOf(this.published, book), ...numbers };
    this.published = book;
    const event = { kind: "event", sequence: ++this.#sequence, type: "change.book", time: TIME, data } as const;
    const reduced = reduceEvent(event, () => this.book);
    if (reduced === null || "misfit" in reduced) throw new Error("the change does not fit");
    this.book = reduced.state as unknown as ModuleData<"ENGINE">;
    this.buffer.push(event, isReduced ? this.book : null);
  }

  gap(): void {
    this.buffer.gap(this.#sequence + 1, ++this.#sequence);
  }

  /** The data of the newest events. */
  shown(limit: number): Record<string, unknown>[] {
    return shownEvents(this.buffer.read({ limit }).events, this.buffer).map(({ data }) => data);
  }
}

const level = (price: number, volume = 1): BookLevel => ({ price, volume, orderCount: 1 });

const change = fc.record({
  side: fc.constantFrom("bids" as const, "asks" as const),
  price: fc.integer({ min: 1, max: 16 }),
  volume: fc.integer({ min: 0, max: 3 }),
  orderCount: fc.integer({ min: 1, max: 2 }),
});

test("changes, applied to a whole book one after the other, give each later book", () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(change, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 40 }),
      (steps) => {
        const real = { bids: new Map() as Levels, asks: new Map() as Levels };
        const kept = { bids: new Map<number, number>(), asks: new Map<number, number>() };
        const market = new Market();
        for (const [step, changes] of steps.entries()) {
          for (const { side, price, volume, orderCount } of changes) {
            if (volume === 0) real[side].delete(price);
            else real[side].set(price, { price, volume, orderCount });
          }
          const book = { bids: shown(real.bids, "bids"), asks: shown(real.asks, "asks") };
          market.change(book);
          const [data] = market.shown(1);
          expect(data?.["whole"]).toBe(step === 0 ? true : undefined);
          for (const side of ["bids", "asks"] as const) {
            for (const [price, volume] of data?.[side] as ShownLevel[] ?? []) {
              if (volume === 0) kept[side].delete(price);
              else kept[side].set(price, volume);
            }
            const volumes = book[side].map(({ price, volume }) => [price, volume] as const);
            expect(kept[side]).toEqual(new Map(volumes));
          }
          expect(data).toMatchObject({
            bestBid: book.bids[0]?.price ?? null,
            bestAsk: book.asks[0]?.price ?? null,
          });
        }
      },
    ),
  );
});

test("a level that a better one pushes out of the ten has volume 0, and the one that takes its place is shown", () => {
  const bids = Array.from({ length: BOOK_DEPTH }, (_, at) => level(100 - at));
  const market = new Market();
  market.change({ bids, asks: [] });
  market.change({ bids: [level(101), ...bids.slice(0, -1)], asks: [] });
  market.change({ bids, asks: [] });
  expect(market.shown(2).map((data) => data["bids"])).toEqual([[[101, 1], [91, 0]], [[101, 0], [91, 1]]]);
});

test("an unchanged book has no levels, and a last price only if it is new", () => {
  const market = new Market();
  const book = { bids: [level(1, 2)], asks: [] };
  market.change(book, { lastPrice: 7 });
  market.change(book, { lastPrice: 7 });
  market.change(book, { lastPrice: 6 });
  const same = { contractId: "c", bestBid: 1, bestAsk: null };
  expect(market.shown(3)).toEqual([
    { ...same, lastPrice: 7, whole: true, bids: [[1, 2]] },
    same,
    { ...same, lastPrice: 6 },
  ]);
});

test("a book is whole again after lost events and if the event before it is gone, unless only its change is known", () => {
  const market = new Market(2);
  const at = (volume: number) => ({ bids: [level(2, volume), level(1)], asks: [] });
  market.change(at(1));
  market.change(at(2));
  expect(market.shown(1)[0]).toEqual({ contractId: "c", bestBid: 2, bestAsk: null, bids: [[2, 2]] });
  market.gap();
  market.change(at(3));
  expect(market.shown(1)[0]).toMatchObject({ whole: true, bids: [[2, 3], [1, 1]] });
  market.change(at(4));
  expect(market.shown(2).map((data) => data["whole"])).toEqual([true, undefined]);
  market.change(at(5));
  expect(market.shown(2).map((data) => data["bids"])).toEqual([[[2, 4], [1, 1]], [[2, 5]]]);
  market.gap();
  market.change(at(6), { isReduced: false });
  expect(market.shown(1)[0]).toEqual({ contractId: "c", bestBid: 2, bestAsk: null, bids: [[2, 6]] });
});

test("detail full shows the event as it was received", () => {
  const market = new Market();
  market.change({ bids: [level(5, 2)], asks: [] });
  const { events } = market.buffer.read({ limit: 1 });
  expect(shownEvents(events, market.buffer, { detail: "full" })).toEqual([{
    sequence: EPOCH + 1,
    category: "pricing",
    type: "change.book",
    time: TIME,
    data: { ...events[0]?.data },
  }]);
});
