// What a replay of a journal restores beside the engine itself, and what it tells of it.

import { describe, expect, test } from "bun:test";
import type { Logger } from "../../../../common/logger.ts";
import { SqliteAuditStore } from "../../../../engine/audit/sqlite-audit-store.ts";
import type { FailedCall, JournalCall } from "../../../../engine/journal/journal-call.ts";
import { JournalReplay } from "../../../../engine/server/recovery/journal-replay.ts";
import { recoverEngine } from "../../../../engine/server/recovery/recover-engine.ts";
import { EPOCH, smallMarket, START, USERS } from "../../support/market.ts";
import { MemoryDisk, MemoryJournal } from "../../support/memory-journal.ts";

const HEADER = { engineId: "test-engine", epoch: EPOCH, startedAt: START, definition: smallMarket() };
type Execute = Extract<JournalCall, { readonly kind: "execute" }>;

function order(side: 0 | 1, cancelOnDisconnect: boolean, price = 100): JournalCall {
  const userId = side === 0 ? USERS.alpha : USERS.beta;
  const payload = { contractId: "N-H12", side, timeInForce: "gtc", price, quantity: 1 };
  const operationId = crypto.randomUUID();
  const call = { kind: "execute", userId, operationId, action: "order.submit", payload, cancelOnDisconnect };
  return { ...call, now: START } as Execute;
}

function cancel(orderId: string): JournalCall {
  const call = { kind: "execute", userId: USERS.alpha, operationId: orderId, action: "order.cancel" } as const;
  return { ...call, payload: { orderId }, cancelOnDisconnect: true, now: START } as Execute;
}

const failed = (call: FailedCall): JournalCall => ({ kind: "failed", call, error: "broken", now: START });

function replayOf(calls: readonly JournalCall[], parts: readonly string[] | null = null) {
  const told: unknown[] = [];
  const replay = new JournalReplay(HEADER, {
    applied: ({ closedOrders }) => void (closedOrders.length > 0 && told.push(["closed", ...closedOrders])),
    epochBegan: () => void told.push("epoch"),
    leftOut: (...what) => void told.push(what),
  });
  if (parts !== null) replay.restore(parts);
  calls.forEach((call, at) => replay.apply(at + 1, JSON.stringify(call)));
  return { replay, told };
}

describe("a replay of a journal", () => {
  test("watches the open orders of connections that wanted them cancelled, and none that has ended", () => {
    const orders = [order(0, true), order(0, false), order(0, true, 90), order(0, true, 80)];
    const kept = (more: readonly JournalCall[]) => replayOf([...orders, ...more]).replay.orders.all();
    expect(kept([])).toEqual(["ORD-1", "ORD-3", "ORD-4"]);
    expect(kept([cancel("ORD-3")])).toEqual(["ORD-1", "ORD-4"]);
    // A fill ends both orders.
    expect(kept([order(1, true)])).toEqual(["ORD-3", "ORD-4"]);
    expect(kept([{ kind: "cancelDisconnected", orderIds: ["ORD-1", "ORD-4"], now: START }])).toEqual(["ORD-3"]);
    const broken = failed({ kind: "cancelDisconnected", orderIds: ["ORD-4"] });
    expect(kept([broken])).toEqual(["ORD-1", "ORD-3"]);
  });

  test("goes on from its own checkpoint with the same orders and the same secret", () => {
    const secret = { kind: "secret", digest: "a digest", now: START } as const;
    const { replay } = replayOf([secret, order(0, true), order(0, true, 90)]);
    const parts = [...replay.checkpoint().state];
    const { replay: again } = replayOf([cancel("ORD-1"), order(0, true, 80)], parts);
    expect([again.orders.all(), again.secretDigest]).toEqual([["ORD-2", "ORD-3"], "a digest"]);
    expect(again.checkpointParts).toBe(parts.length);
    const { replay: other } = replayOf([{ ...secret, digest: null }], parts);
    expect([other.orders.all(), other.secretDigest]).toEqual([["ORD-1", "ORD-2"], null]);
  });

  test("tells of calls that are left out and of epochs, and names the record on which an engine fails", () => {
    const call = { kind: "execute", userId: USERS.alpha, operationId: "o", action: "order.submit" } as const;
    const { told } = replayOf([order(0, true), failed(call), { kind: "newEpoch", epoch: EPOCH + 9, now: START }]);
    expect(told).toEqual([[2, call, "broken"], "epoch"]);
    const unknown = { kind: "setConnected", userId: "nobody", connected: true, now: START } as const;
    expect(() => replayOf([order(0, true), unknown])).toThrow(
      /^journal: the engine fails on record 2 \(setConnected\): .*; start the version of mkt that wrote it/,
    );
  });
});

test("a start says how far its journal is read, and which calls are left out", () => {
  const lines: string[] = [];
  const note = (line: string, facts: Readonly<Record<string, unknown>> = {}) =>
    void lines.push(line.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(facts[name])));
  const log = { debug: note, info: note, warn: note, error: note } as unknown as Logger;
  const [disk, now] = [new MemoryDisk(), () => START];
  const progress: number[][] = [];
  const idle = (count: number): JournalCall[] => Array.from({ length: count }, () => ({ kind: "advance", now: START }));
  const start = (calls: readonly JournalCall[], isCheckpointSaved = false) => {
    const store = new MemoryJournal(disk);
    const audit = SqliteAuditStore.inMemory({ now });
    const onProgress = (...done: number[]) => void progress.push(done);
    const options = { store, audit, header: () => HEADER, secret: null, now, log, onProgress };
    const { journal, isNew } = recoverEngine(options);
    for (const call of calls) journal.append(call);
    journal.commit();
    if (isCheckpointSaved) journal.saveCheckpoint(new JournalReplay(HEADER, null).checkpoint());
    store.close();
    return isNew;
  };
  expect(start([])).toBe(true);
  const call = { kind: "execute", userId: USERS.alpha, operationId: "o", action: "order.submit" } as const;
  expect(start([failed(call), ...idle(2_498), order(0, false)])).toBe(true);
  expect(start([], true)).toBe(false);
  expect(start(idle(1_500))).toBe(true);
  start([]);
  expect(lines).toEqual([
    "made a new market test-engine: there was none",
    "journal read up to record 0, from a checkpoint at null",
    `left out record 1, order.submit of user ${USERS.alpha}, operation o: the engine failed on it: broken`,
    "journal read up to record 2500, from a checkpoint at null",
    "journal read up to record 2500, from a checkpoint at 2500",
    "journal read up to record 4000, from a checkpoint at 2500",
  ]);
  // Of the records after the checkpoint.
  expect(progress).toEqual([[1_000, 2_500], [2_000, 2_500], [500, 1_500], [1_500, 1_500]]);
});
