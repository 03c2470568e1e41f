// What the control API makes of a request, and what it tells: settings, spot prices, metrics. And which frames concern a
// persona, and in which order personas act in lockstep.

import { describe, expect, test } from "bun:test";
import { isoTime } from "../../../common/iso-time.ts";
import { DEFAULT_PRESET, type SimulationStatus, type StartSimulationRequest } from "../../../protocol/index.ts";
import { LockstepTurns } from "../../../sim/live/lockstep-turns.ts";
import { clockUser, type MarketFacts, publishingUser, watchingUser } from "../../../sim/live/market-facts.ts";
import { personaFrames } from "../../../sim/live/persona-frames.ts";
import { differenceFrom, randomSeed, settingsOf } from "../../../sim/live/run-settings.ts";
import { addSimulatorMetrics } from "../../../sim/live/simulator-metrics.ts";
import { spotReport } from "../../../sim/live/spot-report.ts";
import type { SpotPoint } from "../../../sim/spot/spot-prices.ts";

const HOUR = 3_600_000;
const NOON = Date.parse("2026-03-02T12:00:00Z");

describe("the settings of a run", () => {
  test("are those of the request, and the defaults of the rest, with a seed of its own for each run", () => {
    expect(settingsOf({})).toEqual({ preset: DEFAULT_PRESET, personas: null, seed: expect.any(Number), speed: null });
    const request = { preset: "thin", personas: [{ strategy: "zic", count: 1 }], seed: 0, speed: 2 } as const;
    expect(settingsOf(request as never)).toEqual(request as never);
    for (const seedOf of [randomSeed, () => settingsOf({}).seed]) {
      expect(new Set(Array.from({ length: 20 }, seedOf)).size).toBeGreaterThan(18);
    }
  });

  const settings = { ...settingsOf({ preset: "thin", seed: 3, personas: [{ strategy: "zic", count: 1 }] }), speed: 5 };
  test.each<[string | null, StartSimulationRequest]>([
    [null, {}],
    [null, { preset: "thin", seed: 3, speed: 5, personas: [{ strategy: "zic", count: 1 }] }],
    ["preset", { preset: "calm", seed: 4 }],
    ["personas", { personas: [{ strategy: "zic", count: 2 }], seed: 4 }],
    ["seed", { preset: "thin", seed: 4, speed: 6 }],
    ["speed", { preset: "thin", speed: 6 }],
  ])("differ from a request in %s, if it asks for something else", (expected, request) => {
    expect(differenceFrom(settings, request)).toBe(expected as never);
  });
});

describe("the users of a run", () => {
  const facts = (...users: [string, ...string[]][]): MarketFacts => ({
    markets: [],
    products: [],
    entities: [],
    users: users.map(([id, ...permissions]) => ({ id, entityId: null, permissions })),
  });

  test.each<[string, [string, ...string[]][], [string | null, string | null, string | null]]>([
    ["nobody may do anything", [["a"]], [null, null, null]],
    ["an operator sets the clock if nobody publishes", [["a", "Market.View"], ["b", "Market.Operate"]], [
      "a",
      null,
      "b",
    ]],
    [
      "who publishes sets the clock and watches",
      [["a", "Market.Operate", "Market.View"], ["b", "Spot.Publish"], ["c", "Spot.Publish", "Market.View"]],
      ["c", "c", "c"],
    ],
    ["who publishes may be blind", [["a", "Market.View"], ["b", "Spot.Publish"]], ["a", "b", "b"]],
    ["an operator watches if nobody else may", [["a", "Market.Operate", "Market.View"]], ["a", null, "a"]],
  ])("%s", (_what, users, expected) => {
    const market = facts(...users);
    expect([watchingUser(market), publishingUser(market), clockUser(market)]).toEqual(expected);
  });
});

