// Which events and days a trail keeps: above its capacity, with a delivery and without, and after it was cut off.

import { expect, test } from "bun:test";
import { SqliteAuditStore } from "../../../engine/audit/sqlite-audit-store.ts";
import { EventMaker, ids, NOW, query } from "../../common/audit/support/events.ts";
import { atEnd } from "../../support/at-end.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const CAPACITY = 600;
const options = { now: () => NOW, capacity: CAPACITY };
const TRAILS = {
  "in memory": () => SqliteAuditStore.inMemory(options),
  "in a directory": () => SqliteAuditStore.open(temporaryDirectory(), options),
};

function newTrail(place: keyof typeof TRAILS): SqliteAuditStore {
  const store = TRAILS[place]();
  atEnd(() => store.close());
  return store;
}

test.each(
  [["in memory", null, 600], ["in memory", 0, 600], ["in directory", null, 600], ["in directory", 0, 1500], [
    "in directory",
    100,
    1400,
  ]] as const,
)("a trail %s of which %p events are delivered keeps %d of 1500", (place, delivered, kept) => {
  const store = newTrail(place === "in memory" ? place : "in a directory");
  if (delivered !== null) store.markDelivered(delivered);
  store.append(new EventMaker().many(1500));
  expect([store.size, store.lastPosition, store.delivered]).toEqual([kept, 1500, delivered]);
  expect(store.after(0, 1).map(({ id }) => Number(id.slice(-12)))).toEqual([1500 - kept + 1]);
});

test.each([["in memory"], ["in a directory"]] as const)(
  "a trail %s that was cut off before a day finds the events of that day when they come again",
  async (place) => {
    const store = newTrail(place);
    const maker = new EventMaker();
    const [first, second] = ["2026-01-12T10:00:00.000Z", "2026-01-13T10:00:00.000Z"].map((time) =>
      maker.many(3, () => ({ time }))
    );
    store.append([...first!, ...second!]);
    store.sync();
    store.truncate(3);
    // The event at position 4 is now one of the first day.
    const again = [{ ...second![0]!, time: first![0]!.time }, ...second!.slice(1)];
    store.append(again);
    store.sync();
    const of = async (day: string) => ids((await store.query(query({ from: day, to: day }))).events);
    expect(await of("2026-01-13")).toEqual(ids(again.slice(1).toReversed()));
    expect(await of("2026-01-12")).toEqual(ids([again[0], ...first!.toReversed()]));
  },
);
