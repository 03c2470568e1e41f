import { expect, test } from "bun:test";
import fc from "fast-check";
import { Deque } from "../../../core/market/deque.ts";

test("behaves like an array with push and shift, however it grows and shrinks", () => {
  const run = fc.record({ push: fc.integer({ min: 0, max: 200 }), shift: fc.integer({ min: 0, max: 200 }) });
  fc.assert(fc.property(fc.array(run, { maxLength: 30 }), (runs) => {
    const deque = new Deque<number>();
    const model: number[] = [];
    let next = 0;
    for (const { push, shift } of runs) {
      for (let count = 0; count < push; count += 1) {
        deque.push(next);
        model.push(next);
        next += 1;
      }
      for (let count = 0; count < Math.min(shift, model.length); count += 1) {
        expect(deque.shift()).toBe(model.shift() as number);
      }
      expect(Array.from({ length: deque.length }, (_, position) => deque.at(position))).toEqual(model);
    }
  }));
});

test("throws for a position outside", () => {
  const deque = new Deque<number>();
  expect(() => deque.shift()).toThrow(RangeError);
  deque.push(1);
  expect(() => deque.at(1)).toThrow(RangeError);
  expect(() => deque.at(-1)).toThrow(RangeError);
});
