// Calls of monitor tools that wait for the next event, with a real engine.

import { describe, expect, test } from "bun:test";
import { resultOf } from "../core/support/results.ts";
import { until } from "../support/until.ts";
import { column, Desk, number, type Seat, type Value } from "./support/desk.ts";
import { BASE, PEAK } from "./support/market.ts";

const desk = await Desk.open();
const alice = await desk.connected("alice");
const bob = await desk.connected("bob");

/** Begins a call, and returns once it waits. `answer` is its result. */
async function waiting(seat: Seat, tool: string, input: Record<string, unknown>, signal?: AbortSignal) {
  const { dispatcher } = seat.runtime;
  const before = dispatcher.waiting;
  const scope = { signal: signal ?? new AbortController().signal };
  const answer = resultOf(dispatcher.call(tool, { waitSeconds: 30, ...input }, scope)).then((result) => {
    const [content] = result?.content ?? [];
    if (content?.type !== "text") throw new Error("no text");
    return JSON.parse(content.text) as Value;
  });
  await until(() => dispatcher.waiting > before, "the call to wait");
  return { answer };
}

/** The sequence number of the newest event. */
const latest = async (seat: Seat) => number(await seat.ok("mkt_get_recent_events", { limit: 1 }), "latestSequence");

describe("a call with waitSeconds", () => {
  test("is answered by the next matching event, with all events of its frame that match", async () => {
    const since = await latest(bob);
    const ofPeak = await waiting(bob, "mkt_get_recent_events", { contractId: PEAK, since });
    const withoutSince = await waiting(bob, "mkt_watch_orders", { contractId: PEAK });
    const ofBase = await waiting(bob, "mkt_watch_book", { contractId: BASE, since });
    await alice.buy(PEAK, 100, 5);
    const answer = await ofPeak.answer;
    expect(answer).toMatchObject({ waited: true, hasMore: false, missed: 0 });
    expect(column(answer, "events", "type")).toEqual(["new.order", "change.book"]);
    expect(answer["latestSequence"]).toBe(column(answer, "events", "sequence").at(-1) as number);
    expect(column(await withoutSince.answer, "events", "type")).toEqual(["new.order"]);
    expect(bob.runtime.dispatcher.waiting).toBe(1);
    await alice.buy(BASE, 100, 5);
    expect(column(await ofBase.answer, "events", "type")).toEqual(["change.book"]);
  });

  test("is answered at once if there are events after since, and doesn't say that it waited", async () => {
    const since = await latest(bob);
    await alice.buy(PEAK, 110, 5);
    await until(async () => await latest(bob) > since);
    const answer = await bob.ok("mkt_watch_orders", { since, waitSeconds: 30 });
    expect(answer).toMatchObject({ count: 1 });
    expect(answer).not.toHaveProperty("waited");
  });

  test("is answered at once, with the true number, if since is beyond the newest event", async () => {
    const newest = await latest(bob);
    const answer = await bob.ok("mkt_watch_orders", { since: newest + 1_000, waitSeconds: 30 });
    expect(answer).toMatchObject({ count: 0, missed: null, latestSequence: newest });
    expect(answer).not.toHaveProperty("waited");
  });

  test("is empty and complete when its time is up", async () => {
    const since = await latest(bob);
    const empty = { count: 0, events: [], missed: 0, hasMore: false, latestSequence: since, waited: true };
    expect(await bob.ok("mkt_watch_market", { since, waitSeconds: 1 })).toMatchObject(empty);
    expect(await bob.ok("mkt_watch_market", { since, waitSeconds: 0 })).not.toHaveProperty("waited");
    expect(bob.runtime.dispatcher.waiting).toBe(0);
  });

  test("ends when the client cancels", async () => {
    const cancelled = new AbortController();
    const { answer } = await waiting(bob, "mkt_watch_market", {}, cancelled.signal);
    cancelled.abort();
    await answer;
    expect(bob.runtime.dispatcher.waiting).toBe(0);
  });

  test("is answered when the process begins to shut down; later calls don't wait", async () => {
    const seat = await desk.connected("bob");
    const { answer } = await waiting(seat, "mkt_watch_market", {});
    seat.runtime.dispatcher.refuseChanges();
    expect(await answer).toMatchObject({ count: 0, waited: true, missed: 0 });
    expect(await seat.ok("mkt_watch_market", { waitSeconds: 30 })).toMatchObject({ count: 0, waited: false });
  });

  test("fails with not_connected if the user disconnects", async () => {
    const seat = await desk.connected("bob");
    const { answer } = await waiting(seat, "mkt_watch_market", {});
    await seat.ok("mkt_disconnect_pubsub");
    expect(await answer).toMatchObject({ error: { code: "not_connected" } });
  });

  test("gives a stale answer if the connection is lost, and then doesn't wait until it is back", async () => {
    const other = await Desk.open();
    const seat = await other.connected("bob");
    const { answer } = await waiting(seat, "mkt_watch_market", {});
    await other.engine.stop();
    expect(await answer).toMatchObject({ count: 0, stale: true, waited: true });
    expect(await seat.ok("mkt_watch_market", { waitSeconds: 30 })).toMatchObject({ stale: true, waited: false });
  });
});
