import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { EventBuffer } from "../../../core/market/event-buffer.ts";
import { contentOf, isGap, itemsAfter, sequenceOf } from "../../../replicas/history/content.ts";
import type { EventFilter, EventQuery } from "../../../core/market/event-reader.ts";
import {
  bufferOf,
  capacity,
  EPOCH,
  event,
  Model,
  namesMore,
  play,
  played,
  PRODUCTS,
  queries,
  sequences,
  type Step,
  steps,
  TYPES,
} from "./support/event-model.ts";

/** The page, which must be the reference's, and what both say is missed. */
function missedBy(buffer: EventBuffer, model: Model, asked: EventQuery) {
  const { events, latestSequence, hasMore, missed } = buffer.read(asked);
  const { missed: expected, ...page } = model.read(asked);
  const sequences = events.map(({ sequence }) => sequence);
  expect({ sequences, latestSequence, hasMore }).toEqual(page as { [Name in keyof typeof page]-?: never });
  return { missed, expected };
}

/** As missedBy; what is missed may be a lower bound above 0, or null. Returns whether it is null though the count is known. */
function isUnknown(buffer: EventBuffer, model: Model, asked: EventQuery): boolean {
  const { missed, expected } = missedBy(buffer, model, asked);
  if (expected === null || missed === null) {
    if (expected === null) expect(missed).toBeNull();
    return expected !== null;
  }
  expect(missed).toBeLessThanOrEqual(expected);
  expect(missed > 0).toBe(expected > 0);
  return false;
}

