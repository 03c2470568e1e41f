// Operations replayed in the engine's book, against values computed by hand and against a slow reference.

import { describe, expect, test } from "bun:test";
import { resolve } from "node:path";
import fc from "fast-check";
import { DEEP, makeOperations, SHALLOW, type Workload } from "../../../bench/workloads.ts";
import { HASH_START, hashWord } from "../../../engine/replay/book-hash.ts";
import { LobsterReplay } from "../../../engine/replay/lobster-replay.ts";
import { readOperations } from "../../../engine/replay/ops-file.ts";
import { type OpsReport, replayOperations, type ReplayOutcome } from "../../../engine/replay/ops-replay.ts";
import { LONG, size } from "../../support/sizes.ts";
import { buy, cancel, type Operation, operationsFile, sell } from "./operations-file.ts";
import { referenceReplay } from "./reference-replay.ts";

function outcomeOf(file: Uint8Array, onProgress: (done: number) => void = () => {}): ReplayOutcome<OpsReport> {
  const read = readOperations(file);
  if (!read.ok) throw new Error(read.fault);
  return replayOperations(read.operations, () => performance.now(), onProgress);
}

function replay(file: Uint8Array): OpsReport {
  const outcome = outcomeOf(file);
  if (!outcome.ok) throw new Error(outcome.fault);
  return outcome.report;
}

function play(...operations: Operation[]): OpsReport {
  return replay(operationsFile(operations));
}

describe("the hash step", () => {
  test.each([[[], 2_166_136_261], [[0], 84_696_351], [[1], 67_918_732], [[-1], 4_193_493_326]])(
    "of %p is %p",
    (words, hash) => {
      expect(words.reduce(hashWord, HASH_START)).toBe(hash);
    },
  );

  test("takes the lowest 32 bits of a larger number", () => {
    expect(hashWord(HASH_START, 2 ** 32 + 1)).toBe(hashWord(HASH_START, 1));
  });
});

describe("operations in the book", () => {
  test("give the counts and hashes computed by hand", () => {
    const { opsPerSecond, ...report } = play(sell(7, 101, 5), buy(9, 99, 4), buy(6, -5, 2), buy(8, 102, 3), cancel(8));
    expect(report).toEqual({
      ops: 5,
      trades: 1,
      tradedQuantity: 3,
      cancelMisses: 1,
      liveOrders: 3,
      // (7, 8, 101, 3); (0, 99, 4), (0, -5, 2), (1, 101, 2); (0, 99, 9, 4), (0, -5, 6, 2), (1, 101, 7, 2).
      tradeHash: 3_517_089_018,
      levelHash: 2_560_193_791,
      orderHash: 2_935_287_351,
    });
    expect(opsPerSecond).toBeGreaterThan(0);
  });

  test("are timed without what is between two slices, and their number is told after each", () => {
    const read = readOperations(operationsFile(Array(50_001).fill(cancel(1))));
    const times = [0, 1_000, 5_000, 5_004];
    const done: number[] = [];
    const outcome = replayOperations(
      read.ok ? read.operations : expect.unreachable(),
      () => times.shift()!,
      (count) => void done.push(count),
    );
    // 50,001 in 1.004 s.
    expect([outcome, done]).toMatchObject([{ ok: true, report: { opsPerSecond: 49_802 } }, [50_000, 50_001]]);
  });

  test("of an empty file leave the hashes at their start value", () => {
    expect(play()).toEqual({
      ops: 0,
      trades: 0,
      tradedQuantity: 0,
      cancelMisses: 0,
      liveOrders: 0,
      tradeHash: HASH_START,
      levelHash: HASH_START,
      orderHash: HASH_START,
      opsPerSecond: null,
    });
  });

  test("that cancel an unknown, traded or cancelled order count as misses and change nothing", () => {
    const flow = [buy(1, 10, 5), sell(2, 10, 5), buy(3, 9, 1), buy(4, 8, 1), cancel(4)];
    const { opsPerSecond: _, ...before } = play(...flow);
    const { opsPerSecond: __, ...after } = play(...flow, cancel(1), cancel(2), cancel(4), cancel(99));
    expect(after).toEqual({ ...before, ops: 9, cancelMisses: 4 });
  });

  test("may reuse an id once its order is gone", () => {
    expect(play(buy(1, 10, 5), cancel(1), buy(1, 11, 2), sell(2, 11, 2), buy(1, 12, 1))).toMatchObject({
      trades: 1,
      liveOrders: 1,
    });
  });

  test("that would rest while an order of their id rests stop the run, with the number of the record", () => {
    expect(outcomeOf(operationsFile([buy(1, 10, 5), buy(2, 9, 5), sell(1, 11, 5)]))).toEqual({
      ok: false,
      fault: "record 3: order 1 is in the book already",
    });
  });

  test("report progress up to the total", () => {
    const done: number[] = [];
    const operations = 120_000;
    outcomeOf(makeOperations(SHALLOW, operations, 1), (count) => done.push(count));
    expect(done).toEqual([50_000, 100_000, operations]);
  });
});

