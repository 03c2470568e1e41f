// The operations of one user beside a plain list: what is found, forgotten, saved and restored. operation-log.test.ts has all
// users.

import { describe, expect, test } from "bun:test";
import { KeyedHash } from "../../../engine/operations/keyed-hash.ts";
import { OperationRing, type SavedPage } from "../../../engine/operations/operation-ring.ts";

const PAGE_SIZE = 1024;
const T0 = 1_700_000_000_000;

interface Kept {
  readonly id: string;
  readonly time: number;
  readonly value: number;
}

const newRing = () => new OperationRing(new KeyedHash([1, 2]));

function add(ring: OperationRing, { id, time, value }: Kept): void {
  const bytes = ring.add(id, { high: value, low: value + 1 }, time);
  bytes.integer(value);
  bytes.text(`answer ${value}`);
}

function ringOf(kept: readonly Kept[]): OperationRing {
  const ring = newRing();
  for (const each of kept) add(ring, each);
  return ring;
}

/** What a ring has of these ids; null for those that it does not know. */
function foundIn(ring: OperationRing, ids: readonly string[]): unknown[] {
  return ids.map((id) => {
    const operation = ring.find(id);
    if (operation === null) return null;
    const time = ring.timeOf(operation);
    const { high, low } = ring.fingerprintOf(operation);
    const record = ring.recordOf(operation);
    return [time, high, low, record.integer(), record.text()];
  });
}

const expected = (kept: readonly Kept[]) =>
  kept.map(({ time, value }) => [time, value, value + 1, value, `answer ${value}`]);
const idsOf = (kept: readonly Kept[]) => kept.map(({ id }) => id);

/** Ids of all kinds, and times that stand still for a while. */
const many = (count: number): Kept[] =>
  Array.from({ length: count }, (_, value) => ({
    id: value % 3 === 0 ? `${value}`.padStart(8, "0") + "-0000-4000-8000-00000000abcd" : `an id, ${value} €`,
    time: T0 + Math.floor(value / 4) * 7,
    value,
  }));

describe("operations of several pages", () => {
  const kept = many(2 * PAGE_SIZE + 40);

  test("are found by their ids, with time, fingerprint and record, and no others are", () => {
    const ring = ringOf(kept);
    expect([ring.size, ring.oldestTime]).toEqual([kept.length, T0]);
    expect(foundIn(ring, idsOf(kept))).toEqual(expected(kept));
    expect(foundIn(ring, ["", "an id, 1", "an id, 1 €€"])).toEqual([null, null, null]);
  });

  test("are forgotten from the oldest on, over the ends of pages, until none is left", () => {
    const ring = ringOf(kept);
    for (const gone of [1, 2, PAGE_SIZE - 1, PAGE_SIZE, PAGE_SIZE + 1, 2 * PAGE_SIZE, kept.length]) {
      while (kept.length - ring.size < gone) ring.forgetOldest();
      expect([ring.size, ring.oldestTime]).toEqual([kept.length - gone, kept[gone]?.time ?? Infinity]);
      expect(foundIn(ring, idsOf(kept.slice(gone - 1, gone + 2)))).toEqual([
        null,
        ...expected(kept.slice(gone, gone + 2)),
      ]);
    }
    expect([ring.find(kept[0]!.id), [...ring.save(-Infinity)]]).toEqual([null, []]);
    add(ring, { ...kept[0]!, time: T0 + 99 });
    expect([ring.size, ring.oldestTime, foundIn(ring, [kept[0]!.id])])
      .toEqual([1, T0 + 99, expected([{ ...kept[0]!, time: T0 + 99 }])]);
  });

  test.each([
    [0, -Infinity, 0],
    [0, T0, 0],
    [0, T0 + 1, 4],
    [5, T0, 5],
    [PAGE_SIZE + 3, T0, PAGE_SIZE + 3],
    [3, T0 + PAGE_SIZE / 4 * 7, PAGE_SIZE],
    [0, T0 + 1e9, kept.length],
  ])("of which %d are forgotten are saved from time %d on: from the one at %d", (forgotten, since, first) => {
    const ring = ringOf(kept);
    for (let count = 0; count < forgotten; count++) ring.forgetOldest();
    const restored = newRing();
    for (const page of ring.save(since)) restored.restore(JSON.parse(JSON.stringify(page)) as SavedPage);
    const left = kept.slice(first);
    expect([restored.size, restored.oldestTime]).toEqual([left.length, left[0]?.time ?? Infinity]);
    expect(foundIn(restored, idsOf(left))).toEqual(expected(left));
    expect(foundIn(restored, idsOf(kept.slice(0, first))).every((found) => found === null)).toBe(true);
    expect([...restored.save(-Infinity)].length).toBe(Math.ceil(left.length / PAGE_SIZE));
  });
});

test("an operation that is restored twice counts once; one that was given again later is the later one", () => {
  const [first, ...rest] = many(9);
  const again = { ...first!, time: T0 + 1000, value: 77 };
  const restored = newRing();
  for (const ring of [ringOf([first!, ...rest]), ringOf([...rest, again])]) {
    for (const page of ring.save(-Infinity)) restored.restore(page);
  }
  expect([restored.size, restored.oldestTime]).toEqual([10, T0]);
  expect(foundIn(restored, idsOf([again, ...rest]))).toEqual(expected([again, ...rest]));
  // The earlier one with this id goes, and not the later one.
  restored.forgetOldest();
  expect([restored.size, foundIn(restored, [again.id])]).toEqual([9, expected([again])]);
});

test("times may go back, and be more than 49 days apart", () => {
  const times = [T0, T0 - 5, T0 - 5 + 2 ** 32 - 1, T0 - 5 + 2 ** 32, T0 + 2 ** 40, T0];
  const kept = times.map((time, value) => ({ id: `id ${value}`, time, value }));
  const ring = ringOf(kept);
  expect(foundIn(ring, idsOf(kept))).toEqual(expected(kept));
  const restored = newRing();
  for (const page of ring.save(-Infinity)) restored.restore(page);
  expect(foundIn(restored, idsOf(kept))).toEqual(expected(kept));
});

test("a removed id is unknown and may come again, and one that is unknown is removed without harm", () => {
  const kept = many(5);
  const ring = ringOf(kept);
  ring.remove(kept[2]!.id);
  ring.remove(kept[2]!.id);
  ring.remove("never there");
  expect(foundIn(ring, [kept[2]!.id])).toEqual([null]);
  const again = { ...kept[2]!, value: 99 };
  add(ring, again);
  for (let count = 0; count < 3; count++) ring.forgetOldest();
  expect(foundIn(ring, idsOf([kept[0]!, again, kept[3]!]))).toEqual([null, ...expected([again, kept[3]!])]);
});

test("an operation that was forgotten, or that never was, has no time", () => {
  const ring = ringOf(many(PAGE_SIZE + 1));
  const first = ring.find(many(1)[0]!.id)!;
  for (let count = 0; count < PAGE_SIZE; count++) ring.forgetOldest();
  expect(() => ring.timeOf(first)).toThrow(`there is no operation ${first}`);
});
