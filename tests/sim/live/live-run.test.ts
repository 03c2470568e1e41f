// One run of the simulator from its start to its stop, without an engine: who connects when, who trades when, and what ends.

import { describe, expect, test } from "bun:test";
import { SYSTEM_TIMERS } from "../../../common/timers.ts";
import { builtInMarket } from "../../../engine/definition/built-in-market.ts";
import { LiveRun } from "../../../sim/live/live-run.ts";
import { LivePersona } from "../../../sim/live/live-persona.ts";
import { planRun } from "../../../sim/live/run-plan.ts";
import { RunSpeed } from "../../../sim/live/run-speed.ts";
import { SpotFeed } from "../../../sim/live/spot-feed.ts";
import * as users from "../../../sim/live/user-client.ts";
import { isSettled } from "../../support/still-clock.ts";
import { replaced } from "../../support/replaced.ts";
import { accessTo } from "./support.ts";

const NOON = Date.parse("2026-03-02T12:00:00Z");
const PATIENCE_MS = 10_000;
const SETTINGS = { preset: "thin" as const, personas: [{ strategy: "zic" as const, count: 2 }], seed: 7, speed: null };

/** A run of two personas; `publisher`: who publishes the spot prices instead of the watching user. */
function run({ publisher = null as string | null, lockstep = false } = {}) {
  const definition = builtInMarket();
  const market = {
    ...definition,
    users: definition.users.map((user) => {
      const others = user.permissions.filter((permission) => permission !== "Spot.Publish");
      return publisher === null
        ? user
        : { ...user, permissions: user.id === publisher ? ["Spot.Publish" as const] : others };
    }),
  };
  const now = { time: NOON };
  const marketTime = {
    time: () => now.time,
    setting: lockstep ? { mode: "lockstep", speed: 0 } as never : null,
  };
  const clients = new Map<string, { isUp: boolean; listener: Parameters<typeof users.userClient>[1]["listener"] }>();
  const log: string[] = [];
  replaced(users, "userClient", (_access, { userId, listener, cancelOnDisconnect = false }) => {
    let name = cancelOnDisconnect ? `persona ${clients.size}` : userId;
    if (clients.has(name)) name = `${name}!`;
    const client = {
      isUp: false,
      pendingCount: 0,
      listener,
      open: () => void log.push(`opens ${name}`),
      close: () => {
        client.isUp = false;
        log.push(`closes ${name}`);
        return Promise.resolve();
      },
      send: (action: string) => void log.push(`${name} sends ${action}`),
      caughtUp: () => Promise.resolve(void log.push(`${name} reads`)),
    };
    clients.set(name, client);
    return client;
  });
  const timers = new Set<{ waitMs: number; task: () => void }>();
  replaced(SYSTEM_TIMERS, "after", (waitMs, task) => {
    const timer = { waitMs, task };
    timers.add(timer);
    return () => void timers.delete(timer);
  });
  for (const [name, what] of [["beginTrading", "trades"], ["endTrading", "trades no more"]] as const) {
    const own = LivePersona.prototype[name];
    replaced(LivePersona.prototype, name, function (this: LivePersona) {
      log.push(what);
      own.call(this);
    } as never);
  }
  const failures: string[] = [];
  const plan = planRun(SETTINGS, market, "run-", marketTime);
  const live = new LiveRun(plan, accessTo("ws://127.0.0.1:1/ws"), (reason) => failures.push(reason));
  const synchronize = (name: string) => {
    const client = clients.get(name)!;
    client.isUp = true;
    client.listener.synchronized(null as never);
  };
  const lose = (name: string, willRetry: boolean) => {
    clients.get(name)!.isUp = false;
    clients.get(name)!.listener.ended({ kind: "lost", reason: "cut off" }, willRetry);
  };
  const personas = () => [...clients.keys()].filter((name) => name.startsWith("persona"));
  const told = () => log.splice(0);
  return {
    live,
    plan,
    now,
    clients,
    personas,
    told,
    timers,
    failures,
    synchronize,
    lose,
    watcher: plan.watchingUserId,
  };
}

