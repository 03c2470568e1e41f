// The time limits of a simulator: how long a start, a stop, a search and a move of the clock may take, and what they leave.

import { expect, jest, test } from "bun:test";
import { builtInMarket } from "../../../engine/definition/built-in-market.ts";
import { FollowedClock } from "../../../sim/live/followed-clock.ts";
import { LiveRun } from "../../../sim/live/live-run.ts";
import * as remainingOrders from "../../../sim/live/remaining-orders.ts";
import { Simulator } from "../../../sim/live/simulator.ts";
import { atEnd } from "../../support/at-end.ts";
import { replaced } from "../../support/replaced.ts";
import { accessTo } from "./support.ts";

const NOON = Date.parse("2026-03-02T12:00:00Z");
const REQUEST = { preset: "thin", seed: 7, personas: [{ strategy: "zic", count: 1 }] };

function simulator(watchers = ["simulator"]) {
  const market = builtInMarket();
  const users = market.users.map((user) => ({
    ...user,
    permissions: watchers.includes(user.id)
      ? user.permissions
      : user.permissions.filter((name) => name === "Order.Submit"),
  }));
  const clock = { now: NOON, setting: { mode: "fast", speed: 5 } };
  const starts = replaced(LiveRun.prototype, "start", () => Promise.resolve());
  const stops = replaced(
    LiveRun.prototype,
    "stop",
    () => Promise.resolve({ ordersCancelled: 0, personasDisconnected: 0 }),
  );
  const searches = replaced(remainingOrders, "cancelRemainingOrders", () => Promise.resolve(0));
  const marketTime = { time: () => clock.now, setting: clock.setting as never };
  const engine = { ...accessTo("ws://127.0.0.1:1/ws"), marketTime };
  const made = new Simulator({ engine, facts: () => ({ ...market, users }), isNewMarket: true });
  atEnd(() => made.close());
  return { made, starts, stops, searches, clock };
}

/** What a getter tells instead, until the test ends. */
function getter(of: object, name: string, get: () => unknown): void {
  const own = Object.getOwnPropertyDescriptor(of, name)!;
  Object.defineProperty(of, name, { configurable: true, get });
  atEnd(() => void Object.defineProperty(of, name, own));
}

test("a start, a stop and the search after it each have a limit of their own, and one watcher and prefix", async () => {
  const { made, starts, stops, searches } = simulator();
  for (let run = 1; run <= 2; run++) {
    await made.start(structuredClone(REQUEST) as never);
    await made.stop();
    expect([starts.at(-1), stops.at(-1)]).toEqual([[10_000], [3_000]]);
    expect(searches.at(-1)).toEqual([expect.objectContaining({ watcher: "simulator" }), 8_000]);
  }
  const prefixes = searches.map(([{ idPrefix }]) => idPrefix);
  // One for all runs, so that orders of an earlier run are found too.
  expect(prefixes).toEqual([prefixes[0]!, prefixes[0]!]);
  expect(prefixes[0]).toMatch(/^sim-[0-9a-f]{8}\.$/);
  const other = simulator();
  await other.made.start(structuredClone(REQUEST) as never);
  await other.made.stop();
  expect(other.searches.at(-1)![0].idPrefix).not.toBe(prefixes[0]!);
});

test("a run that has ended tells the speed that it had, and a simulator without a run the present one", async () => {
  const { made, clock } = simulator();
  expect(made.status()).toMatchObject({ speed: 5, simulatedTime: null, startedAt: null });
  await made.start(structuredClone(REQUEST) as never);
  clock.setting.speed = 8;
  expect(made.status().speed).toBe(8);
  await made.stop();
  clock.setting.speed = 2;
  expect(made.status().speed).toBe(8);
  await expect(made.start({ ...structuredClone(REQUEST), speed: 2 } as never)).resolves.toMatchObject({ speed: 2 });
  await expect(made.start({ speed: 3 })).rejects.toMatchObject({ code: "already_running" });
  await expect(made.start({ speed: 2 })).resolves.toMatchObject({ changed: false });
});

test("a stop waits until the speed of market time is set back, also if the search has failed", async () => {
  const { made } = simulator();
  const isBack = Promise.withResolvers<void>();
  getter(LiveRun.prototype, "speedSetBack", () => isBack.promise);
  for (const fails of [true, false]) {
    replaced(
      remainingOrders,
      "cancelRemainingOrders",
      () => fails ? Promise.reject(new Error("gone")) : Promise.resolve(1),
    );
    if (fails) await made.start(structuredClone(REQUEST) as never);
    let isOver = false;
    const stop = made.stop().then(() => isOver = true, () => isOver = true);
    for (let turn = 0; turn < 50; turn++) await Promise.resolve();
    expect([isOver, made.status().status]).toEqual([!fails, fails ? "stopping" : "stopped"]);
    isBack.resolve();
    await stop;
  }
});

test("a move of the clock waits for personas as long as some act, and at most 5 s for those who do not", async () => {
  const { made } = simulator();
  await made.settled();
  await made.start(structuredClone(REQUEST) as never);
  const asked: number[] = [];
  let isSettled = false;
  replaced(LiveRun.prototype, "isSettledAt", (time) => (asked.push(time), isSettled));
  const clock = { now: 0 };
  const now = jest.spyOn(performance, "now").mockImplementation(() => clock.now);
  const sleeps: (() => void)[] = [];
  const sleep = jest.spyOn(Bun, "sleep").mockImplementation(
    (() => new Promise<void>((go) => sleeps.push(go))) as never,
  );
  atEnd(() => [now, sleep].forEach((spy) => spy.mockRestore()));
  let ended = 0;
  getter(FollowedClock.prototype, "ended", () => ended);
  let isOver = false;
  const begin = () => {
    isOver = false;
    return made.settled().then(() => isOver = true);
  };
  const turn = async (to: number) => {
    clock.now = to;
    sleeps.splice(0).forEach((go) => go());
    for (let at = 0; at < 20; at++) await Promise.resolve();
    return isOver;
  };
  let waiting = begin();
  expect([await turn(1), await turn(5_000)]).toEqual([false, false]);
  ended = 1;
  // Somebody has acted, so the limit begins anew.
  expect([await turn(5_001), await turn(10_001), await turn(10_002)]).toEqual([false, false, true]);
  await waiting;
  expect(new Set(asked)).toEqual(new Set([NOON]));
  waiting = begin();
  expect(await turn(10_003)).toBe(false);
  isSettled = true;
  expect(await turn(10_004)).toBe(true);
  await waiting;
  isSettled = false;
  waiting = begin();
  expect(await turn(10_005)).toBe(false);
  await made.stop();
  expect(await turn(10_006)).toBe(true);
  await waiting;
});