test("spot prices are told of the shown nodes, without the hours that were over before anybody was told", () => {
  const point = (node: string, time: number, priceCents: number): SpotPoint => (
    { node, time, priceCents, regime: "base", congested: false } as SpotPoint
  );
  const hours = [-2, -1, 0].map((hour) => NOON + hour * HOUR);
  const event = { id: "e", type: "heat_wave", node: null, size: 2, startTime: NOON - HOUR, endTime: NOON + HOUR };
  const prices = {
    nodes: ["NORTH", "WEST"],
    history: (count: number) =>
      hours.slice(-count).flatMap((time, at) => [point("NORTH", time, 100 + at), point("WEST", time, 200 + at)]),
    current: (node: string) => ({
      ...point(node, NOON + HOUR / 2, node === "NORTH" ? 150 : 250),
      congested: node === "NORTH",
    }),
    activeEvents: [{ ...event, durationHours: 2, remaining: 0.5 }],
  };
  const told = (from: number, shown = ["NORTH", "WEST"]) =>
    spotReport("running", prices as never, shown, 3, from).nodes.map(({ history }) =>
      history.map(({ price }) => price)
    );
  expect(told(-Infinity)).toEqual([[100, 101, 102], [200, 201, 202]]);
  expect(told(NOON - 1)).toEqual([[101, 102], [201, 202]]);
  expect(told(NOON)).toEqual([[102], [202]]);
  expect(told(-Infinity, ["WEST"])).toEqual([[200, 201, 202]]);
  expect(spotReport("stopped", prices as never, ["WEST"], 1)).toEqual({
    status: "stopped",
    congested: true,
    nodes: [{
      node: "WEST",
      price: 250,
      regime: "base",
      time: isoTime(NOON + HOUR / 2),
      history: [{ time: isoTime(NOON), price: 200, regime: "base" }],
    }],
    events: [{
      id: "e",
      type: "heat_wave",
      node: null,
      size: 2,
      startedAt: isoTime(NOON - HOUR),
      endsAt: isoTime(NOON + HOUR),
      remaining: 0.5,
    }],
  });
});

test("a scrape reads the status of a simulation once, and tells each figure under its own name", async () => {
  const reads = new Map<string, () => number>();
  const note = (name: string, _help: string, read: () => number) => void reads.set(name, read);
  let statuses = 0;
  const status: { status: SimulationStatus["status"]; failure: string | null; totals: Record<string, number> } = {
    status: "running",
    failure: null,
    totals: { personas: 1, connected: 2, orders: 3, rejected: 4, trades: 5 },
  };
  addSimulatorMetrics({ gauge: note, counter: note } as never, { status: () => (statuses++, status as never) });
  const scrape = () =>
    Object.fromEntries([...reads].map(([name, read]) => [name.replace("mkt_simulation_", ""), read()]));
  const counts = { personas: 1, connected_personas: 2, orders_total: 3, rejected_requests_total: 4, trades_total: 5 };
  expect(scrape()).toEqual({ running: 1, failed: 0, ...counts });
  expect(statuses).toBe(1);
  await Promise.resolve();
  Object.assign(status, { status: "stopping", failure: "it failed" });
  expect(scrape()).toEqual({ running: 0, failed: 1, ...counts });
  expect(statuses).toBe(2);
});

test("a persona reads the frames about itself and those for everybody, and skips what is about others", () => {
  const read: string[] = [];
  const frames = personaFrames({ read: (frame) => (read.push(String(frame)), []) }, "sim-1-zip-1-");
  const long = "x".repeat(2_000);
  const own = [
    '{"kind":"event","data":{"clientOrderId":"sim-1-zip-1-7"}}',
    `{"kind":"response","requestId":"sim-1-zip-1-c1","${long}":1}`,
  ];
  const everybody = ['{"kind":"welcome"}', '{"kind":"pong"}', `[{"${long}":1},{"kind":"snapshotEnd"}]`];
  const others = [
    '{"kind":"event","data":{"clientOrderId":"sim-1-zip-2-7"}}',
    '{"kind":"response","requestId":"sim-1-zip-2-c1"}',
    `{"kind":"event","${long}":"pong"}`,
  ];
  for (const frame of [...others, ...own, ...everybody]) frames.read(frame as never);
  expect(read).toEqual([...own, ...everybody]);
});

test("in lockstep the next one acts once all are answered and have read all that this has changed", async () => {
  const calls: string[] = [];
  const feed = { changes: 0 };
  const reader = (name: string, then: () => void = () => {}) => ({
    caughtUp: () => (calls.push(`${name} reads`), then(), Promise.resolve()),
    answered: () => (calls.push(`${name} answered`), Promise.resolve()),
  });
  let more = 0;
  const watcher = reader("watcher", () => more-- > 0 && (feed.changes += 1));
  const turns = new LockstepTurns(feed, [reader("a"), reader("b")], [reader("publisher"), watcher]);
  const round = ["a answered", "b answered", "publisher reads", "watcher reads"];
  await turns.next();
  expect(calls.splice(0)).toEqual([...round, "a reads", "b reads"]);
  // Nothing has changed since they have read.
  await turns.next();
  expect(calls.splice(0)).toEqual(round);
  more = 2;
  await turns.next();
  expect(calls.splice(0)).toEqual([...round, ...round, ...round, "a reads", "b reads"]);
});