describe("a start", () => {
  test("connects who watches, then the personas, and lets them trade once all are connected", async () => {
    const { live, personas, told, timers, synchronize, watcher } = run();
    const started = live.start(PATIENCE_MS);
    expect([told(), live.nothingToTrade]).toEqual([[`opens ${watcher}`], expect.stringContaining("not current")]);
    expect([...timers].map(({ waitMs }) => waitMs)).toEqual([PATIENCE_MS]);
    synchronize(watcher);
    const [first, second] = personas() as [string, string];
    expect(told()).toEqual([`opens ${first}`, `opens ${second}`]);
    expect(live.nothingToTrade).toStartWith("no contract is listed");
    synchronize(first);
    expect([await isSettled(started), live.connectedPersonas]).toEqual([false, 1]);
    synchronize(second);
    await started;
    expect([told(), live.connectedPersonas]).toEqual([[`${watcher} sends spot.publish`, "trades", "trades"], 2]);
    expect([...timers].map(({ waitMs }) => waitMs)).not.toContain(PATIENCE_MS);
    // A view that is current again connects nobody for a second time.
    synchronize(watcher);
    expect(told()).toEqual([]);
  });

  test("connects who publishes too if that is somebody else, and ends that connection", async () => {
    const { live, told, synchronize, lose, personas, failures, watcher } = run({ publisher: "operator" });
    const started = live.start(PATIENCE_MS);
    expect(told()).toEqual([`opens ${watcher}`, "opens operator"]);
    synchronize("operator");
    synchronize(watcher);
    personas().forEach(synchronize);
    await started;
    expect(told()).toContain("operator sends spot.publish");
    lose("operator", true);
    expect(failures).toEqual([]);
    lose("operator", false);
    expect(failures).toEqual([expect.stringContaining("the engine refused user operator: ")]);
    await live.stop(PATIENCE_MS);
    expect(told().slice(-2)).toEqual([`closes ${watcher}`, "closes operator"]);
  });

  test.each<[string, (parts: ReturnType<typeof run>) => void]>([
    ["nobody", () => {}],
    ["0 of 2 personas", ({ synchronize, watcher }) => synchronize(watcher)],
    ["1 of 2 personas", ({ synchronize, watcher, personas }) => [watcher, personas()[0]!].forEach(synchronize)],
  ])("fails once its time is up, and says that the engine let %s connect", async (who, before) => {
    const parts = run();
    const started = parts.live.start(PATIENCE_MS);
    before(parts);
    expect(await isSettled(started)).toBe(false);
    [...parts.timers].find(({ waitMs }) => waitMs === PATIENCE_MS)!.task();
    await expect(started).rejects.toThrow(`the engine let ${who} connect within 10 s`);
    expect(parts.told()).not.toContain("trades");
  });

  test("fails at once if the engine refuses a user for good, and not if a connection is tried again", async () => {
    for (const at of [-1, 0]) {
      const { live, synchronize, lose, personas, failures, watcher, plan } = run();
      const started = live.start(PATIENCE_MS);
      if (at >= 0) synchronize(watcher);
      const name = at < 0 ? watcher : personas()[at]!;
      const userId = at < 0 ? watcher : plan.population.personas[at]!.userId;
      lose(name, true);
      expect([await isSettled(started), failures]).toEqual([false, []]);
      lose(name, false);
      await expect(started).rejects.toThrow(`the engine refused user ${userId}: `);
      expect(failures).toEqual([expect.stringContaining(`the engine refused user ${userId}: `)]);
    }
  });

  test("that is stopped fails, connects nobody any more, and lets nobody trade", async () => {
    const { live, told, timers, synchronize, personas, watcher } = run();
    const started = live.start(PATIENCE_MS);
    const end = live.stop(PATIENCE_MS);
    await expect(started).rejects.toThrow("it was stopped while it was starting");
    expect(await end).toEqual({ personasDisconnected: 0, ordersCancelled: 0 });
    synchronize(watcher);
    expect([told().filter((what) => /opens persona|trades$|sends/.test(what)), timers.size]).toEqual([[], 0]);
    expect(personas()).toHaveLength(2);
  });

  test("that is stopped while its speed is being set lets nobody trade", async () => {
    const set = Promise.withResolvers<void>();
    replaced(RunSpeed.prototype, "begin", () => set.promise);
    const { live, told, synchronize, personas, watcher } = run();
    const started = live.start(PATIENCE_MS);
    [watcher, ...personas()].forEach(synchronize);
    const end = live.stop(PATIENCE_MS);
    expect(await isSettled(started)).toBe(false);
    set.resolve();
    await expect(started).rejects.toThrow("it was stopped while it was starting");
    expect(await end).toMatchObject({ personasDisconnected: 2 });
    expect(told()).not.toContain("trades");
  });
});

describe("a stop", () => {
  test("ends the prices and the trading, sets the speed back meanwhile, and adds up what each persona cancelled", async () => {
    const parts = run();
    const { live, told, synchronize, personas, watcher } = parts;
    const started = live.start(PATIENCE_MS);
    [watcher, ...personas()].forEach(synchronize);
    await started;
    told();
    const isBack = Promise.withResolvers<void>();
    replaced(RunSpeed.prototype, "end", () => isBack.promise);
    const ends = replaced(SpotFeed.prototype, "end", () => {});
    let cancelled = 1;
    const leaves = replaced(LivePersona.prototype, "leave", () => Promise.resolve(cancelled++));
    expect(await live.stop(PATIENCE_MS)).toEqual({ personasDisconnected: 2, ordersCancelled: 3 });
    expect([ends.length, leaves, told()]).toEqual([
      1,
      [[PATIENCE_MS], [PATIENCE_MS]],
      ["trades no more", "trades no more", `closes ${watcher}`],
    ]);
    expect(await isSettled(live.speedSetBack)).toBe(false);
    isBack.resolve();
    expect(await isSettled(live.speedSetBack)).toBe(true);
  });
});

test("in lockstep a time is settled once the view shows it and whoever was due has acted", async () => {
  const { live, plan, now, told, synchronize, watcher } = run({ lockstep: true });
  void live.start(PATIENCE_MS).catch(() => {});
  synchronize(watcher);
  while (plan.clock.isEnding) await Promise.resolve();
  told();
  expect([live.isSettledAt(NOON), live.isSettledAt(NOON + 1)]).toEqual([true, false]);
  now.time = NOON + 5;
  expect(live.isSettledAt(NOON + 5)).toBe(false);
  const event = { kind: "event", type: "change.clock", time: new Date(now.time).toISOString(), data: {} };
  live.feed.frame([event as never]);
  expect([live.isSettledAt(NOON + 5), plan.clock.isEnding]).toEqual([false, true]);
  while (plan.clock.isEnding) await Promise.resolve();
  expect([live.isSettledAt(NOON + 5), live.isSettledAt(NOON + 6)]).toEqual([true, false]);
  // Who publishes is the one who watches.
  expect(told().slice(0, 2)).toEqual([`${watcher} reads`, `${watcher} reads`]);
  await live.stop(PATIENCE_MS);
});
