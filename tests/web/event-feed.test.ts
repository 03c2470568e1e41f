import { describe, expect, test } from "bun:test";
import type { FeedEvent } from "../../web/contract/update.ts";
import { type Category, EventFeed, isGap } from "../../web/dashboard/live/event-feed.ts";

const ON = { missed: 0, continues: true };

function event(sequence: number, category: Category = "order", data: FeedEvent["data"] = {}): FeedEvent {
  return { sequence, category, type: `new.${category}`, time: "2026-07-01T00:00:00.000Z", data };
}

function events(from: number, to: number, category?: Category): FeedEvent[] {
  return Array.from({ length: to - from + 1 }, (_, index) => event(from + index, category));
}

/** Newest first; a gap is its size. */
function shown(feed: EventFeed): (number | string)[] {
  return Array.from({ length: feed.length }, (_, index) => feed.at(index)!)
    .map((entry) => isGap(entry) ? `gap ${entry.missed}` : entry.sequence);
}

function feedOf(maxKept: number, maxShown: number, entries: readonly FeedEvent[] = []): EventFeed {
  const feed = new EventFeed(maxKept, maxShown, (id) => id === "E1" ? "Prairie Wind Park" : "");
  feed.add(entries, ON);
  return feed;
}

describe("the events shown", () => {
  test("are the newest ones, newest first, over many rounds of the ring", () => {
    expect(shown(feedOf(10, 3, events(1, 5)))).toEqual([5, 4, 3]);
    const feed = feedOf(7, 5);
    for (let at = 1; at <= 100; at += 3) feed.add(events(at, at + 2), ON);
    expect(shown(feed)).toEqual([102, 101, 100, 99, 98]);
    expect(feed.received).toBe(102);
  });

  test("leave out hidden categories, of old and of new events", () => {
    const feed = feedOf(10, 10, [event(1), event(2, "fill"), event(3)]);
    feed.setFilter({ hidden: new Set(["order"]), text: "" });
    feed.add([event(4), event(5, "market")], ON);
    expect(shown(feed)).toEqual([5, 2]);
    feed.setFilter({ hidden: new Set(), text: "" });
    expect(shown(feed)).toEqual([5, 4, 3, 2, 1]);
  });

  test("have all words of the search in their type, ids, numbers or entity names, in any case", () => {
    const feed = feedOf(10, 10, [
      event(1, "order", { id: "ORD-7", entityId: "E1" }),
      event(2, "fill", { orderId: "ORD-7", entityId: "E2" }),
      event(3, "order", { id: "ORD-8", entityId: "E2", price: 4711 }),
    ]);
    const found = (text: string) => {
      feed.setFilter({ hidden: new Set(), text });
      return shown(feed);
    };
    expect(found("ord-7")).toEqual([2, 1]);
    expect(found("ORD-7 new.fill")).toEqual([2]);
    expect(found("  prairie wind ")).toEqual([1]);
    expect(found("4711")).toEqual([3]);
    expect(found("nobody")).toEqual([]);
  });
});

describe("a pause", () => {
  test("holds what is shown and counts what arrives; going on shows it without a gap", () => {
    const feed = feedOf(10, 5, events(1, 3));
    feed.pause();
    feed.add(events(4, 6), ON);
    expect(shown(feed)).toEqual([3, 2, 1]);
    expect([feed.arrived, feed.counts.order]).toEqual([3, 3]);
    expect(feed.resume()).toBe(0);
    expect(shown(feed)).toEqual([6, 5, 4, 3, 2]);
    expect([feed.arrived, feed.counts.order, feed.isPaused]).toEqual([0, 6, false]);
  });

  test("keeps its events for another filter, even if newer ones have taken their place", () => {
    const feed = feedOf(4, 4, [event(1), event(2, "fill")]);
    feed.pause();
    feed.add(events(3, 20), ON);
    feed.setFilter({ hidden: new Set(["order"]), text: "" });
    expect(shown(feed)).toEqual([2]);
  });

  test("that is asked for twice holds what the first one held, and says at its end how many events are gone", () => {
    const feed = feedOf(4, 4, events(1, 2));
    feed.pause();
    feed.add(events(3, 3), ON);
    feed.pause();
    expect([shown(feed), feed.arrived]).toEqual([[2, 1], 1]);
    feed.add(events(4, 12), ON);
    expect(feed.resume()).toBe(6);
    expect(shown(feed)).toEqual([12, 11, 10, 9]);
  });
});

describe("missing events", () => {
  test("have a gap in their place, with their number, but none before the first ones", () => {
    const later = feedOf(10, 10);
    later.add(events(8, 9), { missed: 7, continues: false });
    expect(shown(later)).toEqual([9, 8]);
    const feed = feedOf(10, 10, events(1, 2));
    feed.add(events(8, 9), { missed: 5, continues: true });
    expect(shown(feed)).toEqual([9, 8, "gap 5", 2, 1]);
  });

  test("of an unknown number have a gap, which every filter shows", () => {
    const feed = feedOf(10, 10, events(1, 2));
    feed.add(events(8, 8), { missed: null, continues: true });
    feed.setFilter({ hidden: new Set(), text: "nothing has this" });
    expect(shown(feed)).toEqual(["gap null"]);
  });

  test("because the events begin anew: the older ones are forgotten, but a paused view stays", () => {
    const feed = feedOf(10, 10, events(1, 2));
    feed.pause();
    feed.add(events(1, 1, "fill"), { missed: 0, continues: false });
    expect(shown(feed)).toEqual([2, 1]);
    feed.resume();
    expect(shown(feed)).toEqual([1, "gap null"]);
    expect([feed.counts.order, feed.counts.fill]).toEqual([0, 1]);
  });
});

test("the counts are those of the kept events", () => {
  const feed = feedOf(4, 1, [event(1), event(2, "fill"), event(3), event(4), event(5, "market")]);
  expect(feed.counts).toMatchObject({ order: 2, fill: 1, market: 1, credit: 0 });
});
