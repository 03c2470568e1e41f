// When checkpoints are saved beside calls and at a stop, in which order, and what happens if one can't be.

import { describe, expect, test } from "bun:test";
import type { Logger } from "../../../../common/logger.ts";
import type { MarketEngine } from "../../../../engine/api/market-engine.ts";
import type { EngineAuditStore } from "../../../../engine/audit/engine-audit-store.ts";
import type { ReadableJournal } from "../../../../engine/journal/journal-scan.ts";
import type { JournalWriter } from "../../../../engine/journal/journal-writer.ts";
import { type NewCheckpoint, StorageFull, type WrittenCheckpoint } from "../../../../engine/journal/journal.ts";
import type { CancelOnDisconnectOrders } from "../../../../engine/server/host/cancel-on-disconnect.ts";
import { auditPositionOf, checkpointOf, CheckpointSaver } from "../../../../engine/server/host/checkpoint-saver.ts";
import { EngineFailure } from "../../../../engine/server/host/engine-failure.ts";
import { FailStop } from "../../../../engine/server/host/fail-stop.ts";
import { EngineCounters } from "../../../../engine/server/metrics/engine-counters.ts";
import { turn } from "../checkpoints/running-engine.ts";

const ENGINE = {
  checkpoint: () => [{ kind: "engine" }, { kind: "orders" }],
  rememberedOperations: (since: number) => [{ kind: "operations", since }],
  realNow: 77,
} as unknown as MarketEngine;

function saver({ hasMaker = true, toDelete = 0 } = {}) {
  const did: string[] = [];
  const log: string[] = [];
  const failures: string[] = [];
  const made: PromiseWithResolvers<WrittenCheckpoint>[] = [];
  const saved: NewCheckpoint[] = [];
  const state = {
    isCheckpointDue: true,
    hasUncommitted: false,
    hasNewRecords: true,
    lastNumber: 9,
    refusal: null as { readonly code: string; readonly message: string } | null,
    left: toDelete,
    fault: "",
    lastPosition: 5,
    syncs: (): void => {},
  };
  const step = (name: string) => {
    did.push(name);
    if (state.fault === name) throw new Error(`no ${name}`);
  };
  const journal = Object.defineProperties(
    {
      useCheckpoint: ({ upTo }: WrittenCheckpoint) => step(`use ${upTo}`),
      saveCheckpoint: (checkpoint: NewCheckpoint) => (saved.push(checkpoint), step("save")),
      deleteReplaced: () => (step("delete"), --state.left > 0),
      removeReplacedFile: () => Promise.resolve(step("remove")),
      postponeCheckpoint: () => step("postpone"),
      refuseChanges: () => step("refuse"),
      close: () => step("close"),
    },
    Object.fromEntries(
      (["isCheckpointDue", "hasUncommitted", "hasNewRecords", "lastNumber", "refusal"] as const).map((name) =>
        [name, { get: () => state[name] }] as const
      ),
    ),
  );
  const counters = new EngineCounters();
  const failStop = new FailStop(({ message }) => void failures.push(message));
  const note = (text: string, { reason = "" }: { readonly reason?: string } = {}) => void log.push(text + reason);
  const checkpoints = new CheckpointSaver({
    journal: journal as unknown as JournalWriter,
    maker: hasMaker
      ? {
        make: (upTo) => {
          did.push(`make ${upTo}`);
          made.push(Promise.withResolvers());
          return made.at(-1)!.promise;
        },
        cancel: () => void did.push("cancel"),
      }
      : null,
    audit: {
      get lastPosition() {
        return state.lastPosition;
      },
      sync: () => (step("sync"), state.syncs()),
    } as unknown as EngineAuditStore,
    engine: ENGINE,
    orders: { all: () => ["ORD-1"] } as unknown as CancelOnDisconnectOrders<unknown>,
    secretDigest: "digest",
    failStop,
    counters,
    log: { info: note, error: note } as unknown as Logger,
    defer: (task) => void setImmediate(task),
  });
  /** What was done since the last call, some turns later. */
  const since = async () => {
    for (let count = 0; count < 10; count++) await turn();
    return did.splice(0);
  };
  const written = (upTo: number) => made.at(-1)!.resolve({ upTo } as WrittenCheckpoint);
  const counts = () => counters.checkpoints.samples("outcome").map(({ value }) => value);
  return { checkpoints, state, since, made, written, saved, log, failures, failStop, counts };
}

