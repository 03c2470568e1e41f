import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { firstDue, type OutsideTrader } from "../../../sim/headless/outside-trader.ts";
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

  test("returns the earliest at any time, also between additions, at equal times in the order of addition", () => {
    const anyStep = fc.record({ isTaken: fc.boolean(), time: fc.nat(5) });
    fc.assert(fc.property(fc.array(anyStep, { minLength: 20, maxLength: 120 }), (steps) => {
      const queue = new WakeQueue(steps.length);
      const model: { time: number; index: number }[] = [];
      for (const [index, { isTaken, time }] of steps.entries()) {
        if (isTaken && model.length > 0) {
          // The first of the least times, because the model keeps the order of addition.
          const first = model.reduce((least, each) => each.time < least.time ? each : least);
          model.splice(model.indexOf(first), 1);
          expect({ time: queue.nextTime, index: queue.take() }).toEqual(first);
        } else {
          queue.add(index, time);
          model.push({ time, index });
        }
        expect(queue.nextTime).toBe(Math.min(...model.map(({ time }) => time)));
      }
    }));
  });

  test("throws if a persona is taken from an empty queue", () => {
    expect(() => new WakeQueue(1).take()).toThrow("the queue is empty");
  });
});

test("of several agents the one that is due first comes first, and of those at one time the first in the list", () => {
  const dueOf = (times: readonly number[]) => {
    const traders = times.map((nextTime) => ({ nextTime }) as OutsideTrader);
    const first = firstDue(traders);
    return first === null ? null : traders.indexOf(first);
  };
  expect([[3, 2, 2, 4], [1, 1], [Infinity, Infinity], [Infinity, 5], []].map(dueOf)).toEqual([1, 0, 0, 1, null]);
});
