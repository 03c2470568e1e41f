import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { WakeQueue } from "../../../sim/headless/wake-queue.ts";

describe("the queue of who is woken next", () => {
  test("wakes by time, and those of one time in the order in which they were put in", () => {
    fc.assert(fc.property(fc.array(fc.nat(20), { maxLength: 60 }), (times) => {
      const queue = new WakeQueue(times.length);
      times.forEach((time, sleeper) => queue.add(sleeper, time));
      const expected = times.map((time, sleeper) => ({ time, sleeper })).sort((a, b) => a.time - b.time);
      const woken = times.map(() => ({ time: queue.nextTime, sleeper: queue.take() }));
      expect(woken).toEqual(expected);
      expect(queue.nextTime).toBe(Infinity);
    }));
  });

  test("stays in order while those who were woken are put in again", () => {
    const queue = new WakeQueue(3);
    for (const sleeper of [0, 1, 2]) queue.add(sleeper, 10);
    const woken: [number, number][] = [];
    for (let count = 0; count < 9; count++) {
      const time = queue.nextTime;
      const sleeper = queue.take();
      woken.push([time, sleeper]);
      queue.add(sleeper, time + 2 - sleeper);
    }
    expect(woken).toEqual([[10, 0], [10, 1], [10, 2], [10, 2], [10, 2], [10, 2], [10, 2], [10, 2], [10, 2]]);
  });

  test("has nobody to wake when it is empty", () => {
    expect(() => new WakeQueue(1).take()).toThrow("nobody waits");
  });
});
