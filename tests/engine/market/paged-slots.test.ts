import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { HashedSlots } from "../../../engine/market/hashed-slots.ts";
import { BUY, NO_SLOT } from "../../../engine/market/order-book.ts";
import { PagedSlots } from "../../../engine/market/paged-slots.ts";
import { PriceTimeBook } from "../../../engine/market/price-time-book.ts";

const INDEXES = [["paged", () => new PagedSlots()], ["hashed", () => new HashedSlots()]] as const;
/** Around the ends of pages, and far apart. */
const ID = fc.oneof(
  fc.integer({ min: 0, max: 60 }),
  fc.integer({ min: 4090, max: 4100 }),
  fc.constant(10_000_000),
);

describe.each(INDEXES)("the %s index of slots", (_name, makeIndex) => {
  test("finds, adds and deletes as a Map does", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom("insert", "insert", "delete", "get"), ID), { maxLength: 200 }),
        (steps) => {
          const index = makeIndex();
          const map = new Map<number, number>();
          let nextSlot = 1;
          for (const [step, id] of steps) {
            const known = map.get(id) ?? NO_SLOT;
            if (step === "get") expect(index.get(id)).toBe(known);
            else if (step === "insert") {
              expect(index.insert(id, nextSlot)).toBe(known === NO_SLOT);
              if (known === NO_SLOT) map.set(id, nextSlot++);
            } else {
              expect(index.delete(id)).toBe(known);
              map.delete(id);
            }
          }
          for (const [id, slot] of map) expect(index.get(id)).toBe(slot);
          for (const [id, slot] of map) expect(index.delete(id)).toBe(slot);
          for (const id of map.keys()) expect(index.get(id)).toBe(NO_SLOT);
        },
      ),
    );
  });
});

test("the paged index refuses ids that it can't hold", () => {
  const index = new PagedSlots();
  for (const id of [-1, NaN, 2 ** 43 + 1]) expect(() => index.insert(id, 1)).toThrow(RangeError);
  expect(index.get(-1)).toBe(NO_SLOT);
  expect(index.delete(-1)).toBe(NO_SLOT);
});

test("the paged index keeps a page as long as an id of it is present", () => {
  const index = new PagedSlots();
  const pages = () => index["pages"].map((page) => page?.count ?? null);
  for (const id of [0, 4095, 4096, 12_288]) expect(index.insert(id, id + 1)).toBe(true);
  expect(pages()).toEqual([2, 1, null, 1]);
  expect([index.insert(0, 9), index.delete(1), index.delete(8192)]).toEqual([false, NO_SLOT, NO_SLOT]);
  expect(pages()).toEqual([2, 1, null, 1]);
  expect([index.delete(4096), index.delete(0)]).toEqual([4097, 1]);
  expect(pages()).toEqual([1, null, null, 1]);
  expect([index.get(4095), index.get(4096), index.insert(4096, 5), index.get(4096)]).toEqual([4096, NO_SLOT, true, 5]);
});

test("two books share an index, if no id is in both", () => {
  const index = new PagedSlots();
  const [one, other] = [new PriceTimeBook(index), new PriceTimeBook(index)];
  one.add(1, BUY, 100, 10, 0, 1);
  other.add(2, BUY, 200, 20, 0, 2);
  expect(other.remove(2)).toBe(true);
  expect(other.remove(2)).toBe(false);
  expect([one.orderCount, other.orderCount]).toEqual([1, 0]);
  expect(one.priceOf(one.slotOf(1))).toBe(100);
});