const BEGUN = ["delete", "remove"];

describe("a checkpoint beside calls", () => {
  test("is in use once it is written and the audit trail is synced; then what it replaces is deleted in steps", async () => {
    const { checkpoints, state, since, written, counts, log } = saver({ toDelete: 2 });
    expect(await since()).toEqual(["delete", ...BEGUN]);
    checkpoints.saveIfDue();
    expect(await since()).toEqual(["make 9"]);
    state.left = 3;
    written(9);
    expect(await since()).toEqual(["sync", "use 9", "delete", "delete", "delete", "remove"]);
    expect([counts(), log]).toEqual([[1, 0], ["checkpoint of the state saved"]]);
  });

  test("is begun only if it is due, everything is committed, and neither another one nor a deletion is under way", async () => {
    const { checkpoints, state, since, written } = saver();
    checkpoints.saveIfDue();
    expect(await since()).toEqual(BEGUN);
    state.isCheckpointDue = false;
    checkpoints.saveIfDue();
    state.isCheckpointDue = true;
    state.hasUncommitted = true;
    checkpoints.saveIfDue();
    expect(await since()).toEqual([]);
    state.hasUncommitted = false;
    checkpoints.saveIfDue();
    checkpoints.saveIfDue();
    expect(await since()).toEqual(["make 9"]);
    written(9);
    await since();
    state.lastNumber = 12;
    checkpoints.saveIfDue();
    expect(await since()).toEqual(["make 12"]);
  });

  test("is not made without a maker, nor after a failure or the end", async () => {
    const without = saver({ hasMaker: false });
    await without.since();
    without.checkpoints.saveIfDue();
    expect(await without.since()).toEqual([]);
    const failed = saver();
    await failed.since();
    failed.failStop.fail(new EngineFailure("first"));
    failed.checkpoints.saveIfDue();
    expect(await failed.since()).toEqual([]);
    const abandoned = saver();
    await abandoned.since();
    abandoned.checkpoints.abandon();
    abandoned.checkpoints.saveIfDue();
    expect(await abandoned.since()).toEqual(["cancel"]);
  });

  test.each<[string, Error, string[]]>([
    ["for whatever reason", new Error("no\nthread"), ["postpone"]],
    ["because the disk is full", new StorageFull("no space"), ["postpone", "refuse"]],
  ])("that can't be made %s is told, counted and put off, and the next one is made", async (_, error, expected) => {
    const { checkpoints, since, made, counts, log, failures } = saver();
    await since();
    checkpoints.saveIfDue();
    made[0]!.reject(error);
    expect(await since()).toEqual(["make 9", ...expected]);
    const reason = error.message.replace("\n", " ");
    const text = "could not save a checkpoint, so the journal keeps the calls since the last one: {reason}";
    expect([counts(), log, failures]).toEqual([[0, 1], [text + reason], []]);
    checkpoints.saveIfDue();
    expect(await since()).toEqual(["make 9"]);
  });

  test("is not used if the files of the journal are gone, but is if the disk is only full", async () => {
    for (
      const [code, expected] of [["storage_missing", ["sync", "postpone"]], ["storage_full", [
        "sync",
        "use 9",
        ...BEGUN,
      ]]]
    ) {
      const { checkpoints, state, since, written } = saver();
      await since();
      checkpoints.saveIfDue();
      await since();
      state.refusal = { code: String(code), message: "gone" };
      written(9);
      expect(await since()).toEqual(expected as string[]);
    }
  });

  test.each(["use 9", "delete"])(
    "that the journal fails on ends the engine, which says no more of it: %s",
    async (name) => {
      const { checkpoints, state, since, written, failures, counts } = saver();
      await since();
      checkpoints.saveIfDue();
      state.fault = name;
      written(9);
      await since();
      expect([failures, counts()[1]]).toEqual([[`the journal can't be written: no ${name}`], 0]);
    },
  );

  test("that is written after the end is not used, and nothing is deleted any more", async () => {
    const { checkpoints, since, written, log } = saver();
    await since();
    checkpoints.saveIfDue();
    checkpoints.abandon();
    written(9);
    expect(await since()).toEqual(["make 9", "cancel", "sync"]);
    expect(log).toEqual([]);
    const deleting = saver({ toDelete: 1000 });
    await deleting.since();
    deleting.checkpoints.abandon();
    await deleting.since();
    expect(await deleting.since()).toEqual([]);
  });
});

