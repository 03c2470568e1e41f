// What of an engine's messages is kept, dropped and refused, in which order they come, and which history it belongs to.

import { expect, test } from "bun:test";
import { MarketCache } from "../../../core/backend/market-cache.ts";
import { EventBuffer } from "../../../core/market/event-buffer.ts";
import { Snapshot } from "../../../core/market/snapshot.ts";
import { EngineClock } from "../../../protocol/client/engine-clock.ts";
import type { StateMessage, Welcome } from "../../../protocol/index.ts";
import { ENGINE_TIME, entity, EPOCH, event, welcome } from "../../support/scripted-engine.ts";

const MOST_AHEAD = 1_000_000;

function cacheWith(capacity = 10) {
  const [snapshot, events] = [new Snapshot(), new EventBuffer(capacity)];
  const clock = { now: Date.parse(ENGINE_TIME) };
  const cache = new MarketCache(snapshot, events, new EngineClock(() => clock.now));
  const greet = (own: Partial<Welcome> = {}) => cache.welcome(welcome({ userId: "u-1" }, own) as Welcome);
  const take = (sequence: number, type?: string, state: StateMessage | null = null) =>
    cache.event(event(sequence, type) as never, state);
  const numbers = () => events.read({ since: EPOCH, limit: 99 }).events.map(({ sequence }) => sequence - EPOCH);
  const ids = () => snapshot.find("ENTITY", { limit: 9 }).modules.map(({ id }) => id);
  return { cache, snapshot, events, clock, greet, take, numbers, ids };
}

/** A cache whose snapshot is whole, and that has the events 1 to 3. */
function filled() {
  const parts = cacheWith();
  parts.greet();
  parts.cache.snapshotEnd();
  for (const sequence of [1, 2, 3]) parts.take(sequence);
  return parts;
}

const north = entity("north") as StateMessage;
const south = entity("south") as StateMessage;

test("the modules of a snapshot are seen at its end, all at once, and later ones as they come", () => {
  const { cache, snapshot, clock, greet, ids } = cacheWith();
  greet();
  cache.state(north);
  cache.confirm();
  expect([ids(), snapshot.asOf]).toEqual([[], null]);
  cache.snapshotEnd();
  expect([ids(), snapshot.asOf]).toEqual([["north"], ENGINE_TIME]);
  clock.now += 1_000;
  cache.snapshotEnd();
  expect(snapshot.asOf).toBe(ENGINE_TIME);
  cache.confirm();
  expect(snapshot.asOf).toBe("2030-06-01T12:00:01.000Z");
  clock.now += 1_000;
  cache.state(south);
  expect([ids(), snapshot.asOf]).toEqual([["north", "south"], "2030-06-01T12:00:02.000Z"]);
  // The next snapshot replaces all; until then the old one holds.
  greet();
  cache.state(south);
  expect(ids()).toEqual(["north", "south"]);
  cache.snapshotEnd();
  expect(ids()).toEqual(["south"]);
});

test("a snapshot that breaks off is dropped, and waits end", () => {
  const { cache, events, greet, ids } = cacheWith();
  greet();
  cache.state(north);
  let woken = 0;
  events.onNext({}, () => woken += 1);
  cache.abandon();
  cache.snapshotEnd();
  expect([ids(), woken]).toEqual([[], 1]);
});

test.each<[string, Partial<Welcome>, boolean, number[], number]>([
  ["the same history", { sequence: EPOCH + 3 }, true, [1, 2, 3], 0],
  ["the same with newer events", { sequence: EPOCH + 9 }, true, [1, 2, 3], 0],
  [
    "the same with capabilities in another order",
    {
      sequence: EPOCH + 3,
      capabilities: ["Order.Submit", "Market.View"],
    },
    true,
    [1, 2, 3],
    0,
  ],
  ["another entity", { sequence: EPOCH + 3, entityId: "south" }, true, [], 0],
  ["another entity with newer events", { sequence: EPOCH + 9, entityId: "south" }, true, [], 0],
  ["no entity", { sequence: EPOCH + 3, entityId: null }, true, [], 0],
  ["other capabilities", { sequence: EPOCH + 3, capabilities: ["Market.View"] }, true, [], 0],
  ["fewer events than before", { sequence: EPOCH + 2 }, false, [], 1],
  ["another epoch", { epoch: EPOCH + 50, sequence: EPOCH + 60 }, false, [], 0],
  ["another engine with the same epoch", { engineId: "engine-2", sequence: EPOCH + 3 }, false, [], 0],
])("after a welcome of %s the engine is the one that was asked before, and events are kept, or not", (
  _which,
  own,
  isSame,
  kept,
  setbacks,
) => {
  const { cache, events, greet, numbers } = filled();
  const before = cache.history;
  expect(greet(own)).toBe(isSame);
  expect([numbers(), cache.setbacks]).toEqual([kept, setbacks]);
  if (kept.length > 0) expect(cache.history).toBe(before);
  else {
    const { engineId, epoch, userId, entityId, capabilities } = welcome({ userId: "u-1" }, own) as Welcome;
    expect(cache.history).toEqual({ engineId, epoch, userId, entityId, capabilities });
    // The same engine sends what comes after the last known event, another one what comes after its welcome.
    const { sequence = 0 } = own;
    expect(cache.resumePoint()).toEqual({ epoch, sequence: isSame ? EPOCH + 3 : sequence });
    expect(events.epoch).toBe(epoch);
  }
});

