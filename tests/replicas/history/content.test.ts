import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { EventBuffer } from "../../../core/market/event-buffer.ts";
import type { EventContent, Gap } from "../../../core/market/event-content.ts";
import { contentOf as contentOfBuffer, covered, union, upTo, wholeAfter } from "../../../replicas/history/content.ts";
import { size } from "../../support/sizes.ts";

const EPOCH = 1_000;
const LENGTH = 60;
const TYPES = ["new.order", "new.fill", "halt.market"];

/** What happened: the type of each number's event; null if the user may not see it. */
const truth = fc.array(fc.constantFrom(...TYPES, "new.order", null), { minLength: LENGTH, maxLength: LENGTH });
type Truth = readonly (string | null)[];

/** What a process knows of it: where it began and ended, what it lost, and how much it keeps. */
const view = fc.record({
  start: fc.integer({ min: 0, max: 30 }),
  length: fc.integer({ min: 0, max: LENGTH }),
  capacity: fc.constantFrom(2, 4, 100),
  gaps: fc.array(fc.record({ from: fc.integer({ min: 1, max: LENGTH }), length: fc.integer({ min: 1, max: 10 }) }), {
    maxLength: 3,
  }),
});
type View = typeof view extends fc.Arbitrary<infer Each> ? Each : never;

function contentOf(happened: Truth, { start, length, capacity, gaps }: View): EventContent {
  const buffer = new EventBuffer(capacity);
  buffer.begin(EPOCH, EPOCH + start);
  for (let number = start + 1; number <= Math.min(LENGTH, start + length); number += 1) {
    const sequence = EPOCH + number;
    const type = happened[number - 1]!;
    if (gaps.some(({ from, length }) => from <= number && number < from + length)) buffer.gap(sequence, sequence);
    else if (type !== null) buffer.push({ sequence, type, time: "t", data: { number } });
  }
  return contentOfBuffer(buffer);
}

const numbersOf = (ranges: readonly Gap[]) =>
  ranges.flatMap(({ from, to }) => Array.from({ length: to - from + 1 }, (_, at) => from + at));

describe("union", () => {
  test("has no event that did not happen, claims none that nobody had, and counts what is evicted", () => {
    fc.assert(
      fc.property(truth, view, view, (happened, first, second) => {
        const [one, other] = [contentOf(happened, first), contentOf(happened, second)];
        const together = union(one, other);
        const buffer = new EventBuffer(1_000);
        buffer.restore(together);
        const inGaps = new Set(numbersOf(together.gaps));
        for (const event of together.events) {
          expect(event.type).toBe(happened[event.sequence - EPOCH - 1]!);
          expect(inGaps.has(event.sequence)).toBe(false);
        }
        const whole = wholeAfter(together);
        expect(buffer.wholeAfter).toBe(whole);
        const isDue = (number: number) => happened[number - 1] !== null && !inGaps.has(EPOCH + number);
        const due = happened.map((_, at) => at + 1)
          .filter((number) => EPOCH + number > together.start && EPOCH + number <= together.top && isDue(number));
        const held = together.events.map(({ sequence }) => sequence - EPOCH);
        expect(held.filter((number) => EPOCH + number > whole)).toEqual(due.filter((number) => EPOCH + number > whole));
        const forgotten = Object.values(together.forgotten).reduce((sum, count) => sum + count, 0);
        expect(held.length + forgotten).toBe(due.length);
      }),
      { numRuns: size(100, 400) },
    );
  });

  test("has every buffered event of two contents that have evicted nothing, and only gaps of both", () => {
    fc.assert(fc.property(truth, view, view, (happened, first, second) => {
      const [one, other] = [first, second].map((each) => contentOf(happened, { ...each, capacity: 100 })) as [
        EventContent,
        EventContent,
      ];
      const together = union(one, other);
      const all = new Set([...one.events, ...other.events].map(({ sequence }) => sequence));
      expect(together.events.map(({ sequence }) => sequence)).toEqual([...all].sort((a, b) => a - b));
      const known = new Set([...numbersOf(covered(one)), ...numbersOf(covered(other))]);
      const inGaps = numbersOf(together.gaps);
      for (const number of inGaps) expect(known.has(number)).toBe(false);
      expect(together.top - together.start - inGaps.length).toBe(known.size);
      expect(union(other, one)).toEqual(together);
    }));
  });

  test("of a content with itself, or with an earlier state of it, is the content", () => {
    fc.assert(fc.property(truth, view, fc.integer({ min: 0, max: LENGTH }), (happened, drawn, length) => {
      const content = contentOf(happened, drawn);
      expect(union(content, content)).toEqual(content);
      const earlier = contentOf(happened, { ...drawn, length: Math.min(length, drawn.length) });
      const together = union(content, earlier);
      expect(together.top).toBe(content.top);
      expect(together.events.length).toBeGreaterThanOrEqual(content.events.length);
      expect(wholeAfter(together)).toBeLessThanOrEqual(wholeAfter(content));
    }));
  });

  test("takes the copy of an event that knows its book", () => {
    const content = contentOf(["new.order"], { start: 0, length: 1, capacity: 4, gaps: [] });
    const book = { id: "b" } as never;
    const withBook = { ...content, events: content.events.map((event) => ({ ...event, book })) };
    for (const [one, other] of [[content, withBook], [withBook, content]] as const) {
      expect(union(one, other).events[0]?.book).toBe(book);
    }
  });
});

test("an earlier state of a content is what it was at that number", () => {
  fc.assert(fc.property(truth, view, fc.integer({ min: 0, max: LENGTH }), (happened, drawn, length) => {
    const content = contentOf(happened, { ...drawn, capacity: 100 });
    const last = Math.min(content.start + length, content.top);
    const earlier = upTo(content, last);
    expect(earlier.top).toBe(last);
    expect(numbersOf(covered(earlier))).toEqual(numbersOf(covered(content)).filter((number) => number <= last));
  }));
});
