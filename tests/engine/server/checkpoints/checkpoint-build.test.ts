// How the next checkpoint is built from slices of records, and what the thread that builds it says.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import * as os from "node:os";
import * as checkpointFiles from "../../../../engine/journal/checkpoint-files.ts";
import type { JournalCall } from "../../../../engine/journal/journal-call.ts";
import { StorageFull } from "../../../../engine/journal/journal.ts";
import type { CheckpointOrigin } from "../../../../engine/journal/sqlite-journal.ts";
import { CheckpointBuild } from "../../../../engine/server/checkpoints/checkpoint-build.ts";
import type {
  FromCheckpointThread,
  ToCheckpointThread,
} from "../../../../engine/server/checkpoints/checkpoint-messages.ts";
import { JournalReplay } from "../../../../engine/server/recovery/journal-replay.ts";
import { replaced } from "../../../support/replaced.ts";
import { EPOCH, smallMarket, START, USERS } from "../../support/market.ts";

const HEADER = { engineId: "test-engine", epoch: EPOCH, startedAt: START, definition: smallMarket() };

const TEXTS = [1, 2, 3, 4, 5].map((number) => {
  const payload = { contractId: "N-H12", side: 0, timeInForce: "gtc", price: 100 * number, quantity: 1 };
  const call = { kind: "execute", userId: USERS.alpha, operationId: `o-${number}`, action: "order.submit", payload };
  return JSON.stringify({ ...call, cancelOnDisconnect: false, now: START } as unknown as JournalCall);
});

const slice = (from: number, to: number) => ({ texts: TEXTS.slice(from - 1, to).join("\n"), last: to });

/** The checkpoint after a record, by a replay of all before it. */
function stateAfter(upTo: number): string[] {
  const replay = new JournalReplay(HEADER, null);
  for (let number = 1; number <= upTo; number++) replay.apply(number, TEXTS[number - 1]!);
  const { state, operations } = replay.checkpoint();
  return [...state, ...operations(-Infinity)];
}

const partsOf = (
  { state, operations }: ReturnType<CheckpointBuild["checkpoint"]>,
) => [...state, ...operations(-Infinity)];

describe("the build of a checkpoint", () => {
  test("applies each record once, in slices of any size, and none after its last", () => {
    for (const slices of [[slice(1, 4)], [slice(1, 5)], [slice(1, 1), slice(2, 3), slice(4, 5)]]) {
      const build = new CheckpointBuild(HEADER, null, 4);
      expect([build.number, build.isComplete]).toEqual([0, false]);
      for (const each of slices) {
        expect(build.isComplete).toBe(false);
        build.take(each);
        expect(build.number).toBe(Math.min(each.last, 4));
      }
      expect([build.isComplete, build.checkpoint().upTo]).toEqual([true, 4]);
      expect(partsOf(build.checkpoint())).toEqual(stateAfter(4));
    }
  });

  test("goes on from the checkpoint in use", () => {
    const build = new CheckpointBuild(HEADER, { upTo: 3, parts: stateAfter(3) }, 5);
    expect([build.number, build.isComplete]).toEqual([3, false]);
    build.take(slice(4, 5));
    expect(partsOf(build.checkpoint())).toEqual(stateAfter(5));
    expect(new CheckpointBuild(HEADER, { upTo: 3, parts: stateAfter(3) }, 3).isComplete).toBe(true);
  });

  test("fails if there are no further records, or on one that the engine can't apply", () => {
    const build = new CheckpointBuild(HEADER, null, 4);
    build.take(slice(1, 2));
    expect(() => build.take({ texts: "", last: 2 })).toThrow("there are no records after 2");
    const unknown = { kind: "setConnected", userId: "nobody", connected: true, now: START };
    expect(() => build.take({ texts: JSON.stringify(unknown), last: 3 })).toThrow("the engine fails on record 3");
  });
});

const scope = globalThis as unknown as { postMessage: unknown; onmessage: unknown };
const before = { postMessage: scope.postMessage, onmessage: scope.onmessage };
const said: FromCheckpointThread[] = [];
let tell: (message: ToCheckpointThread) => void;

