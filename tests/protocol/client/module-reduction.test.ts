import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { reduceEvent } from "../../../protocol/client/module-reduction.ts";
import { carriedModule, type EventMessage, EVENTS, replacesState } from "../../../protocol/index.ts";
import {
  BOOK_DEPTH,
  type BookLevel,
  MODULE_TYPES,
  type ModuleData,
  moduleSchema,
} from "../../../protocol/modules/registry.ts";
import { changesOf } from "../../engine/support/book-changes.ts";
import { bookChange, wholeModule } from "../../support/modules.ts";

const TIME = "2030-06-01T12:00:00.000Z";
const LATER = "2030-06-01T13:00:00.000Z";

const level = (price: number, volume = 1, orderCount = 1): BookLevel => ({ price, volume, orderCount });

function event(type: string, data: Record<string, unknown>): EventMessage {
  return { kind: "event", sequence: 1, type, time: LATER, data };
}

function book(bids: BookLevel[], asks: BookLevel[]): ModuleData<"ENGINE"> {
  const [bestBid, bestAsk] = [bids[0]?.price ?? null, asks[0]?.price ?? null];
  return wholeModule("ENGINE", { id: "e", bids, asks, bestBid, bestAsk, lastUpdate: TIME }) as ModuleData<"ENGINE">;
}

describe("an event that carries a module", () => {
  test.each(Object.keys(EVENTS))("%s is reduced to the module that its data is declared as", (type) => {
    const schema = EVENTS[type as keyof typeof EVENTS];
    const module = MODULE_TYPES.find((each) => moduleSchema(each) === (schema as unknown));
    expect(carriedModule(type)).toBe(module);
    expect(replacesState(type)).toBe(module !== undefined || type === "change.book");
    if (module === undefined || type === "change.book") return;
    const data = wholeModule(module, { id: "m/1" });
    expect(reduceEvent(event(type, data), null)).toEqual({ statePath: `/${module}/m/1`, state: data as never });
  });

  test("other events say nothing about modules", () => {
    for (const type of ["reject.order", "change.user", "tweak.moon", "constructor"]) {
      expect(reduceEvent(event(type, { id: "x" }), () => book([], []))).toBeNull();
    }
  });
});

describe("change.book", () => {
  test("gives the ENGINE module with its changed levels, its numbers and the time of the event", () => {
    const before = { ...book([level(10), level(8)], [level(12)]), further: "kept" };
    const numbers = {
      bestBid: 10,
      bestAsk: 12,
      lastPrice: 11,
      totalWorkingOrders: 5,
      heldOrders: 2,
      tradedQuantity: 7,
    };
    const asks = [level(12, 3, 2)];
    const change = bookChange({ engineId: "e", bids: [level(9, 4), level(8, 0, 0)], asks, ...numbers });
    const after = { ...before, bids: [level(10), level(9, 4)], asks, ...numbers, lastUpdate: LATER };
    expect(reduceEvent(event("change.book", change), () => before)).toEqual({ statePath: "/ENGINE/e", state: after });
    // What readers have been given does not change.
    expect(before.bids).toEqual([level(10), level(8)]);
  });

  test("a removal of an unknown level, and a level as it is already, change nothing", () => {
    const before = book([level(10)], []);
    const change = bookChange({ engineId: "e", bids: [level(10), level(9, 0, 0)], bestBid: 10 });
    expect(reduceEvent(event("change.book", change), () => before)).toMatchObject({ state: { bids: [level(10)] } });
  });

  test("is not reduced by a client that keeps no books", () => {
    expect(reduceEvent(event("change.book", bookChange({})), null)).toBeNull();
  });

  const eleven = Array.from({ length: BOOK_DEPTH }, (_, at) => level(100 - at));
  test.each<[string, ModuleData<"ENGINE"> | undefined, Record<string, unknown>]>([
    ["of an unknown book", undefined, {}],
    ["that leaves another best bid than it says", book([level(10)], []), { bestBid: 11 }],
    ["that leaves no ask where it says one", book([], []), { bestAsk: 3 }],
    ["that leaves more levels than are shown", book(eleven, []), { bids: [level(1)], bestBid: 100 }],
  ])("one %s is a misfit", (_name, before, change) => {
    const message = event("change.book", bookChange({ engineId: "e", ...change }));
    expect(reduceEvent(message, () => before)).toEqual({ misfit: true, statePath: "/ENGINE/e" });
  });

  test("the changes between any two books lead from the one to the other", () => {
    const side = (direction: 1 | -1) =>
      fc.uniqueArray(fc.record({ price: fc.integer({ min: -9, max: 9 }), volume: fc.integer({ min: 1, max: 3 }) }), {
        selector: ({ price }) => price,
        maxLength: BOOK_DEPTH,
      }).map((levels) =>
        levels.sort((a, b) => (b.price - a.price) * direction).map(({ price, volume }) => level(price, volume, volume))
      );
    const books = fc.record({ bids: side(1), asks: side(-1) });
    fc.assert(fc.property(books, books, (before, now) => {
      const changes = changesOf(before, now);
      const numbers = { bestBid: now.bids[0]?.price ?? null, bestAsk: now.asks[0]?.price ?? null };
      const message = event("change.book", bookChange({ engineId: "e", ...changes, ...numbers }));
      const reduced = reduceEvent(message, () => book(before.bids, before.asks));
      expect(reduced).toMatchObject({ state: now });
      // Absolute: a state before the event makes no difference.
      expect(reduceEvent(message, () => book(now.bids, now.asks))).toEqual(reduced);
      const kept = before.bids.filter((one) => now.bids.some((other) => Bun.deepEquals(one, other)));
      for (const { price } of kept) expect(changes.bids.map((changed) => changed.price)).not.toContain(price);
    }));
  });
});
