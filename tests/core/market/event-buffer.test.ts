import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { EventBuffer } from "../../../core/market/event-buffer.ts";
import { contentOf, isGap, itemsAfter, sequenceOf } from "../../../replicas/history/content.ts";
import type { EventFilter, EventQuery } from "../../../core/market/event-reader.ts";
import { categoryOf, type EventMessage } from "../../../protocol/index.ts";

const EPOCH = 1_000_000;
const TYPES = [
  ...["new.order", "change.order", "new.fill", "new.trade", "change.book"],
  ...["halt.market", "new.contract", "change.credit", "odd.thing"],
];
const PRODUCTS = ["BASE", "PEAK", undefined];

function event(sequence: number, type = "new.order", productCode?: string, ids: Ids = {}): EventMessage {
  const time = new Date(sequence).toISOString();
  return { kind: "event", sequence, type, time, data: { ...productCode !== undefined && { productCode }, ...ids } };
}

const ENTITY_FIELDS = ["entityId", "counterpartyId", "buyEntityId", "sellEntityId"] as const;
const ORDER_FIELDS = ["orderId", "buyOrderId", "sellOrderId"] as const;
const ID_FIELDS = ["id", "contractId", ...ENTITY_FIELDS, ...ORDER_FIELDS] as const;
/** Ids in an event's data, by field, each of them optional. */
type Ids = Partial<Record<(typeof ID_FIELDS)[number], string>>;

/** The ids by which a filter finds an event, written out for each type. */
function idsOf({ type, data }: EventMessage): { contractId: unknown[]; entityId: unknown[]; orderId: unknown[] } {
  const of = (...fields: (typeof ID_FIELDS)[number][]) => fields.map((field) => data[field]);
  const contractId = of("contractId");
  if (type.endsWith(".order")) return { contractId, entityId: of("entityId"), orderId: of("id", "orderId") };
  if (type === "new.fill") return { contractId, entityId: of("entityId"), orderId: of("orderId") };
  if (type === "new.trade") {
    return { contractId, entityId: of("buyEntityId", "sellEntityId"), orderId: of("buyOrderId", "sellOrderId") };
  }
  if (type === "new.contract") return { contractId: of("contractId", "id"), entityId: [], orderId: [] };
  return { contractId, entityId: of(...ENTITY_FIELDS), orderId: of(...ORDER_FIELDS) };
}

function bufferOf(capacity: number, evictedKept?: number): EventBuffer {
  const buffer = new EventBuffer(capacity, evictedKept);
  buffer.begin(EPOCH, EPOCH);
  return buffer;
}

/** Whether the query asks for some of a category's events only. */
function namesMore({ types, productCode, contractId, entityId, orderId }: EventQuery): boolean {
  return (types ?? []).length > 0 || [productCode, contractId, entityId, orderId].some((name) => name !== undefined);
}

const sequences = (events: readonly { sequence: number }[]) => events.map(({ sequence }) => sequence - EPOCH);

/** The reference: all events and gaps in one array. */
class Model {
  readonly #all: EventMessage[] = [];
  readonly #gaps: [from: number, to: number][] = [];
  #newest: number;

  /** Events up to `start` count as a gap. */
  constructor(readonly capacity: number, start = EPOCH) {
    this.#newest = start;
    if (start > EPOCH) this.#gaps.push([EPOCH + 1, start]);
  }

  /** The newest event that is not buffered; 0 if all are. */
  get evictedUpTo(): number {
    return this.#all.findLast((message) => !this.#isBuffered(message))?.sequence ?? 0;
  }