beforeAll(async () => {
  scope.postMessage = (message: FromCheckpointThread) => void said.push(message);
  // The priority would be that of the tests.
  replaced(os, "setPriority", () => {});
  await import("../../../../engine/server/checkpoints/checkpoint-thread.ts");
  const take = scope.onmessage as (message: { data: ToCheckpointThread }) => void;
  tell = (data) => take({ data });
});

beforeEach(() => {
  said.length = 0;
  replaced(Bun, "gc", () => 0);
});

afterAll(() => {
  Object.assign(scope, before);
});

describe("the thread of checkpoints", () => {
  const origin = (inUse: object | null = null) =>
    ({ directory: "DIR", header: HEADER, headerChecksum: 7, inUse, handles: new Map() }) as unknown as CheckpointOrigin;
  const [STATE, OPERATIONS] = [{ file: "state" }, [{ file: "operations" }]];
  const WRITTEN = { upTo: 4 };

  test("asks for records until it has all, and writes the checkpoint beside the one in use", async () => {
    const written = replaced(checkpointFiles, "writeCheckpoint", () => WRITTEN);
    const of = origin();
    tell({ kind: "order", origin: of, upTo: 4 });
    tell({ kind: "records", slice: slice(1, 2) });
    tell({ kind: "records", slice: slice(3, 5) });
    expect(said).toEqual(
      [{ kind: "more", after: 0 }, { kind: "more", after: 2 }, { kind: "written", checkpoint: WRITTEN }] as never,
    );
    const [[directory, name, checkpoint, inUse, checksum] = []] = written;
    expect([directory, name, inUse, checksum]).toEqual([
      "DIR",
      checkpointFiles.checkpointFile(4, "beside calls"),
      null,
      7,
    ]);
    expect([...checkpoint!.state, ...checkpoint!.operations(-Infinity)]).toEqual(stateAfter(4));
    // Nothing of it is left.
    tell({ kind: "records", slice: slice(1, 2) });
    expect(said.at(-1)).toEqual({ kind: "failed", reason: "records came before the order", isDiskFull: false });
    await new Promise((resolve) => setImmediate(resolve));
  });

  test.each([["reads operations that it has to write again", 0], ["leaves out operations whose files stay", 1]])(
    "%s",
    async (_, kept) => {
      replaced(checkpointFiles, "keptOperations", () => OPERATIONS.slice(0, kept));
      replaced(checkpointFiles, "writeCheckpoint", () => WRITTEN);
      const read = replaced(checkpointFiles, "readCheckpoint", () => stateAfter(3).values());
      const inUse = { upTo: 3, state: STATE, operations: OPERATIONS, recordChecksum: 1 };
      const of = origin(inUse);
      tell({ kind: "order", origin: of, upTo: 3 });
      const expected = { ...inUse, operations: kept === 1 ? [] : OPERATIONS };
      expect(read as unknown).toEqual([["DIR", expected, 7, of.handles]]);
      expect(said).toEqual([{ kind: "written", checkpoint: WRITTEN }] as never);
      await new Promise((resolve) => setImmediate(resolve));
    },
  );

  test.each<[Error, boolean]>([[new StorageFull("no space"), true], [new Error("broken"), false]])(
    "says why it fails, and takes the next order: %o",
    (error, isDiskFull) => {
      let isBroken = true;
      replaced(checkpointFiles, "writeCheckpoint", () => {
        if (isBroken) throw error;
        return WRITTEN;
      });
      for (
        const expected of [{ kind: "failed", reason: error.message, isDiskFull }, {
          kind: "written",
          checkpoint: WRITTEN,
        }]
      ) {
        tell({ kind: "order", origin: origin(), upTo: 1 });
        tell({ kind: "records", slice: slice(1, 1) });
        expect(said.at(-1) as unknown).toEqual(expected);
        isBroken = false;
      }
    },
  );
});
