import { expect, test } from "bun:test";
import { Ladder } from "../../bench/ladder.ts";
import { mktPlayer, peerPlayer, play } from "../../bench/order-flow.ts";
import { makeOperations, SHALLOW, type Workload } from "../../bench/workloads.ts";
import { wallClock } from "../../bench/stopwatch.ts";
import { sweep } from "../../engine/market/matching.ts";
import { BUY, SELL } from "../../engine/market/order-book.ts";
import { PagedSlots } from "../../engine/market/paged-slots.ts";
import { PriceTimeBook } from "../../engine/market/price-time-book.ts";
import { SeededRandom } from "../../sim/random/seeded-random.ts";
import { type Operations, readOperations } from "../../engine/replay/ops-file.ts";
import { size } from "../support/sizes.ts";

function operationsOf(workload: Workload, count: number, seed: number): Operations {
  const read = readOperations(makeOperations(workload, count, seed));
  if (!read.ok) throw new Error(read.fault);
  return read.operations;
}

test("the book trades as the peer does, order for order, for several seeds", () => {
  for (const seed of size([1], [1, 2, 3, 4, 5])) {
    const operations = operationsOf({ ...SHALLOW, liveOrders: 300 }, 8_000, seed);
    const [ours, peers] = [() => mktPlayer(operations, null), () => peerPlayer(operations)]
      .map((makePlayer) => play(makePlayer, 0, operations.count, wallClock()).outcome);
    expect(ours?.trades).toBeGreaterThan(500);
    expect([seed, ours]).toEqual([seed, peers]);
  }
});

test("a workload is the same for a seed, another for another, and keeps the mixture and the live orders", () => {
  const count = 60_000;
  const workload = { ...SHALLOW, liveOrders: 500 };
  const file = makeOperations(workload, count, 7);
  expect(Bun.hash(makeOperations(workload, count, 7))).toBe(Bun.hash(file));
  expect(Bun.hash(makeOperations(workload, count, 8))).not.toBe(Bun.hash(file));
  const kinds = file.subarray(32).filter((_, at) => at % 16 === 2);
  const counts = [0, 1, 2].map((kind) => kinds.filter((each) => each === kind).length);
  [0.55, 0.35, 0.1].forEach((share, kind) => expect((counts[kind] ?? NaN) / count).toBeCloseTo(share, 1));
  const operations = operationsOf(workload, count, 7);
  expect(new Set(operations.id.filter((_, at) => operations.op[at] === 0)).size).toBe(count - (counts[1] ?? 0));
  const { liveOrders } = play(() => mktPlayer(operations, null), 0, count, wallClock()).outcome;
  expect(Math.abs(liveOrders / workload.liveOrders - 1)).toBeLessThan(0.2);
});

test("the ladder, a peer of the book, trades and shows its levels as the book does", () => {
  const random = new SeededRandom(3);
  const ladder = new Ladder(50, 4_000);
  const book = new PriceTimeBook(new PagedSlots());
  const trades: number[][] = [];
  const expected: number[][] = [];
  for (let id = 1; id <= 4_000; id++) {
    const side = random.integer(0, 1) === 0 ? BUY : SELL;
    const price = random.integer(0, 49);
    const quantity = random.integer(1, 9);
    const left = ladder.sweep(side, price, quantity, (...trade) => trades.push(trade));
    if (left > 0) ladder.add(id, side, price, left);
    const record = (resting: number, _party: unknown, ...terms: number[]) => expected.push([resting, ...terms]);
    const remaining = sweep(book, side, price, quantity, record);
    if (remaining > 0) book.add(id, side, price, remaining, 0, id);
    const cancelled = random.integer(1, id);
    expect(ladder.remove(cancelled)).toBe(book.remove(cancelled));
    expect(ladder.orderCount).toBe(book.orderCount);
    for (const each of [BUY, SELL]) expect(ladder.depth(each, 5)).toEqual(book.depth(each, 5));
  }
  expect(trades.length).toBeGreaterThan(1_000);
  expect(trades).toEqual(expected);
});