// Under test:long, the bench workloads at full size; otherwise the same with fewer operations and a smaller deep book.
const OPERATIONS = size(20_000, 2_000_000);
const WORKLOADS: readonly [string, Workload][] = [
  ["shallow", SHALLOW],
  ["deep", LONG ? DEEP : { ...DEEP, liveOrders: 2_000, prologue: 2_000 }],
];
const SEEDS = Array.from({ length: size(4, 20) }, (_, index) => index + 1);

describe.each(WORKLOADS)(`the %s workload of ${OPERATIONS} operations`, (_, workload) => {
  test.each(SEEDS)("gives the reference's result with seed %p", (seed) => {
    const file = makeOperations(workload, OPERATIONS, seed);
    const { opsPerSecond: _, ...report } = replay(file);
    expect(report).toEqual(referenceReplay(file));
    expect(report.trades).toBeGreaterThan(OPERATIONS / 100);
  });
});

describe("any operations", () => {
  const order = fc.record({
    side: fc.constantFrom(0, 1),
    // Few ids, so that cancels hit, miss, and hit a reused id.
    id: fc.oneof(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 4_294_967_290, max: 4_294_967_295 })),
    price: fc.oneof(fc.integer({ min: -4, max: 4 }), fc.constantFrom(-2_147_483_648, 2_147_483_647)),
    quantity: fc.oneof(fc.integer({ min: 1, max: 9 }), fc.constant(4_294_967_295)),
  });
  const operation = fc.oneof(order, order.map(({ id }) => cancel(id)));

  test("give the reference's result, or name the duplicate order", () => {
    let faults = 0;
    let equal = 0;
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 60 }), (operations) => {
        const outcome = outcomeOf(operationsFile(operations));
        if (!outcome.ok) {
          faults++;
          const record = Number(/^record (\d+): order \d+ is in the book already$/.exec(outcome.fault)?.[1]);
          const before = operationsFile(operations.slice(0, record - 1));
          expect(outcomeOf(before).ok).toBe(true);
          operations = operations.slice(0, record - 1);
        } else equal++;
        const { opsPerSecond: _, ...report } = replay(operationsFile(operations));
        expect(report).toEqual(referenceReplay(operationsFile(operations)));
      }),
      { numRuns: size(250, 100_000) },
    );
    expect(Math.min(faults, equal)).toBeGreaterThan(10);
  });
});

test("docs/replay.md names exactly the counts of both reports, in their order", async () => {
  const text = await Bun.file(resolve(import.meta.dir, "../../../docs/replay.md")).text();
  const documented = [...text.matchAll(/^\| `(\w+)` /gm)].map(([, name]) => name);
  expect(documented).toEqual([...Object.keys(play()), ...Object.keys(new LobsterReplay(1).report)]);
});
