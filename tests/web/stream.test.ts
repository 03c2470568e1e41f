import { describe, expect, test } from "bun:test";
import type { FeedEvent } from "../../web/contract/update.ts";
import { backoffMs } from "../../web/dashboard/live/backoff.ts";
import { Ring } from "../../web/dashboard/live/ring.ts";
import { StreamLedger } from "../../web/dashboard/live/stream-ledger.ts";
import { update } from "./updates.ts";

const event = (sequence: number): FeedEvent => ({ sequence, category: "order", type: "new.order", time: "", data: {} });
const events = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => event(from + index));

const numbers = (list: Iterable<FeedEvent>) => [...list].map(({ sequence }) => sequence);

describe("the ring of events", () => {
  const ringOf = (capacity: number, added: readonly FeedEvent[]) => {
    const ring = new Ring<FeedEvent>(capacity);
    for (const event of added) ring.add(event);
    return ring;
  };

  test("keeps the newest events", () => {
    const ring = ringOf(4, events(1, 3));
    expect(numbers(ring.oldestFirst())).toEqual([1, 2, 3]);
    for (const event of events(4, 6)) ring.add(event);
    expect([ring.length, ...numbers(ring.oldestFirst())]).toEqual([4, 3, 4, 5, 6]);
    expect(numbers(ringOf(3, events(1, 1_000)).oldestFirst())).toEqual([998, 999, 1_000]);
  });

  test("has the newest at place 0, and nothing before it or after the oldest one", () => {
    const ring = ringOf(3, events(1, 5));
    expect([-1, 0, 1, 2, 3].map((place) => ring.at(place)?.sequence ?? null)).toEqual([null, 5, 4, 3, null]);
    expect([ring.add(event(6))?.sequence, ring.copy().at(0)?.sequence, ringOf(3, []).at(0)]).toEqual([3, 6, undefined]);
  });

  test("is empty after it was cleared, and can be used again", () => {
    const ring = ringOf(2, events(1, 5));
    ring.clear();
    expect(numbers(ring.oldestFirst())).toEqual([]);
    ring.add(event(9));
    expect(numbers(ring.oldestFirst())).toEqual([9]);
  });
});

describe("the bookkeeping of the stream", () => {
  /** After a whole state with these events. */
  const ledgerAfter = (from: number, to: number, more: Parameters<typeof update>[0] = {}) => {
    const ledger = new StreamLedger();
    ledger.accept(update({ isWhole: true, events: events(from, to), ...more }));
    return ledger;
  };

  test("has no position before the first update, and goes on after the last one", () => {
    expect(new StreamLedger().position).toBeNull();
    const ledger = ledgerAfter(11, 20);
    ledger.accept(update({ events: events(21, 23) }));
    expect([ledger.position, ledger.received]).toEqual(["7.23", 13]);
  });

  test("drops events that have come before, and counts them", () => {
    const ledger = ledgerAfter(1, 10);
    const accepted = ledger.accept(update({ isWhole: true, events: events(6, 12) }));
    expect(numbers(accepted.events)).toEqual([11, 12]);
    expect([ledger.received, ledger.duplicates]).toEqual([12, 5]);
  });

  test("counts what the server no longer had, but not what was before the first state", () => {
    const ledger = ledgerAfter(501, 510, { missed: 500 });
    ledger.accept(update({ missed: 90, events: events(601, 610) }));
    ledger.accept(update({ missed: null, events: events(700, 700) }));
    expect([ledger.missed, ledger.gaps]).toEqual([90, 1]);
  });

  test("takes lower numbers of another epoch as new", () => {
    const ledger = ledgerAfter(100, 110);
    const anew = { epoch: 8, isWhole: true, continues: false, missed: null };
    expect(numbers(ledger.accept(update({ ...anew, events: events(1, 3) })).events)).toEqual([1, 2, 3]);
    expect([ledger.position, ledger.gaps]).toEqual(["8.3", 0]);
  });

  test("counts the whole states, and a beginning anew within the same epoch as a gap", () => {
    const ledger = ledgerAfter(1, 5);
    ledger.accept(update({ isWhole: true, events: events(6, 7) }));
    expect([ledger.wholes, ledger.gaps, ledger.epoch, ledger.sequence]).toEqual([2, 0, 7, 7]);
    ledger.accept(update({ isWhole: true, continues: false, events: events(2, 3) }));
    expect([ledger.wholes, ledger.gaps, ledger.epoch, ledger.sequence, ledger.missed]).toEqual([3, 1, 7, 3, 0]);
    ledger.accept(update({ isWhole: true, continues: false, epoch: null, events: [] }));
    ledger.accept(update({ isWhole: true, continues: false, epoch: null, events: [] }));
    expect([ledger.wholes, ledger.gaps, ledger.epoch, ledger.duplicates]).toEqual([5, 1, null, 0]);
  });

  test("gives the update with all else as it came", () => {
    const given = update({ contracts: [], missed: 3, events: events(1, 2), creditRevision: 4 });
    expect(new StreamLedger().accept(given)).toEqual(given);
  });

  test("never goes back within an epoch", () => {
    const ledger = ledgerAfter(41, 50, { sequence: 50 });
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
