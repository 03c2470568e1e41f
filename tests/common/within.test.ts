// A wait for a promise, with a limit: how it ends, and that it leaves no timer.

import { afterEach, expect, spyOn, test } from "bun:test";
import { within } from "../../common/within.ts";

const timers = new Map<object, () => void>();
let asked: unknown[] = [];
const spies = () => [
  spyOn(globalThis, "setTimeout").mockImplementation(
    ((run: () => void, ms: number) => {
      asked.push(ms);
      const timer = {};
      timers.set(timer, run);
      return timer;
    }) as never,
  ),
  spyOn(globalThis, "clearTimeout").mockImplementation(((timer: object) => timers.delete(timer)) as never),
];
let active: { mockRestore(): void }[] = [];
afterEach(() => {
  for (const spy of active.splice(0)) spy.mockRestore();
  asked = [];
  timers.clear();
});

test.each([
  [(settle: PromiseWithResolvers<string>) => settle.resolve("value"), "value"],
  [(settle: PromiseWithResolvers<string>) => settle.reject("failure"), "failure"],
  [() => timers.forEach((run) => run()), undefined],
])("ends with the promise or with the limit (%#), and clears its timer", async (end, expected) => {
  active = spies();
  const settle = Promise.withResolvers<string>();
  const result = within(700, settle.promise).catch((error: unknown) => error);
  expect([asked, timers.size]).toEqual([[700], 1]);
  end(settle);
  expect(await result).toBe(expected);
  expect(timers.size).toBe(0);
});
