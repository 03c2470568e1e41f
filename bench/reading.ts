// Reading what an engine sends: whole snapshots, from the text of their frames to the snapshot cache, and single frames. The
// peer parses the same text, and puts the orders into a Map by id, and by as many further keys as the cache was asked for.
//
// The two run in turn, and the medians of their processor times count, with the collections that they cause.
//
// Claim: 10,000 orders are read in at most 1.6 times the time of `JSON.parse` and a Map with as many indexes.

import { deepStrictEqual } from "node:assert";
import { logger } from "../common/logger.ts";
import { MarketCache } from "../core/backend/market-cache.ts";
import { EventBuffer } from "../core/market/event-buffer.ts";
import { Snapshot } from "../core/market/snapshot.ts";
import { EngineClock } from "../protocol/client/engine-clock.ts";
import { FrameReader } from "../protocol/client/frame-reader.ts";
import type { EngineMessage, StateMessage, Welcome } from "../protocol/index.ts";
import type { ModuleData } from "../protocol/modules/registry.ts";
import { SeededRandom } from "../sim/random/seeded-random.ts";
import { FEW_MATCH, isoTime, makeOrders, stateMessage } from "./market-data.ts";
import { EPOCH, makeEvent } from "./market-events.ts";
import { type Clock, measuringClock, timed } from "./stopwatch.ts";
import type { StandaloneBench } from "./suite.ts";
import { aligned, duration, grouped, threeDigits } from "./table.ts";

type Order = ModuleData<"ORDER">;

interface ReadingSizes {
  readonly orders: readonly number[];
  readonly rounds: number;
}

const SIZES: ReadingSizes = { orders: [1_000, 10_000, 100_000], rounds: 31 };

/** About as many as in a frame of an engine's snapshot. */
const MESSAGES_IN_FRAME = 130;
const LIVE_FRAMES = 500;

const WELCOME: Welcome = {
  kind: "welcome",
  engineId: "engine",
  userId: "operator",
  entityId: null,
  capabilities: [],
  epoch: EPOCH,
  sequence: EPOCH,
  time: isoTime(0),
};

type Key = readonly [keyof Order, keyof Order] | readonly [keyof Order];

/** The snapshot's indexes of orders. */
const KEYS: readonly Key[] = [
  ["entityId", "status"],
  ["status"],
  ["entityId"],
  ["engineId"],
  ["engineId", "status"],
  ["contractId"],
  ["clientOrderId"],
  ["userId"],
];

const reader = new FrameReader(logger("bench"));

export function readingTables({ orders, rounds }: ReadingSizes, clock: Clock = measuringClock()): string {
  const header = ["orders", "indexes", "mkt, for each", "JSON.parse and Map", "mkt / peer"];
  const rows = orders.flatMap((items) => [0, 1, KEYS.length].map((count) => snapshotRow(items, count, rounds, clock)));
  const frames = liveFrames();
  const live = compared(
    clock,
    rounds,
    () => frames.map((frame) => reader.read(frame)),
    () => frames.map((frame) => JSON.parse(frame) as unknown),
  );
  return [
    "### reading",
    "A snapshot of orders, from the text of its frames, and the first lists that need this many indexes.",
    aligned(header, rows),
    "A frame of an order that rests: its event, and that of its book.",
    aligned(["", "mkt", "JSON.parse", "mkt / peer"], [["a frame", ...figures(live, frames.length)]]),
  ].join("\n\n");
}

function snapshotRow(items: number, indexes: number, rounds: number, clock: Clock): string[] {
  const orders = makeOrders(items);
  const keys = KEYS.slice(0, indexes);
  const sought = orders.find((order) => order.entityId === FEW_MATCH.entityId && order.status === FEW_MATCH.status)!;
  const frames = snapshotFrames(orders);
  const medians = compared(clock, rounds, () => readSnapshot(frames, keys, sought), () => parse(frames, keys, sought));
  return [grouped(items), indexes === 0 ? "none" : String(indexes), ...figures(medians, items)];
}

function snapshotFrames(orders: readonly Order[]): string[] {
  const frames: string[] = [];
  for (let from = 0; from < orders.length; from += MESSAGES_IN_FRAME) {
    const messages = orders.slice(from, from + MESSAGES_IN_FRAME).map((order) => stateMessage("ORDER", order));
    frames.push(JSON.stringify(messages));
  }
  return frames;
}

interface Read {
  readonly count: number;
  /** For each key: orders that have the same values in it as the order sought. */
  readonly totals: readonly number[];
}

function readSnapshot(frames: readonly string[], keys: readonly Key[], sought: Order): Read {
  const snapshot = new Snapshot();
  const cache = new MarketCache(snapshot, new EventBuffer(1), new EngineClock(() => 0));
  cache.welcome(WELCOME);
  for (const frame of frames) for (const message of reader.read(frame)) cache.state(message as StateMessage);
  cache.snapshotEnd();
  const totals = keys.map((key) => {
    const equals = Object.fromEntries(key.map((name) => [name, sought[name]]));
    return snapshot.find("ORDER", { equals, limit: 1 }).total;
  });
  return { count: snapshot.count("ORDER"), totals };
}

function parse(frames: readonly string[], keys: readonly Key[], sought: Order): Read {
  const orders = new Map<string, Order>();
  for (const frame of frames) {
    for (const { state } of JSON.parse(frame) as { state: Order }[]) orders.set(state.id, state);
  }
  const totals = keys.map((key) => indexOf(orders.values(), key).get(valueOf(sought, key))?.length ?? 0);
  return { count: orders.size, totals };
}

function indexOf(orders: Iterable<Order>, key: Key): Map<string, Order[]> {
  const index = new Map<string, Order[]>();
  for (const order of orders) {
    const value = valueOf(order, key);
    const known = index.get(value);
    if (known === undefined) index.set(value, [order]);
    else known.push(order);
  }
  return index;
}

function valueOf(order: Order, [first, second]: Key): string {
  return second === undefined ? String(order[first]) : `${order[first]} ${order[second]}`;
}

/** Frames of an order that rests: the events of the order and of its book. */
function liveFrames(): string[] {
  const random = new SeededRandom(5);
  return Array.from({ length: LIVE_FRAMES }, (_, index) => {
    const messages = [makeEvent(index, "new.order", random), makeEvent(index, "change.book", random)];
    return JSON.stringify(messages satisfies EngineMessage[]);
  });
}

type Medians = readonly [mkt: number, peer: number];

/** Median nanoseconds of both, which must have the same outcome. */
function compared(clock: Clock, rounds: number, mkt: () => unknown, peer: () => unknown): Medians {
  deepStrictEqual(mkt(), peer());
  const times: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    times[0].push(timed(clock, () => mkt).nanoseconds);
    times[1].push(timed(clock, () => peer).nanoseconds);
  }
  return [median(times[0]), median(times[1])];
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[values.length >> 1]!;
}

function figures([mkt, peer]: Medians, operations: number): string[] {
  return [duration(mkt / operations), duration(peer / operations), threeDigits(mkt / peer)];
}

export default { name: "reading", tables: () => readingTables(SIZES) } satisfies StandaloneBench;
