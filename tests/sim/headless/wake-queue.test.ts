import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { WakeQueue } from "../../../sim/headless/wake-queue.ts";

describe("the queue of wake-ups", () => {
  test("returns personas by time, and those of equal time in the order in which they were added", () => {
    fc.assert(fc.property(fc.array(fc.nat(20), { maxLength: 60 }), (times) => {
      const queue = new WakeQueue(times.length);
      times.forEach((time, index) => queue.add(index, time));
      const expected = times.map((time, index) => ({ time, index })).sort((a, b) => a.time - b.time);
      const taken = times.map(() => ({ time: queue.nextTime, index: queue.take() }));
      expect(taken).toEqual(expected);
      expect(queue.nextTime).toBe(Infinity);
    }));
  });

  test("stays ordered while personas are taken and added again", () => {
    const queue = new WakeQueue(3);
    for (const index of [0, 1, 2]) queue.add(index, 10);
    const taken: [number, number][] = [];
    for (let count = 0; count < 9; count++) {
      const time = queue.nextTime;
      const index = queue.take();
      taken.push([time, index]);
      queue.add(index, time + 2 - index);
    }
    expect(taken).toEqual([[10, 0], [10, 1], [10, 2], [10, 2], [10, 2], [10, 2], [10, 2], [10, 2], [10, 2]]);
  });

  test("throws if a persona is taken from an empty queue", () => {
    expect(() => new WakeQueue(1).take()).toThrow("the queue is empty");
  });
});
