import { describe, expect, test } from "bun:test";
import type { FeedEvent, Update } from "../../web/contract/update.ts";
import { backoffMs } from "../../web/dashboard/live/backoff.ts";
import { EventRing } from "../../web/dashboard/live/event-ring.ts";
import { StreamLedger } from "../../web/dashboard/live/stream-ledger.ts";

const event = (sequence: number): FeedEvent => ({ sequence, category: "order", type: "new.order", time: "", data: {} });
const events = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => event(from + index));

function update(given: Partial<Update>): Update {
  const sequence = given.events?.at(-1)?.sequence ?? 0;
  return {
    sequence,
    position: `${given.epoch ?? 7}.${sequence}`,
    epoch: 7,
    isWhole: false,
    continues: true,
    missed: 0,
    events: [],
    contracts: [],
    unlisted: [],
    books: [],
    ...given,
  };
}

const numbers = (list: Iterable<FeedEvent>) => [...list].map(({ sequence }) => sequence);

describe("the ring of events", () => {
  test("keeps the newest events and yields the newest first", () => {
    const ring = new EventRing(4);
    ring.add(events(1, 3));
    expect(numbers(ring)).toEqual([3, 2, 1]);
    ring.add(events(4, 6));
    expect([ring.length, ...numbers(ring)]).toEqual([4, 6, 5, 4, 3]);
  });

  test("keeps the last ones of an addition that is larger than itself", () => {
    const ring = new EventRing(3);
    ring.add(events(1, 1_000));
    expect(numbers(ring)).toEqual([1_000, 999, 998]);
  });

  test("gives at most as many as asked for, of those that match", () => {
    const ring = new EventRing(100);
    ring.add(events(1, 50));
    expect(numbers(ring.newest(3, ({ sequence }) => sequence % 10 === 0))).toEqual([50, 40, 30]);
  });

  test("is empty after it was cleared, and can be used again", () => {
    const ring = new EventRing(2);
    ring.add(events(1, 5));
    ring.clear();
    expect(numbers(ring)).toEqual([]);
    ring.add([event(9)]);
    expect(numbers(ring)).toEqual([9]);
  });
});

describe("the bookkeeping of the stream", () => {
  test("has no position before the first update", () => {
    expect(new StreamLedger().position).toBeNull();
  });

  test("goes on after the last update", () => {
    const ledger = new StreamLedger();
    ledger.accept(update({ isWhole: true, events: events(11, 20) }));
    ledger.accept(update({ events: events(21, 23) }));
    expect([ledger.position, ledger.received]).toEqual(["7.23", 13]);
  });

  test("drops events that have come before, and counts them", () => {
    const ledger = new StreamLedger();
    ledger.accept(update({ isWhole: true, events: events(1, 10) }));
    const accepted = ledger.accept(update({ isWhole: true, events: events(6, 12) }));
    expect(numbers(accepted.events)).toEqual([11, 12]);
    expect([ledger.received, ledger.duplicates]).toEqual([12, 5]);
  });

  test("counts what the server no longer had, but not what was before the first state", () => {
    const ledger = new StreamLedger();
    ledger.accept(update({ isWhole: true, missed: 500, events: events(501, 510) }));
    ledger.accept(update({ missed: 90, events: events(601, 610) }));
    ledger.accept(update({ missed: null, events: events(700, 700) }));
    expect([ledger.missed, ledger.unknownGaps]).toEqual([90, 1]);
  });

  test("takes lower numbers of another epoch as new", () => {
    const ledger = new StreamLedger();
    ledger.accept(update({ isWhole: true, events: events(100, 110) }));
    const accepted = ledger.accept(
      update({ epoch: 8, isWhole: true, continues: false, missed: null, events: events(1, 3) }),
    );
    expect(numbers(accepted.events)).toEqual([1, 2, 3]);
    expect([ledger.position, ledger.unknownGaps]).toEqual(["8.3", 0]);
  });

  test("never goes back within an epoch", () => {
    const ledger = new StreamLedger();
    ledger.accept(update({ isWhole: true, sequence: 50, events: events(41, 50) }));
    ledger.accept(update({ sequence: 45, events: [] }));
    expect(ledger.sequence).toBe(50);
  });
});

describe("the wait before the next try", () => {
  test("doubles up to 15 seconds, and is shortened by at most half", () => {
    expect([1, 2, 3, 20].map((attempt) => backoffMs(attempt, () => 0))).toEqual([500, 1_000, 2_000, 15_000]);
    expect(backoffMs(3, () => 1)).toBe(1_000);
  });
});