describe("EventBuffer", () => {
  test("answers every query like an array of all events, with eviction, gaps and repeats", () => {
    fc.assert(
      fc.property(capacity, steps, queries, (capacity, steps, queries) => {
        const { buffer, model } = played(capacity, steps);
        for (const asked of queries) {
          const { missed, expected } = missedBy(buffer, model, asked);
          expect(missed).toBe(expected);
        }
      }),
      { numRuns: 600 },
    );
  });

  test("with few entries of evicted events, pages are right, and missed is exact, a lower bound above 0, or null", () => {
    fc.assert(
      fc.property(capacity, fc.integer({ min: 0, max: 6 }), steps, queries, (capacity, kept, steps, queries) => {
        const { buffer, model } = played(capacity, steps, kept);
        for (const asked of queries) {
          if (!isUnknown(buffer, model, asked)) continue;
          expect([asked.contractId, asked.entityId, asked.orderId].some((id) => id !== undefined)).toBe(true);
        }
      }),
      { numRuns: 600 },
    );
  });

  /** Random steps, then the same buffer restored from its content, then more steps. */
  function playRestored(
    capacity: number,
    kept: number,
    before: readonly Step[],
    after: readonly Step[],
    start: number,
  ) {
    const [first, model] = [new EventBuffer(capacity, kept), new Model(capacity, EPOCH + start)];
    first.begin(EPOCH, EPOCH + start);
    play(before, first, model);
    const buffer = new EventBuffer(capacity, kept);
    buffer.restore(contentOf(first));
    const steps = after.map((taken) =>
      "gapFrom" in taken ? { ...taken, gapFrom: 0 } : { ...taken, skip: Math.max(0, taken.skip) }
    );
    play(steps, buffer, model, first.latestSequence + 1);
    return { first, buffer, model };
  }

  test("restored from the content of another, pages are the same, and missed is exact, a lower bound above 0, or null", () => {
    const kept = fc.integer({ min: 0, max: 6 });
    const start = fc.integer({ min: 0, max: 3 });
    fc.assert(
      fc.property(capacity, kept, steps, steps, start, queries, (capacity, kept, before, after, start, queries) => {
        const { buffer, model } = playRestored(capacity, kept, before, after, start);
        for (const asked of queries) {
          if (isUnknown(buffer, model, asked)) {
            expect(model.read(asked).missed === 0 || asked.since! > EPOCH + start || namesMore(asked)).toBe(true);
            expect(asked.since!).toBeLessThan(buffer.wholeAfter);
          }
          const whole = missedBy(buffer, model, { since: EPOCH + start, limit: 1 });
          expect(whole.missed).toBe(whole.expected);
        }
        expect(buffer.wholeAfter).toBeGreaterThanOrEqual(Math.max(EPOCH + start, model.evictedUpTo));
      }),
      { numRuns: 600 },
    );
  });

  test("the content of a restored buffer is what it was restored from, if nothing came since", () => {
    fc.assert(fc.property(capacity, steps, (capacity, steps) => {
      const { first, buffer } = playRestored(capacity, 4, steps, [], 2);
      expect(contentOf(buffer)).toEqual(contentOf(first));
      expect(buffer.stats()).toEqual(first.stats());
      expect(buffer.added).toEqual(first.added);
    }));
  });

  test("gives replicas all events and gaps after a number in one order, or null if one of the events is evicted", () => {
    fc.assert(fc.property(capacity, steps, fc.integer({ min: 0, max: 60 }), (capacity, steps, after) => {
      const { buffer, model } = played(capacity, steps);
      const items = itemsAfter(buffer, EPOCH + after);
      expect(items !== null).toBe(EPOCH + after >= model.evictedUpTo);
      if (items === null) return;
      const copy = bufferOf(1_000);
      copy.begin(EPOCH, EPOCH + after);
      for (const item of items) {
        expect(sequenceOf(item)).toBeGreaterThan(copy.latestSequence);
        if (isGap(item)) copy.gap(item.from, item.to);
        else copy.push(item);
      }
      expect(copy.latestSequence).toBe(Math.max(EPOCH + after, buffer.latestSequence));
      const expected = model.read({ since: EPOCH + after, limit: 1_000 });
      expect(copy.read({ limit: 1_000 }).events.map(({ sequence }) => sequence)).toEqual(expected.sequences);
      expect(copy.stats().gapEvents).toBe(expected.missed ?? 0);
    }));
  });

  test("gives the newest event before a number, unless one may be lost since", () => {
    fc.assert(fc.property(capacity, steps, queries, (capacity, steps, queries) => {
      const { buffer, model } = played(capacity, steps);
      for (const { since: _, ...filter } of queries) {
        const all = model.read({ ...filter, limit: 1000 }).sequences;
        for (let before = EPOCH; before <= buffer.latestSequence + 2; before += 1) {
          const last = all.findLast((sequence) => sequence < before);
          const expected = last !== undefined && model.hasGapBetween(last, before) ? undefined : last;
          expect(buffer.lastBefore(before, filter)?.sequence).toBe(expected);
        }
      }
    }));
  });

  test("wakes a wait at the next matching event or gap, and no other wait", () => {
    const hasGaps = fc.boolean();
    fc.assert(fc.property(capacity, steps, steps, queries, hasGaps, (capacity, before, all, filters, hasGaps) => {
      const after = hasGaps ? all : all.filter((taken) => !("gapFrom" in taken));
      const { buffer, model } = played(capacity, before);
      const { latestSequence } = buffer;
      const woken = filters.map(() => 0);
      const ends = filters.map((filter, at) => buffer.onNext(filter, () => void (woken[at]! += 1)));
      const reached = latestSequence - EPOCH;
      const later = after.map((taken) => "gapFrom" in taken ? taken : { ...taken, skip: taken.skip + reached });
      play(later.slice(0, 5), buffer, model);
      const gaps = model.read({ since: latestSequence, category: "system", limit: 1 }).missed ?? 0;
      const expected = filters.map((filter) =>
        gaps > 0 || model.matching(filter).some(({ sequence }) => sequence > latestSequence) ? 1 : 0
      );
      expect(woken).toEqual(expected);
      for (const end of ends) end();
      buffer.gap(buffer.latestSequence + 1, buffer.latestSequence + 1);
      expect(woken).toEqual(expected);
    }));
  });

  test.each<EventFilter>([
    {},
    { category: "order" },
    { types: ["new.order", "change.book"] },
    { productCode: "PEAK" },
  ])("pages of 7 over 1,400 events give each once, in order, for %j", (filter) => {
    const buffer = bufferOf(10_000);
    for (let index = 1; index <= 1400; index += 1) {
      buffer.push(event(EPOCH + index, TYPES[index % TYPES.length], PRODUCTS[index % PRODUCTS.length]));
    }
    const expected = buffer.read({ ...filter, limit: 10_000 }).events;
    const paged: number[] = [];
    let since = EPOCH;
    for (let pages = 0; pages < 1400; pages += 1) {
      const page = buffer.read({ ...filter, since, limit: 7 });
      expect(page.missed).toBe(0);
      paged.push(...sequences(page.events));
      since = page.latestSequence;
      if (!page.hasMore) break;
    }
    expect(paged).toEqual(sequences(expected));
    expect(paged.length).toBeGreaterThan(100);
    expect(since).toBe(EPOCH + 1400);
  });

  test("a full category evicts its oldest event, and other categories keep theirs", () => {
    const buffer = bufferOf(2);
    buffer.push(event(EPOCH + 1, "halt.market"));
    for (let index = 2; index <= 6; index += 1) buffer.push(event(EPOCH + index));
    expect(sequences(buffer.read({ limit: 10 }).events)).toEqual([1, 5, 6]);
    expect(buffer.read({ since: EPOCH, limit: 10 }).missed).toBe(3);
    expect(buffer.read({ category: "market", since: EPOCH, limit: 10 }).missed).toBe(0);
    expect(buffer.stats()).toEqual({
      totalEvents: 3,
      latestSequence: EPOCH + 6,
      byCategory: { order: 2, fill: 0, pricing: 0, market: 1, credit: 0, system: 0, other: 0 },
      oldestEvent: new Date(EPOCH + 1).toISOString(),
      newestEvent: new Date(EPOCH + 6).toISOString(),
      gapEvents: 0,
    });
  });

  test("knows the newest event of each category, also after events of others, gaps and evictions", () => {
    const buffer = bufferOf(2);
    const newest = () =>
      [buffer.newestOf("order"), buffer.newestOf("market")].map((sequence) => sequence && sequence - EPOCH);
    expect(newest()).toEqual([0, 0]);
    buffer.push(event(EPOCH + 1, "halt.market"));
    for (let index = 2; index <= 6; index += 1) buffer.push(event(EPOCH + index));
    expect(newest()).toEqual([6, 1]);
    buffer.gap(EPOCH + 7, EPOCH + 9);
    buffer.push(event(EPOCH + 10, "resume.market"));
    expect(newest()).toEqual([6, 10]);
    buffer.begin(EPOCH + 50, EPOCH + 60);
    expect(newest()).toEqual([0, 0]);
  });

  test("if the numbers of evicted events are forgotten, too, missed is a lower bound and never 0", () => {
    const buffer = bufferOf(2, 3);
    for (let index = 1; index <= 20; index += 1) buffer.push(event(EPOCH + index));
    const missed = (since: number) => buffer.read({ since: EPOCH + since, limit: 1 }).missed;
    expect([0, 1, 5, 14, 15, 17, 18].map(missed)).toEqual([18, 4, 4, 4, 3, 1, 0]);
    expect(buffer.read({ types: ["new.order"], since: EPOCH + 5, limit: 1 }).missed).toBe(4);
  });

  test("events of this epoch before the first connect count as missed", () => {
    const buffer = new EventBuffer(10);
    buffer.begin(EPOCH, EPOCH + 50);
    buffer.push(event(EPOCH + 51));
    expect(buffer.read({ since: EPOCH, limit: 5 })).toMatchObject({ missed: 50, latestSequence: EPOCH + 51 });
    expect(buffer.read({ category: "fill", since: EPOCH + 20, limit: 5 }).missed).toBe(30);
    expect(buffer.read({ since: EPOCH + 50, limit: 5 }).missed).toBe(0);
    expect(buffer.stats().gapEvents).toBe(0);
  });

  test("another epoch drops all events, and a since of the old epoch gives missed null", () => {
    const buffer = bufferOf(10);
    buffer.push(event(EPOCH + 1));
    buffer.begin(2 * EPOCH, 2 * EPOCH);
    buffer.push(event(2 * EPOCH + 1));
    const page = buffer.read({ since: EPOCH + 1, limit: 5 });
    expect(page).toMatchObject({ missed: null, epoch: 2 * EPOCH, latestSequence: 2 * EPOCH + 1, hasMore: false });
    expect(page.events.map(({ sequence }) => sequence)).toEqual([2 * EPOCH + 1]);
  });

  test("everything is empty before the first connect", () => {
    const empty = new EventBuffer(10);
    expect(empty.read({ limit: 5 })).toEqual({ events: [], latestSequence: 0, hasMore: false, missed: 0, epoch: null });
  });
});

