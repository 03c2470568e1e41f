// Counts the steps of an operation on a book of 1,000 and of many resting orders: every element of the book's typed arrays
// that it reads or writes. Both books have the same levels.

import { describe, expect, test } from "bun:test";
import { SeededRandom } from "../../../sim/random/seeded-random.ts";
import { SELL } from "../../../engine/market/order-book.ts";
import { PriceTimeBook } from "../../../engine/market/price-time-book.ts";
import { size } from "../../support/sizes.ts";

const FEW = 1_000;
/** Fills its hash table to the same degree as the small one. */
const MANY = size(60_000, 1_000_000);
const PRICES = 250;
const OPERATIONS = 2_000;

interface Counter {
  steps: number;
}

/** Replaces each typed array in an object by one that counts reads and writes. */
function countElements(object: object, counter: Counter): void {
  for (const [name, value] of Object.entries(object)) {
    if (ArrayBuffer.isView(value)) Reflect.set(object, name, counting(value, counter));
    else if (typeof value === "object" && value !== null) countElements(value, counter);
  }
}

function counting(array: ArrayBufferView, counter: Counter): ArrayBufferView {
  return new Proxy(array, {
    get: (target, name) => {
      if (typeof name === "string" && /^\d+$/.test(name)) counter.steps += 1;
      return Reflect.get(target, name);
    },
    set: (target, name, value) => {
      counter.steps += 1;
      return Reflect.set(target, name, value);
    },
  });
}

/** Average steps of each operation, on a book that keeps `count` orders. */
function stepsWith(count: number) {
  const random = new SeededRandom(5);
  const book = new PriceTimeBook();
  const ids: number[] = [];
  const add = (at: number) => {
    const id = ids[at] = random.integer(-(2 ** 52), 2 ** 52);
    book.add(id, SELL, 7 * at % PRICES, 10, 0, id);
  };
  // One order more than the book keeps, so nothing grows while steps are counted.
  for (let at = 0; at <= count; at++) add(at);
  book.remove(ids[count] ?? 0);
  const counter = { steps: 0 };
  countElements(book, counter);
  const counted = (operation: () => void) => {
    const before = counter.steps;
    operation();
    return counter.steps - before;
  };
  const steps = { cancel: 0, add: 0, depth: 0, reduce: 0, best: 0 };
  for (let operation = 0; operation < OPERATIONS; operation++) {
    const at = random.integer(0, count - 1);
    steps.cancel += counted(() => book.remove(ids[at] ?? 0));
    steps.add += counted(() => add(at));
    steps.reduce += counted(() => book.reduce(ids[at] ?? 0, 1));
    steps.best += counted(() => book.bestPrice(SELL));
    steps.depth += counted(() => book.depth(SELL, 5));
  }
  expect(book.depth(SELL, 5).map(({ price }) => price)).toEqual([0, 1, 2, 3, 4]);
  return Object.entries(steps).map(([operation, total]) => ({ operation, steps: total / OPERATIONS }));
}

describe(`a book of ${MANY.toLocaleString("en-US")} orders`, () => {
  const many = stepsWith(MANY);
  const few = stepsWith(FEW);

  test.each(few)("takes no more steps for `$operation` than one of 1,000", ({ operation, steps }) => {
    const same = many.find((each) => each.operation === operation)?.steps ?? NaN;
    expect(steps).toBeGreaterThan(2);
    // The number of hash entries read differs with the ids.
    expect(Math.abs(same / steps - 1)).toBeLessThan(0.05);
  });

  test("reads the five best levels in exactly the steps of one of 1,000", () => {
    const depth = (all: typeof few) => all.find(({ operation }) => operation === "depth")?.steps;
    expect(depth(many)).toBe(depth(few) ?? NaN);
    expect(depth(many)).toBeLessThan(60);
  });
});
