// A replica on a clock that only the test moves, with a Redis that answers from a table, and steps whose outcome a test says.

import { afterEach, beforeEach, jest, mock, spyOn } from "bun:test";
import type { Logger } from "../../../common/logger.ts";
import type { History } from "../../../core/market/event-content.ts";
import { LogReconciler } from "../../../replicas/event-log/log-reconciler.ts";
import { SharedEventLog } from "../../../replicas/event-log/shared-event-log.ts";
import { keysOf } from "../../../replicas/redis/keys.ts";

export const HISTORY: History = { engineId: "e", epoch: 10, userId: "anna", entityId: null, capabilities: ["a"] };
const KEYS = keysOf("mkt", "anna");
const NEWEST = KEYS.newestHistory("anna");
const GETTERS = ["position", "hasLease"] as const;

let now: number;
const own = GETTERS.map((name) => Object.getOwnPropertyDescriptor(LogReconciler.prototype, name)!);

/** The clock stands still before each test of the file. */
export function onTheClockOfTheTest(): void {
  beforeEach(() => {
    jest.useFakeTimers();
    now = 0;
    spyOn(performance, "now").mockImplementation(() => now);
  });
  afterEach(() => {
    jest.useRealTimers();
    mock.restore();
    for (const [at, name] of GETTERS.entries()) Object.defineProperty(LogReconciler.prototype, name, own[at]!);
  });
}

/** Only the time, without the timers. */
export function pass(milliseconds: number): void {
  now += milliseconds;
}

export const turns = async () => {
  for (let turn = 0; turn < 60; turn += 1) await Promise.resolve();
};

/** A replica whose steps end as `state.steps` says: false, an error, or true once none is left. */
export function replica(given: { readonly isConnected?: boolean } = {}) {
  const isConnected = given.isConnected ?? true;
  const state = {
    steps: [] as (boolean | Error | Promise<boolean>)[],
    isStuck: false,
    position: { top: 10, newest: 10, gaps: [] },
    hasLease: false,
    /** What Redis has at NEWEST. */
    newest: null as string | null,
    uptime: "9999",
  };
  const forces: boolean[] = [];
  const sent: string[] = [];
  const logged: string[] = [];
  spyOn(LogReconciler.prototype, "step").mockImplementation((force) => {
    forces.push(force);
    const next = state.isStuck ? false : state.steps.shift() ?? true;
    return next instanceof Error ? Promise.reject(next) : Promise.resolve(next);
  });
  for (const name of GETTERS) {
    Object.defineProperty(LogReconciler.prototype, name, { get: () => state[name], configurable: true });
  }
  const client = {
    history: isConnected ? HISTORY : null as History | null,
    session: isConnected ? { session: 1 } : null as object | null,
    status: isConnected ? "connected" : "disconnected",
    isQuiet: false,
    setbacks: 0,
    resumeFrom: (history: History) => {
      client.history = history;
      return true;
    },
  };
  const waits = new Set<() => void>();
  const events = {
    latestSequence: 10,
    incarnation: 1,
    reached: () => 0,
    followGroup: (reached: () => number) => void (events.reached = reached),
    onNext: (_filter: object, wake: () => void) => {
      waits.add(wake);
      return () => void waits.delete(wake);
    },
    begin: (...from: number[]) => void sent.push(`begin ${from}`),
  };
  /** A turn in which the buffer has changed. */
  const change = async (latest = events.latestSequence) => {
    events.latestSequence = latest;
    const woken = [...waits];
    waits.clear();
    for (const wake of woken) wake();
    await turns();
  };
  const ups = new Set<() => void>();
  const link = {
    isUp: true,
    send: (command: string, [key = "", value = ""]: readonly string[]) => {
      if (command === "SET") state.newest = value;
      sent.push(command === "TYPE" || command === "GET" ? command : `${command} ${key === NEWEST ? "newest" : key}`);
      if (command === "TYPE") return Promise.resolve(state.newest === null ? "none" : "string");
      if (command === "INFO") return Promise.resolve(`# Server\r\nuptime_in_seconds:${state.uptime}\r\n`);
      return Promise.resolve(command === "GET" ? state.newest : command === "HMGET" ? Array(20).fill(null) : "OK");
    },
    run: (script: { readonly name: string }, keys: readonly string[]) =>
      Promise.resolve(void sent.push([script.name, ...keys].join(" "))),
    onUp: (listener: () => void) => {
      ups.add(listener);
      return () => void ups.delete(listener);
    },
  };
  const note = (text: string, { why }: { readonly why: string }) => void logged.push(text.replace("{why}", why));
  const parts = {
    link,
    keys: KEYS,
    client,
    events,
    writer: "w",
    log: { info() {}, warn: note, error: note } as unknown as Logger,
  };
  const log = new SharedEventLog(parts as never);
  const up = async () => {
    for (const listener of ups) listener();
    await turns();
  };
  const announced = () => sent.splice(0).filter((each) => each === "SET newest").length;
  return { state, forces, sent, logged, client, events, waits, link, ups, log, change, up, announced };
}

export async function advance(milliseconds: number): Promise<void> {
  for (let passed = 0; passed < milliseconds; passed += 50) {
    now += 50;
    jest.advanceTimersByTime(50);
    await turns();
  }
}
