import { describe, expect, jest, setSystemTime, test } from "bun:test";
import { LiveResult, PAUSE_MS } from "../../../web/views/live-result.ts";
import type { ToolAnswer, Values } from "../../../web/views/tool-answer.ts";

const result = (value: number): ToolAnswer => ({ kind: "result", result: { value } });
const ERROR: ToolAnswer = { kind: "error", report: { code: "timeout", message: "No answer." } };

/** One timer at a time; calls wait for their answers. */
function setUp() {
  const calls: { readonly values: Values; readonly answer: (answer: ToolAnswer) => Promise<void> }[] = [];
  const timers: { readonly pauseMs: number; readonly then: () => void }[] = [];
  let now = 1_000;
  const live = new LiveResult({
    now: () => now,
    ask: (values) => {
      const { promise, resolve } = Promise.withResolvers<ToolAnswer>();
      const answer = async (given: ToolAnswer) => {
        resolve(given);
        await promise;
      };
      calls.push({ values, answer });
      return promise;
    },
    after: (pauseMs, then) => {
      const timer = { pauseMs, then };
      timers.push(timer);
      return () => void timers.splice(timers.indexOf(timer), 1);
    },
  });
  const pass = () => {
    const [timer, ...others] = timers.splice(0);
    if (timer === undefined || others.length > 0) throw new Error(`${timers.length} timers`);
    now += timer.pauseMs;
    timer.then();
  };
  return { live, calls, timers, pass };
}

describe("a live result", () => {
  test("shows what it was given, and asks for more after a pause with the same arguments", async () => {
    const { live, calls, timers, pass } = setUp();
    live.show(result(1), { id: "a" }, true);
    expect(live.state.value).toEqual({ result: { value: 1 }, receivedAt: 1_000, failure: null });
    expect([calls.length, timers.map(({ pauseMs }) => pauseMs)]).toEqual([0, [PAUSE_MS]]);
    pass();
    expect(calls.map(({ values }) => values)).toEqual([{ id: "a" }]);
    await calls[0]!.answer(result(2));
    expect(live.state.value).toEqual({ result: { value: 2 }, receivedAt: 1_000 + PAUSE_MS, failure: null });
    expect(timers).toHaveLength(1);
  });

  test("asks at once, instead of after the pause, if it is told to", () => {
    const { live, calls, timers } = setUp();
    live.show(result(1), { id: "a" }, true);
    live.retry();
    expect([calls.length, timers.length]).toEqual([1, 0]);
  });

  test("asks nothing if it is not live, and has one call at a time", () => {
    const { live, calls, timers } = setUp();
    live.show(result(1), {}, false);
    live.retry();
    live.setVisible(false);
    live.setVisible(true);
    expect([calls.length, timers.length]).toEqual([0, 0]);
    live.follow({});
    live.retry();
    live.setVisible(false);
    live.setVisible(true);
    expect(calls).toHaveLength(1);
  });

  test("keeps the old result after an error, and waits twice as long after each one, at most 30 s", async () => {
    const { live, calls, timers, pass } = setUp();
    live.show(result(1), {}, true);
    const pauses: number[] = [];
    for (let index = 0; index < 6; index += 1) {
      pass();
      await calls.at(-1)!.answer(ERROR);
      pauses.push(timers[0]!.pauseMs / 1_000);
    }
    expect(pauses).toEqual([4, 8, 16, 30, 30, 30]);
    expect(live.state.value).toMatchObject({ result: { value: 1 }, receivedAt: 1_000, failure: { code: "timeout" } });
    live.retry();
    await calls.at(-1)!.answer(result(2));
    expect(live.state.value).toMatchObject({ result: { value: 2 }, failure: null });
    expect(timers.map(({ pauseMs }) => pauseMs)).toEqual([PAUSE_MS]);
  });

  test("asks at once with other arguments, and drops the answer to the earlier ones", async () => {
    const { live, calls, timers } = setUp();
    live.follow({ id: "a" });
    live.follow({ id: "b" });
    expect(calls.map(({ values }) => values)).toEqual([{ id: "a" }, { id: "b" }]);
    await calls[1]!.answer(result(2));
    await calls[0]!.answer(result(1));
    expect(live.state.value.result).toEqual({ value: 2 });
    expect(timers).toHaveLength(1);
  });

  test("waits no longer for other arguments than for the first, although the earlier ones failed", async () => {
    const { live, calls, timers } = setUp();
    for (const [place, id] of ["a", "b"].entries()) {
      live.follow({ id });
      await calls[place]!.answer(ERROR);
    }
    expect(timers.map(({ pauseMs }) => pauseMs)).toEqual([2 * PAUSE_MS]);
    live.setVisible(true);
    expect([calls.length, timers.length]).toEqual([2, 1]);
    live.setVisible(false);
    live.follow({ id: "c" });
    expect(calls).toHaveLength(2);
  });

  test("asks nothing while nobody can see it, and at once when somebody can", async () => {
    const { live, calls, timers } = setUp();
    live.show(result(1), {}, true);
    live.setVisible(false);
    expect(timers).toHaveLength(0);
    live.setVisible(true);
    expect(calls).toHaveLength(1);
    live.setVisible(false);
    await calls[0]!.answer(result(2));
    expect(live.state.value.result).toEqual({ value: 2 });
    expect(timers).toHaveLength(0);
  });

  test("asks and shows nothing after it was stopped", async () => {
    const { live, calls, timers, pass } = setUp();
    live.show(result(1), {}, true);
    pass();
    live.stop();
    await calls[0]!.answer(result(2));
    live.retry();
    live.setVisible(false);
    live.setVisible(true);
    expect(live.state.value.result).toEqual({ value: 1 });
    expect([calls.length, timers.length]).toEqual([1, 0]);
  });
});

test("by itself a live result waits by the timers of the page, has its clock, and leaves no timer", async () => {
  jest.useFakeTimers();
  try {
    setSystemTime(new Date(5_000));
    let asked = 0;
    const live = new LiveResult({ ask: () => Promise.resolve((asked++, result(asked))) });
    live.show(result(0), {}, true);
    expect([live.state.value.receivedAt, jest.getTimerCount()]).toEqual([5_000, 1]);
    jest.advanceTimersByTime(PAUSE_MS - 1);
    expect(asked).toBe(0);
    jest.advanceTimersByTime(1);
    await Promise.resolve();
    await Promise.resolve();
    expect([asked, live.state.value.result, jest.getTimerCount()]).toEqual([1, { value: 1 }, 1]);
    live.stop();
    expect(jest.getTimerCount()).toBe(0);
  } finally {
    jest.useRealTimers();
    setSystemTime();
  }
});