describe("what a backup keeps", () => {
  test("is everything up to the last committed record, until it is released", async () => {
    const { checkpoints, state, since, written } = saver();
    await since();
    const { upTo, release } = checkpoints.keep();
    expect(upTo).toBe(9);
    checkpoints.saveIfDue();
    written(9);
    expect(await since()).toEqual(["make 9", "sync", "use 9"]);
    checkpoints.saveIfDue();
    state.left = 1;
    expect(await since()).toEqual([]);
    release();
    expect(await since()).toEqual(BEGUN);
    // The next backup keeps what there is then.
    checkpoints.keep();
    checkpoints.saveIfDue();
    written(9);
    expect(await since()).toEqual(["make 9", "sync", "use 9"]);
  });
});

describe("the checkpoint at a stop", () => {
  test("has the state of engine and host, after all audit events are durable", async () => {
    const { checkpoints, state, since, saved } = saver();
    await since();
    const positions = [6, 7];
    state.syncs = () => void (state.lastPosition = positions.shift() ?? state.lastPosition);
    await checkpoints.close();
    expect(await since()).toEqual(["cancel", "sync", "sync", "sync", "save", "remove", "close"]);
    const host = { kind: "host", watchedOrders: ["ORD-1"], secretDigest: "digest", auditPosition: 7 };
    const [checkpoint] = saved;
    expect([...checkpoint!.state].map((text) => JSON.parse(text))).toEqual([host, ...ENGINE.checkpoint()] as never);
    expect([...checkpoint!.operations(8)]).toEqual(['{"kind":"operations","since":8}']);
    expect(checkpoint!.time).toBe(77);
  });

  test.each<[string, object]>([
    ["nothing is new", { hasNewRecords: false }],
    ["the storage can't keep it", { refusal: { code: "storage_full", message: "" } }],
  ])("is left out if %s, and the journal is closed", async (_, change) => {
    const { checkpoints, state, since } = saver();
    await since();
    Object.assign(state, change);
    await checkpoints.close();
    expect(await since()).toEqual(["cancel", "close"]);
  });

  test.each([["sync"], ["save"], ["remove"]])("closes the journal also if it fails: %s", async (name) => {
    const { checkpoints, state, since } = saver();
    await since();
    state.fault = name;
    await expect(checkpoints.close()).rejects.toThrow(`no ${name}`);
    expect((await since()).at(-1)).toBe("close");
  });
});

test("a checkpoint names the audit position of its host's part, and a journal without a checkpoint has none", () => {
  const host = { watchedOrders: [], secretDigest: null, auditPosition: 12 };
  const [firstPart = ""] = checkpointOf(ENGINE, host).state;
  const of = (firstPart: string | null) => auditPositionOf({ firstPart } as ReadableJournal);
  expect([of(firstPart), of(null), auditPositionOf(null)]).toEqual([12, 0, 0]);
});
