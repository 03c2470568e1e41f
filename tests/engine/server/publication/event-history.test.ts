import { expect, test } from "bun:test";
import fc from "fast-check";
import { EVERYONE, PublishedEvent } from "../../../../engine/api/messages.ts";
import { EventHistory } from "../../../../engine/server/publication/event-history.ts";

const event = (sequence: number) => new PublishedEvent(sequence, EVERYONE, { text: "{}" });

test("numbers of events that are not held are reported as gaps, between events and after the last", () => {
  const history = new EventHistory(10);
  history.append([event(3), event(4)]);
  const after = (sequence: number, newest: number) =>
    [...history.after(sequence, newest)].map((each) =>
      each.kind === "gap" ? `gap ${each.from}-${each.to}` : each.sequence
    );
  expect(after(2, 4)).toEqual([3, 4]);
  expect(after(2, 5)).toEqual([3, 4, "gap 5-5"]);
  expect(after(2, 6)).toEqual([3, 4, "gap 5-6"]);
  expect(after(1, 4)).toEqual(["gap 2-2", 3, 4]);
  expect(after(4, 4)).toEqual([]);
  history.append([event(7)]);
  expect(after(3, 9)).toEqual([4, "gap 5-6", 7, "gap 8-9"]);
  expect(after(5, 7)).toEqual(["gap 6-6", 7]);
});

test("a history that was cleared holds what is added afterwards, and nothing else", () => {
  const history = new EventHistory(5);
  history.append([1, 2, 3].map(event));
  history.clear();
  expect([...history.after(0, 3)]).toEqual([{ kind: "gap", from: 1, to: 3 }]);
  const later = [11, 12, 13, 14, 15, 16].map(event);
  history.append(later.slice(0, 1));
  expect([...history.after(10, 11)]).toEqual(later.slice(0, 1));
  history.append(later.slice(1));
  expect([...history.after(11, 16)]).toEqual(later.slice(1));
  expect([...history.after(10, 16)]).toEqual([{ kind: "gap", from: 11, to: 11 }, ...later.slice(1)]);
});

test("a resume reads few of the events that the connection has seen, and copies none", () => {
  const history = new EventHistory(1 << 16);
  let reads = 0;
  const counted = (sequence: number) =>
    Object.defineProperty(event(0), "sequence", {
      get: () => {
        reads += 1;
        return sequence;
      },
    });
  history.append(Array.from({ length: 100_000 }, (_, at) => counted(at + 1)));
  reads = 0;
  expect([...history.after(99_990, 100_000)]).toHaveLength(10);
  expect(reads).toBeLessThan(100);
});

test("events that are overwritten while a connection reads are reported as a gap", () => {
  const history = new EventHistory(3);
  history.append([1, 2, 3].map(event));
  const reading = history.after(0, 5);
  expect(reading.next().value).toMatchObject({ sequence: 1 });
  history.append([4, 5, 6].map(event));
  expect([...reading]).toMatchObject([{ kind: "gap", from: 2, to: 3 }, { sequence: 4 }, { sequence: 5 }]);
});

test("a history equals a plain list, for any capacity and numbers", () => {
  const property = fc.property(
    fc.integer({ min: 1, max: 8 }),
    fc.integer({ min: 0, max: 20 }),
    fc.integer({ min: 0, max: 22 }),
    (capacity, count, seen) => {
      const history = new EventHistory(capacity);
      const events = Array.from({ length: count }, (_, index) => event(index + 1));
      history.append(events);
      const held = events.slice(-capacity);
      const missing = Math.max(0, Math.min(count, count - held.length) - seen);
      const gap = missing > 0 ? [{ kind: "gap" as const, from: seen + 1, to: seen + missing }] : [];
      expect([...history.after(seen, count)]).toEqual([...gap, ...held.filter(({ sequence }) => sequence > seen)]);
    },
  );
  fc.assert(property);
});