test("holds: false for evicted, missing and future sequence numbers", () => {
  const buffer = bufferOf(2);
  for (const [index, type] of ["new.order", "new.fill", "new.order", "new.order"].entries()) {
    buffer.push(event(EPOCH + 2 * index + 1, type));
  }
  const held = Array.from({ length: 9 }, (_, number) => EPOCH + number).filter((number) => buffer.holds(number));
  expect(held.map((number) => number - EPOCH)).toEqual([3, 5, 7]);
});

test("a clear, a new epoch and an interruption end every wait", () => {
  const buffer = bufferOf(5);
  for (const end of [() => buffer.clear(), () => buffer.begin(EPOCH, EPOCH), () => buffer.interrupt()]) {
    let woken = 0;
    buffer.onNext({ orderId: "o" }, () => void (woken += 1));
    end();
    expect(woken).toBe(1);
  }
});

test("the log of an order is dropped some time after its last event is forgotten", () => {
  const buffer = bufferOf(5, 5);
  const push = (number: number, id: string) => buffer.push(event(EPOCH + number, "new.order", "BASE", { id }));
  push(1, "first");
  push(2, "second");
  expect(buffer.read({ orderId: "first", since: EPOCH, limit: 5 })).toMatchObject({ missed: 0 });
  for (let number = 3; number <= 12; number += 1) push(number, "other");
  expect(buffer.read({ orderId: "first", since: EPOCH + 2, limit: 5 }).missed).toBe(0);
  expect(buffer.read({ orderId: "first", since: EPOCH, limit: 5 }).missed).toBeNull();
  for (let number = 13; number <= 50; number += 1) push(number, `order-${number}`);
  for (let number = 45; number <= 50; number += 1) {
    expect(buffer.read({ orderId: `order-${number}`, since: EPOCH + 40, limit: 5 })).toMatchObject({
      events: number > 45 ? [{ sequence: EPOCH + number }] : [],
      missed: number > 45 ? 0 : 1,
    });
  }
});

