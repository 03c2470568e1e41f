// When audit events are delivered, on a clock that only the test moves. audit-delivery.test.ts has what is delivered.

import { afterEach, beforeEach, expect, jest, spyOn, test } from "bun:test";
import type { AuditStore } from "../../../common/audit/audit-store.ts";
import { logger } from "../../../common/logger.ts";
import { AuditDelivery } from "../../../engine/audit/audit-delivery.ts";
import { SqliteAuditStore } from "../../../engine/audit/sqlite-audit-store.ts";
import { EventMaker, NOW } from "../../common/audit/support/events.ts";
import { isSettled } from "../../support/still-clock.ts";

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

const endless = new Promise<never>(() => {});
/** What needs no time is done. */
const settled = () => isSettled(endless);

function delivering() {
  const source = SqliteAuditStore.inMemory({ now: () => NOW });
  const state = { attempts: 0, answer: () => Promise.resolve() };
  const target = { append: () => (state.attempts += 1, state.answer()) } as unknown as AuditStore;
  const maker = new EventMaker();
  const delivery = new AuditDelivery({ source, target, log: logger("test"), random: () => 0 });
  /** The attempts that come with this time. */
  const after = async (milliseconds: number) => {
    const before = state.attempts;
    jest.advanceTimersByTime(milliseconds);
    await settled();
    return state.attempts - before;
  };
  return { source, state, delivery, after, add: () => source.append(maker.many(1)) };
}

const fails = () => Promise.reject(new Error("away"));

test("waits between failed attempts double, and begin anew after a success", async () => {
  const { state, delivery, after, add } = delivering();
  await settled();
  for (let round = 0; round < 2; round += 1) {
    state.answer = fails;
    add();
    expect([await after(249), await after(1)]).toEqual([0, 1]);
    for (const wait of [125, 250, 500, 1_000]) expect([await after(wait - 1), await after(1)]).toEqual([0, 1]);
    state.answer = () => Promise.resolve();
    expect([await after(1_999), await after(1), delivery.undelivered]).toEqual([0, 1, 0]);
  }
  expect(await isSettled(delivery.stop(0))).toBe(true);
});

test("a stop ends the wait for new events and delivers them at once, and leaves no timer", async () => {
  const { state, delivery, add } = delivering();
  await settled();
  add();
  expect(delivery.undelivered).toBe(1);
  expect(await isSettled(delivery.stop(60_000))).toBe(true);
  expect([delivery.undelivered, state.attempts, jest.getTimerCount()]).toEqual([0, 2, 0]);
});

test("a stop ends the wait for another attempt, and makes one, without further ones", async () => {
  const { state, delivery, add } = delivering();
  state.answer = fails;
  add();
  await settled();
  const before = state.attempts;
  expect(await isSettled(delivery.stop(60_000))).toBe(true);
  expect([delivery.undelivered, state.attempts - before, jest.getTimerCount()]).toEqual([1, 1, 0]);
});

test("a stop waits for an attempt under way as long as it is given, and not longer", async () => {
  const { state, delivery, add } = delivering();
  await settled();
  state.answer = () => endless;
  add();
  const stopped = delivery.stop(1_000);
  await settled();
  jest.advanceTimersByTime(999);
  expect(await isSettled(stopped)).toBe(false);
  jest.advanceTimersByTime(1);
  expect([await isSettled(stopped), delivery.undelivered]).toEqual([true, 1]);
});

test("no wait of a delivery keeps the process: neither for new events nor for another attempt", async () => {
  for (const answer of [() => Promise.resolve(), fails]) {
    const timers = spyOn(globalThis, "setTimeout");
    const { state, delivery, add } = delivering();
    state.answer = answer;
    add();
    await settled();
    const keep = timers.mock.results.map(({ value }) => (value as NodeJS.Timeout).hasRef());
    expect(new Set(keep)).toEqual(new Set([false]));
    timers.mockRestore();
    await delivery.stop(0);
  }
});
