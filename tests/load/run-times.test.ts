// When a load run sends, how long it waits for answers, and how long it cancels. Time passes only while the run sleeps or its
// target is at work.

import { afterEach, beforeEach, expect, spyOn, test } from "bun:test";
import { type LoadPlan, LoadRun } from "../../load/load-run.ts";
import type { Operation, Outcome, Target } from "../../load/operation.ts";

const CONTRACT = { id: "C", lot: 1, tick: 1, minimumPrice: 0, maximumPrice: 100, referencePrice: 50 };
const PLAN: LoadPlan = {
  ...{ connections: 1, ratePerSecond: 10, seconds: 1, mix: { submit: 1, cancel: 0, modify: 0 }, seed: 1 },
  contractIds: [],
};
const START = 5_000;

let now = START;
/** What happens at a time. */
let due: { readonly at: number; readonly run: () => void }[] = [];
let spies: { mockRestore(): void }[] = [];

beforeEach(() => {
  now = START;
  due = [];
  spies = [
    spyOn(performance, "now").mockImplementation(() => now),
    spyOn(Bun, "sleep").mockImplementation(async (ms) => {
      const end = now + Number(ms);
      for (const { at, run } of due.filter(({ at }) => at <= end).toSorted((one, other) => one.at - other.at)) {
        now = Math.max(now, at);
        run();
      }
      due = due.filter(({ at }) => at > end);
      now = end;
      for (let turn = 0; turn < 5; turn++) await Promise.resolve();
    }),
  ];
});
afterEach(() => {
  for (const spy of spies) spy.mockRestore();
});

const after = (ms: number, run: () => void) => void due.push({ at: now + ms, run });
const open = (id: string): Outcome => ({ kind: "confirmed", order: { id, isOpen: true, averagePrice: null } });
const closed: Outcome = { kind: "confirmed", order: { id: "", isOpen: false, averagePrice: null } };

/** `send` has the number of the operation, from 1. */
function targetThat(send: (operation: Operation, number: number, settle: (outcome: Outcome) => void) => void) {
  const sentAt: [kind: string, at: number][] = [];
  const nothing = () => Promise.resolve();
  const target: Target = {
    ...{ open: nothing, close: nothing, reconnects: 0, contracts: () => Promise.resolve([CONTRACT]) },
    send: (_connection, operation, settle) => send(operation, sentAt.push([operation.kind, now - START]), settle),
  };
  return { target, sentAt };
}

async function run(target: Target, plan: Partial<LoadPlan> = {}, stopped: Promise<unknown> = new Promise(() => {})) {
  const progress: number[] = [];
  const report = await LoadRun.run(target, { ...PLAN, ...plan }, { stopped, onProgress: (at) => progress.push(at) });
  return { ...report, progress, endedAfter: now - START };
}

test("each request is sent when it is due, and the progress is told in whole seconds up to the end", async () => {
  const { target, sentAt } = targetThat((_operation, _number, settle) => settle(closed));
  const { progress, seconds, endedAfter, requests, sentPerSecond } = await run(target, {
    ratePerSecond: 4,
    seconds: 2.5,
  });
  expect(sentAt.map(([, at]) => at)).toEqual([0, 250, 500, 750, 1_000, 1_250, 1_500, 1_750, 2_000, 2_250]);
  expect([[...new Set(progress)], seconds, endedAfter]).toEqual([[0, 1, 2], 2.5, 2_500]);
  expect([requests.notSent, sentPerSecond]).toEqual([0, 4]);
});

test("late answers are waited for as long as the target may take, and counted", async () => {
  const { target } = targetThat((_operation, _number, settle) => after(15_000, () => settle(closed)));
  const { requests, seconds, endedAfter } = await run(target);
  expect([requests.confirmed, requests.latencyMs.all?.count, seconds, endedAfter]).toEqual([10, 10, 1, 15_900]);
});

test("what is never answered ends the wait a little after the limit of an answer", async () => {
  const { target, sentAt } = targetThat(() => {});
  const { requests, endedAfter } = await run(target);
  expect([requests.confirmed, sentAt.length, endedAfter]).toEqual([0, 10, 16_100]);
});

test("nothing is waited for if all is answered", async () => {
  const { target } = targetThat((_operation, _number, settle) => settle(closed));
  expect((await run(target)).endedAfter).toBe(1_000);
});

test("orders are cancelled for ten seconds, and what is open then may be left", async () => {
  const { target } = targetThat((operation, number, settle) => {
    if (operation.kind === "cancel") now += 3_000;
    settle(operation.kind === "cancel" ? closed : open(`O${number}`));
  });
  const { cleanUp, endedAfter } = await run(target);
  expect([cleanUp, endedAfter]).toEqual([{ cancelled: 4, closedAlready: 0, left: 6 }, 13_000]);
});

test("a signal ends the sending within a tenth of a second, and what was not due is not missing", async () => {
  const { target, sentAt } = targetThat((_operation, _number, settle) => settle(closed));
  const { promise, resolve } = Promise.withResolvers<void>();
  after(3_050, resolve);
  const { interrupted, requests, seconds } = await run(target, { ratePerSecond: 0.1, seconds: 100 }, promise);
  expect([interrupted, sentAt.length, requests.notSent, seconds]).toEqual([true, 1, 0, 3.1]);
});

test("what is due after a stall is sent in batches, with what is over the end counted as not sent and not as sent", async () => {
  const { target, sentAt } = targetThat((_operation, number, settle) => {
    if (number === 1) now += 10_000;
    settle(number === 2 ? { kind: "not_sent" } : closed);
  });
  const { requests, sentPerSecond, seconds } = await run(target, { ratePerSecond: 1_000 });
  expect([sentAt.length, requests.confirmed, requests.notSent, seconds]).toEqual([501, 500, 500, 10]);
  expect(sentPerSecond).toBe(50);
  expect(requests.latencyMs.all!.max).toBeCloseTo(10_000, -2);
});

test("the answers to a batch are read before the next one is sent", async () => {
  const kinds: string[] = [];
  const { target } = targetThat((operation, number, settle) => {
    if (number === 1) now += 900;
    kinds.push(operation.kind);
    settle(closed);
  });
  const sleeps = Bun.sleep as unknown as { mock: { calls: number[][] } };
  await run(target, { ratePerSecond: 1_000 });
  expect(kinds.length).toBe(1_000);
  // After the stall 900 are due: 500 of them, a moment for the answers, the rest.
  expect(sleeps.mock.calls.slice(0, 3).map(([ms]) => ms)).toEqual([0, 0, 1]);
});