  push(message: EventMessage): void {
    if (message.sequence <= this.#newest) return;
    this.#all.push(message);
    this.#newest = message.sequence;
  }

  gap(from: number, to: number): void {
    if (to <= this.#newest) return;
    this.#gaps.push([Math.max(from, this.#newest + 1), to]);
    this.#newest = to;
  }

  /** The matching events, buffered or not. */
  matching({ category, types, productCode, contractId, entityId, orderId }: EventFilter): EventMessage[] {
    return this.#all.filter((message) =>
      (category === undefined || categoryOf(message.type) === category) &&
      (types === undefined || types.length === 0 || types.includes(message.type)) &&
      (productCode === undefined || message.data["productCode"] === productCode) &&
      (contractId === undefined || idsOf(message).contractId.includes(contractId)) &&
      (entityId === undefined || idsOf(message).entityId.includes(entityId)) &&
      (orderId === undefined || idsOf(message).orderId.includes(orderId))
    );
  }

  read({ since, limit, ...filter }: EventQuery) {
    const matching = this.matching(filter);
    const buffered = matching.filter((message) => this.#isBuffered(message)).map(({ sequence }) => sequence);
    if (since === undefined) {
      return { sequences: buffered.slice(-limit), latestSequence: this.#newest, hasMore: false, missed: 0 };
    }
    const after = buffered.filter((sequence) => sequence > since);
    const page = after.slice(0, limit);
    const hasMore = after.length > limit;
    const evicted = matching.filter((message) => message.sequence > since && !this.#isBuffered(message)).length;
    const inGaps = this.#gaps.reduce((sum, [from, to]) => sum + Math.max(0, to - Math.max(from - 1, since)), 0);
    return {
      sequences: page,
      latestSequence: hasMore ? page.at(-1) : this.#newest,
      hasMore,
      missed: since < EPOCH || since > this.#newest ? null : evicted + inGaps,
    };
  }

  hasGapBetween(last: number, next: number): boolean {
    return this.#gaps.some(([from, to]) => from < next && to > last);
  }

  #isBuffered(message: EventMessage): boolean {
    const category = categoryOf(message.type);
    const ofCategory = this.#all.filter(({ type }) => categoryOf(type) === category);
    return ofCategory.slice(-this.capacity).includes(message);
  }
}

const step = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      skip: fc.integer({ min: -2, max: 3 }),
      type: fc.constantFrom(...TYPES),
      productCode: fc.constantFrom(...PRODUCTS),
      ids: fc.record(
        Object.fromEntries(ID_FIELDS.map((field) => [field, fc.constantFrom("a", "b", "c")])),
        { requiredKeys: [] },
      ) as fc.Arbitrary<Ids>,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ gapFrom: fc.integer({ min: -2, max: 2 }), gapLength: fc.integer({ min: 0, max: 4 }) }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer Each> ? Each : never;
const query = fc.record({
  category: fc.constantFrom(undefined, "order", "fill", "pricing", "market", "credit", "other"),
  types: fc.option(fc.subarray(TYPES), { nil: undefined }),
  productCode: fc.constantFrom(undefined, "BASE", "PEAK", "NONE"),
  contractId: fc.constantFrom(undefined, undefined, "a", "b", "none"),
  entityId: fc.constantFrom(undefined, undefined, "a", "b", "none"),
  orderId: fc.constantFrom(undefined, undefined, "a", "b", "none"),
  since: fc.option(fc.integer({ min: EPOCH - 2, max: EPOCH + 120 }), { nil: undefined }),
  limit: fc.integer({ min: 1, max: 9 }),
}) as fc.Arbitrary<EventQuery>;

/** Applies random steps to a buffer and to the reference. */
function play(steps: readonly Step[], buffer: EventBuffer, model: Model, first = EPOCH + 1): void {
  let next = first;
  for (const taken of steps) {
    if ("gapFrom" in taken) {
      const from = next + taken.gapFrom;
      for (const target of [buffer, model]) target.gap(from, from + taken.gapLength);
      next = Math.max(next, from + taken.gapLength + 1);
    } else {
      const message = event(next + taken.skip, taken.type, taken.productCode, taken.ids);
      for (const target of [buffer, model]) target.push(message);
      next = Math.max(next, message.sequence + 1);
    }
  }
}

/** A buffer and the reference after the same steps. */
function played(capacity: number, steps: readonly Step[], evictedKept?: number) {
  const [buffer, model] = [bufferOf(capacity, evictedKept), new Model(capacity)];
  play(steps, buffer, model);
  return { buffer, model };
}

const steps = fc.array(step, { maxLength: 60 });
const queries = fc.array(query, { minLength: 1, maxLength: 8 });
const capacity = fc.integer({ min: 1, max: 8 });

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
      for (const { since = EPOCH + 50, ...filter } of queries) {
        const before = model.read({ ...filter, limit: 1000 }).sequences.filter((sequence) => sequence < since);
        const last = before.at(-1);
        const expected = last !== undefined && model.hasGapBetween(last, since) ? undefined : last;
        expect(buffer.lastBefore(since, filter)?.sequence).toBe(expected);
      }
    }));
  });

  test("wakes a wait at the next matching event or gap, and no other wait", () => {
    fc.assert(fc.property(capacity, steps, steps, queries, (capacity, before, after, filters) => {
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

test("consecutive gaps count once each, however many they are", () => {
  const buffer = bufferOf(5);
  for (let number = 1; number <= 100; number += 1) buffer.gap(EPOCH + number, EPOCH + number);
  buffer.push(event(EPOCH + 101));
  buffer.gap(EPOCH + 102, EPOCH + 103);
  expect(buffer.stats().gapEvents).toBe(102);
  expect(buffer.read({ since: EPOCH + 90, limit: 5 })).toMatchObject({ missed: 12, latestSequence: EPOCH + 103 });
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
