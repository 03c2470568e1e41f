// Cases of the stream that the random test doesn't make.

import { expect, test } from "bun:test";
import { positionOf, positionText } from "../../../plugins/dashboard/stream-position.ts";
import { UpdateSource } from "../../../plugins/dashboard/update-source.ts";
import type { Update } from "../../../web/contract/update.ts";
import { LiveWorld } from "./support/live-world.ts";

const ALL = { watched: [], events: "all" } as const;

function connectedWorld(): LiveWorld {
  const world = new LiveWorld();
  world.connect("alice");
  return world;
}

function next(source: UpdateSource, now = 0): Update {
  const update = source.next(now);
  if (update === null) throw new Error("there is no update");
  return JSON.parse(update.text) as Update;
}

/** The update that a stream begins with after this position. */
function first(world: LiveWorld, since: string | null): Update {
  return next(new UpdateSource(world.live, ALL, positionOf(since)));
}

test("without a change there is no update, but one each second with the market time", () => {
  const source = new UpdateSource(connectedWorld().live, ALL, null);
  expect(next(source).isWhole).toBe(true);
  expect(source.next(999)).toBeNull();
  const update = next(source, 1_000);
  expect(update.connection?.status).toBe("connected");
  expect([update.events, update.contracts, update.markets, update.frozen]).toEqual([[], [], undefined, undefined]);
});

test("the kill switch is read four times a second for all pages, and a freeze and its end come with the next read", () => {
  const world = connectedWorld();
  const { live } = world;
  const isShown = (now: number) => live.frozenText(now) !== "null";
  expect(isShown(0)).toBe(false);
  world.isFrozen = true;
  expect([249, 250].map(isShown)).toEqual([false, true]);
  world.isFrozen = false;
  expect([499, 500].map(isShown)).toEqual([true, false]);
});

test("a position after the newest event belongs to another history", () => {
  const world = connectedWorld();
  world.order(0);
  const { epoch, sequence } = first(world, null);
  const { continues, isWhole, events } = first(world, `${epoch}.${sequence + 1}`);
  expect([continues, isWhole, events.length]).toEqual([false, true, 1]);
});

test("a position without rows, as after a restart, gets the whole state, and the events go on", () => {
  const world = connectedWorld();
  const { epoch, sequence } = first(world, null);
  world.trade(0);
  const update = first(world, `${epoch}.${sequence}`);
  expect([update.continues, update.isWhole, update.contracts.length]).toEqual([true, true, 3]);
  expect(update.events.map(({ sequence }) => sequence)).toEqual([sequence + 1]);
});

test("a position with rows gets what has changed since", () => {
  const world = connectedWorld();
  const { position } = first(world, null);
  world.trade(1);
  const update = first(world, position);
  expect([update.continues, update.isWhole]).toEqual([true, false]);
  expect(update.contracts.map(({ contractId }) => contractId)).toEqual(["c1"]);
});

test("the page of another user begins anew, also if no event is lost", () => {
  const world = connectedWorld();
  const { position } = first(world, null);
  world.leave();
  world.connect("bob");
  const update = first(world, position);
  expect([update.continues, update.isWhole, update.missed]).toEqual([false, true, 0]);
  expect(update.contracts.every(({ productName }) => productName.endsWith(" of bob"))).toBe(true);
});

test("without an acting user nothing of the market is sent, and the page keeps its position", () => {
  const world = connectedWorld();
  const { position } = first(world, null);
  world.leave();
  const update = first(world, position);
  expect(update).toMatchObject({ position, continues: true, isWhole: false, contracts: [], events: [] });
  expect(update.connection).toMatchObject({ status: "disconnected", stale: true });
  expect("markets" in update || "creditRevision" in update).toBe(false);
});

test("a freeze and a thaw are sent", () => {
  const world = connectedWorld();
  const source = new UpdateSource(world.live, ALL, null);
  expect(next(source, 0).frozen).toBeNull();
  world.isFrozen = true;
  expect(next(source, 500).frozen).toEqual({ reason: "test", since: null });
  world.isFrozen = false;
  expect(next(source, 900).frozen).toBeNull();
});

test("pages that watch different contracts each get their own events", () => {
  const world = connectedWorld();
  const watching = (id: string) => new UpdateSource(world.live, { watched: [id], events: "watched" }, null);
  const pages = [watching("c0"), watching("c1")] as const;
  for (const page of pages) next(page);
  world.halt();
  world.order(0);
  world.order(1);
  world.halt();
  const contractsTold = pages.map((page) => next(page).events.map(({ data }) => data["contractId"]));
  expect(contractsTold).toEqual([[undefined, "c0", undefined], [undefined, "c1", undefined]]);
});

test("what is no position begins anew", () => {
  const position = { epoch: 17, sequence: 18, rows: { user: "u1", state: "s2", version: 3 } };
  expect(positionOf(positionText(position))).toEqual(position);
  expect(positionOf("17.18")).toEqual({ epoch: 17, sequence: 18, rows: null });
  for (const text of ["", "17", "17.", "a.b", "17.18.u", "17.18.u.s", "17.18.u.s.x", `17.18.${"u".repeat(300)}.s.1`]) {
    expect(positionOf(text)).toBeNull();
  }
});
