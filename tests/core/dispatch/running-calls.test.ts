// How many calls may run, what counts as one, and how they end with the process.

import { expect, spyOn, test } from "bun:test";
import { RunningCalls } from "../../../core/dispatch/running-calls.ts";

const limitedTo = (maxRequests: number) => new RunningCalls({ http: { maxRequests } } as never);
const refusal = expect.objectContaining({ code: "rate_limited", message: expect.stringContaining("2 calls") });

test("as many calls run as are allowed, and each one that ends, also by a failure, makes room", async () => {
  const running = limitedTo(2);
  const [first, second] = [Promise.withResolvers<string>(), Promise.withResolvers<never>()];
  const counted = running.counted(first.promise);
  running.checkCapacity();
  const failing = running.counted(second.promise);
  expect(running.count).toBe(2);
  expect(() => running.checkCapacity()).toThrow(refusal);
  first.resolve("done");
  expect(await counted).toBe("done");
  expect(running.count).toBe(1);
  running.checkCapacity();
  second.reject(new Error("it failed"));
  expect(await failing.catch(String)).toBe("Error: it failed");
  expect(running.count).toBe(0);
});

test("calls that wait for an event are counted, but take no room", async () => {
  const running = limitedTo(2);
  const ends = Array.from({ length: 2 }, () => Promise.withResolvers<void>());
  const runs = ends.map(({ promise }) => running.counted(promise));
  let waiting = 1;
  Object.defineProperty(running.waits, "count", { get: () => waiting });
  running.checkCapacity();
  waiting = 0;
  expect(() => running.checkCapacity()).toThrow(refusal);
  for (const { resolve } of ends) resolve();
  await Promise.all(runs);
});

test("on stdio any number may run", () => {
  const running = new RunningCalls({ http: null } as never);
  for (let at = 0; at < 100; at += 1) void running.counted(new Promise(() => {}));
  running.checkCapacity();
  expect(running.count).toBe(100);
});

test("the end of the process is told at once, and ends every wait", () => {
  const running = limitedTo(1);
  const ended = spyOn(running.waits, "endAll");
  expect([running.ending.aborted, ended.mock.calls.length]).toEqual([false, 0]);
  running.end();
  expect([running.ending.aborted, ended.mock.calls.length]).toEqual([true, 1]);
});

test("a drain ends with the last call, whatever its outcome, or with its time", async () => {
  const running = limitedTo(9);
  const asked: unknown[] = [];
  let elapse = () => {};
  const sleep = spyOn(Bun, "sleep").mockImplementation((ms) => {
    asked.push(ms);
    return new Promise((resolve) => elapse = resolve);
  });
  try {
    const [one, two] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const runs = Promise.allSettled([running.counted(one.promise), running.counted(two.promise)]);
    const ended: string[] = [];
    const first = running.drain(700).then(() => ended.push("by time"));
    elapse();
    await first;
    const second = running.drain(800).then(() => ended.push("with the calls"));
    one.reject(new Error("it failed"));
    for (let at = 0; at < 20; at += 1) await Promise.resolve();
    expect(ended).toEqual(["by time"]);
    two.resolve();
    await second;
    await runs;
    expect({ ended, asked }).toEqual({ ended: ["by time", "with the calls"], asked: [700, 800] });
  } finally {
    sleep.mockRestore();
  }
});