test("there is nothing to resume before the first welcome, and after it what is newest", () => {
  const { cache, greet, take } = cacheWith();
  expect([cache.resumePoint(), cache.history]).toEqual([undefined, null]);
  greet({ sequence: EPOCH + 5 });
  expect(cache.resumePoint()).toEqual({ epoch: EPOCH, sequence: EPOCH + 5 });
  take(7);
  expect(cache.resumePoint()).toEqual({ epoch: EPOCH, sequence: EPOCH + 7 });
});

test("a history that another process had is continued if the welcome names the same", () => {
  for (const entityId of ["north", "south"]) {
    const { cache, events, greet, numbers } = cacheWith();
    cache.resume({
      engineId: "engine-1",
      epoch: EPOCH,
      userId: "u-1",
      entityId,
      capabilities: ["Order.Submit", "Market.View"],
    });
    events.begin(EPOCH, EPOCH);
    events.push(event(1) as never);
    greet({ sequence: EPOCH + 4 });
    expect(numbers()).toEqual(entityId === "north" ? [1] : []);
  }
});

test("an event is taken in its order; a repeated one is right, one that is unknown or too far ahead is not", () => {
  const { take, numbers } = filled();
  expect([take(5), take(5), take(2), take(4), take(-3)]).toEqual([true, true, true, false, false]);
  expect(numbers()).toEqual([1, 2, 3, 5]);
  expect([take(6 + MOST_AHEAD), take(5 + MOST_AHEAD)]).toEqual([false, true]);
  const { greet, take: takeNext } = cacheWith();
  greet({ sequence: EPOCH + 10 });
  expect([takeNext(11 + MOST_AHEAD), takeNext(10 + MOST_AHEAD)]).toEqual([false, true]);
  // The engine sends again what came meanwhile, so its welcome counts as well.
  const again = filled();
  again.greet({ sequence: EPOCH + 9 });
  expect([again.take(10 + MOST_AHEAD), again.take(9 + MOST_AHEAD)]).toEqual([false, true]);
});

test("after another engine of the same epoch, events up to its welcome may come again and are passed over", () => {
  const { greet, take, numbers } = filled();
  greet({ engineId: "engine-2", sequence: EPOCH + 9 });
  expect([take(2), take(9), take(10)]).toEqual([true, true, true]);
  expect(numbers()).toEqual([10]);
  greet({ engineId: "engine-2", sequence: EPOCH + 10 });
  expect(take(9)).toBeFalse();
});

test("an event of a book has the book that it makes; others, and those without one, have none", () => {
  const { events, greet, take } = cacheWith();
  greet();
  const book = { statePath: "/ENGINE/e", state: { id: "e" } } as never;
  take(1, "change.book", book);
  take(2, "change.book");
  take(3, "new.order", book);
  expect(events.read({ since: EPOCH, limit: 9 }).events.map(({ book }) => book)).toEqual(
    [{ id: "e" }, null, null] as never,
  );
});

test.each([
  [4, 6, true],
  [4, 4, true],
  [7, 7, true],
  [5, 4, false],
  [4, 8, false],
])("a gap from %d to %d after a welcome at 7: %p", (from, to, isRight) => {
  const { cache, events, greet } = filled();
  greet({ sequence: EPOCH + 7 });
  expect(cache.gap(EPOCH + from, EPOCH + to)).toBe(isRight);
  expect(events.gapEvents).toBe(isRight ? (from === 7 ? 1 : to - from + 1) : 0);
});

test("what can't be read is removed from the snapshot, and its event is missed, if its number can be right", () => {
  const { cache, events, ids, numbers } = filled();
  cache.state(north);
  cache.state(south);
  cache.skip({ kind: "unreadable", fault: "misfit", statePath: "/ENTITY/north" });
  expect([ids(), events.gapEvents]).toEqual([["south"], 0]);
  for (const sequence of [2, 3, 4 + MOST_AHEAD]) {
    cache.skip({ kind: "unreadable", fault: "invalid_message", sequence: EPOCH + sequence });
  }
  expect(events.gapEvents).toBe(0);
  cache.skip({ kind: "unreadable", fault: "invalid_message", sequence: EPOCH + 4 });
  expect([events.gapEvents, numbers(), events.latestSequence]).toEqual([1, [1, 2, 3], EPOCH + 4]);
});

test.each<[string, boolean, object[]]>([
  ["known events alone", true, [event(1), event(3)]],
  ["known events with modules", true, [event(1), entity("north")]],
  ["a known and a new event", false, [event(1), event(4)]],
  ["modules alone", false, [entity("north")]],
  ["nothing", false, []],
  ["another message", false, [{ kind: "pong" }]],
  ["the end of a snapshot that has ended", true, [entity("north"), { kind: "snapshotEnd" }]],
])("a frame of %s is a repetition: %p, but not while a snapshot comes", (_what, expected, messages) => {
  const { cache, greet } = filled();
  expect(cache.isRepetition(messages as never)).toBe(expected);
  greet();
  expect(cache.isRepetition(messages as never)).toBeFalse();
});

test("for another user nothing is left", () => {
  const { cache, snapshot, events, ids } = filled();
  cache.state(north);
  cache.clear();
  expect([cache.history, ids(), snapshot.asOf, events.epoch, events.stats().totalEvents, cache.resumePoint()])
    .toEqual([null, [], null, null, 0, undefined]);
});