test("a restore ends every wait, after the content is there", () => {
  const buffer = bufferOf(5);
  buffer.push(event(EPOCH + 1));
  const content = contentOf(buffer);
  buffer.begin(2 * EPOCH, 2 * EPOCH);
  let seen = 0;
  buffer.onNext({ category: "fill" }, () => void (seen = buffer.latestSequence));
  const { incarnation } = buffer;
  buffer.restore(content);
  expect(seen).toBe(EPOCH + 1);
  expect(buffer.incarnation).toBeGreaterThan(incarnation);
});

describe("the totals", () => {
  test("count what has come since the start, whatever the buffer is given up for", () => {
    const buffer = new EventBuffer(2);
    buffer.begin(EPOCH, EPOCH + 10);
    for (let number = 11; number <= 15; number++) buffer.push(event(EPOCH + number));
    buffer.push(event(EPOCH + 15));
    buffer.push(event(EPOCH + 16, "new.fill"));
    buffer.gap(EPOCH + 15, EPOCH + 20);
    buffer.gap(EPOCH + 1, EPOCH + 5);
    expect(buffer.totals()).toMatchObject({ events: { order: 5, fill: 1 }, gaps: 1, missedEvents: 4 });
    buffer.begin(EPOCH * 2, EPOCH * 2);
    buffer.push(event(EPOCH * 2 + 1));
    expect(buffer.totals()).toMatchObject({ events: { order: 6, fill: 1 }, gaps: 1, missedEvents: 4 });
    buffer.clear();
    expect(buffer.totals().events.order).toBe(6);
  });

  test("leave out events and gaps that were restored, also if they are restored again", () => {
    const other = new EventBuffer(3);
    other.begin(EPOCH, EPOCH);
    for (let number = 1; number <= 8; number++) other.push(event(EPOCH + number));
    other.gap(EPOCH + 9, EPOCH + 12);
    const buffer = new EventBuffer(100);
    for (const own of [1, 2]) {
      buffer.restore(contentOf(other));
      buffer.push(event(EPOCH + 12 + own));
      expect(buffer.totals()).toMatchObject({ events: { order: own }, gaps: 0, missedEvents: 0 });
    }
  });
});
