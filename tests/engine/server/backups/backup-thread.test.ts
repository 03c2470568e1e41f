// The code of the thread that makes a backup, run in this thread: what it asks for, and what it makes of the answers.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import * as os from "node:os";
import { auditLine } from "../../../../engine/api/audit-lines.ts";
import { recordedOf } from "../../../../engine/audit/audit-events.ts";
import type { BlockRow } from "../../../../engine/audit/audit-blocks.ts";
import { SqliteAuditStore } from "../../../../engine/audit/sqlite-audit-store.ts";
import { BACKUP_FORMAT, type BackupDescription } from "../../../../engine/backup/backup-format.ts";
import * as checkpointFiles from "../../../../engine/journal/checkpoint-files.ts";
import { FORMAT_VERSION } from "../../../../engine/journal/journal-tables.ts";
import type { CheckpointOrigin } from "../../../../engine/journal/sqlite-journal.ts";
import type { FromBackupThread, ToBackupThread } from "../../../../engine/server/backups/backup-messages.ts";
import { EventMaker, NOW } from "../../../common/audit/support/events.ts";
import { replaced } from "../../../support/replaced.ts";
import { entriesIn } from "../../backup/backup-of.ts";

const scope = globalThis as unknown as { postMessage: unknown; onmessage: unknown };
const before = { postMessage: scope.postMessage, onmessage: scope.onmessage };
const said: FromBackupThread[] = [];
let tell: (message: ToBackupThread) => void;
let priorities: unknown[];

beforeAll(async () => {
  scope.postMessage = (message: FromBackupThread) => void said.push(message);
  // The priority would be that of the tests.
  priorities = replaced(os, "setPriority", () => {});
  replaced(os, "getPriority", () => 3);
  await import("../../../../engine/server/backups/backup-thread.ts");
  const take = scope.onmessage as (message: { data: ToBackupThread }) => void;
  tell = (data) => take({ data });
});

beforeEach(() => void (said.length = 0));

afterAll(() => {
  Object.assign(scope, before);
});

const DESCRIPTION: BackupDescription = {
  kind: "mkt backup",
  format: BACKUP_FORMAT,
  mkt: "1.2.3",
  journalFormat: FORMAT_VERSION,
  engineId: "M-1",
  epoch: 1000,
  upTo: 4,
  sequence: 1042,
  marketTime: "2026-05-05T05:05:05.000Z",
  time: "2026-05-05T05:05:06.000Z",
  checkpoint: null,
  auditPosition: 0,
  auditDelivered: null,
};
const ORIGIN = { header: { engineId: "M-1" }, headerChecksum: 7, directory: "DIR", inUse: null, handles: new Map() };

interface Answers {
  readonly records?: (after: number) => { readonly texts: string; readonly last: number };
  readonly blocks?: (after: number) => readonly BlockRow[];
}

/** Takes a backup to its end; returns what was asked, and what it has or why it failed. */
async function backup(description: Partial<BackupDescription>, { records, blocks }: Answers, origin: object = ORIGIN) {
  tell({ kind: "order", origin: origin as CheckpointOrigin, description: { ...DESCRIPTION, ...description } });
  const asked: string[] = [];
  const frames: Uint8Array[] = [];
  const wait = async () => {
    for (let turns = 0; turns < 100 && said.length === 0; turns++) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    return said.shift() ?? expect.unreachable();
  };
  for (let turns = 0; turns < 3; turns++) await new Promise((resolve) => setImmediate(resolve));
  expect(said).toEqual([]);
  tell({ kind: "next" });
  for (;;) {
    const message = await wait();
    if (message.kind === "failed") return { asked, failure: message.reason, frames: frames.length, entries: [] };
    if (message.kind === "frame") {
      frames.push(message.bytes);
      if (message.isLast) break;
      tell({ kind: "next" });
    } else {
      asked.push(`${message.kind} after ${message.after}`);
      if (message.kind === "records") {
        tell({ kind: "records", slice: records?.(message.after) ?? expect.unreachable() });
      } else tell({ kind: "events", blocks: blocks?.(message.after) ?? [] });
    }
  }
  const entries = await entriesIn(Buffer.concat(frames));
  const shown = entries.slice(1).map((entry) =>
    entry.kind === "events"
      ? `events ${entry.first}-${entry.last}: ${entry.lines.split("\n").length - 1}`
      : entry.kind === "call"
      ? `${entry.number} ${entry.text}`
      : "text" in entry
      ? `${entry.kind} ${entry.text}`
      : entry.kind
  );
  return { asked, failure: null, frames: frames.length, entries: shown };
}

/** Blocks of as many events each, the first of which has this position. */
function blocksOf(first: number, ...counts: readonly number[]): BlockRow[] {
  const maker = new EventMaker();
  maker.many(first - 1);
  const store = SqliteAuditStore.inMemory({ now: () => NOW });
  for (const count of counts) {
    store.record(maker.many(count).map((event) => auditLine(recordedOf(event))).join(""));
    store.write();
  }
  const rows = store.blocksAfter(0);
  store.close();
  return rows;
}

const HEADER = 'header {"engineId":"M-1"}';
const one = (after: number) => ({ texts: `{"n":${after + 1}}`, last: after + 1 });
const CALLS = [1, 2, 3, 4].map((number) => `${number} {"n":${number}}`);

test("the thread has a low priority", () => {
  expect(priorities).toEqual(process.platform === "linux" ? [[0, 10]] : []);
});

describe("the records of a backup", () => {
  test("are those up to its last one, in slices of any size", async () => {
    expect(await backup({}, { records: one })).toEqual({
      asked: [0, 1, 2, 3].map((after) => `records after ${after}`),
      failure: null,
      frames: 1,
      entries: [HEADER, ...CALLS],
    });
    const slices = [{ texts: '{"n":1}\n{"n":2}\n{"n":3}', last: 3 }, { texts: '{"n":4}\n{"n":5}\n{"n":6}', last: 6 }];
    expect(await backup({}, { records: () => slices.shift()! })).toMatchObject({
      asked: ["records after 0", "records after 3"],
      entries: [HEADER, ...CALLS],
    });
  });

  test("follow those of the checkpoint, which is read from its open files", async () => {
    const read = replaced(checkpointFiles, "readCheckpoint", () => ['{"p":1}', '{"p":2}'].values());
    const inUse = { upTo: 2 };
    const origin = { ...ORIGIN, inUse };
    expect(await backup({ checkpoint: 2 }, { records: one }, origin)).toMatchObject({
      asked: ["records after 2", "records after 3"],
      entries: [HEADER, 'part {"p":1}', 'part {"p":2}', CALLS[2], CALLS[3]],
    });
    expect(read).toEqual([["DIR", inUse, 7, ORIGIN.handles]] as never);
  });

  test("are none after a checkpoint that has all", async () => {
    replaced(checkpointFiles, "readCheckpoint", () => ["{}"].values());
    const done = await backup({ checkpoint: 4 }, {}, { ...ORIGIN, inUse: { upTo: 4 } });
    expect([done.asked, done.entries]).toEqual([[], [HEADER, "part {}"]]);
  });

  test("fill frames, each of which is made when it is asked for", async () => {
    const records = (after: number) => ({ texts: `{"n":"${"x".repeat(1 << 20)}"}`, last: after + 1 });
    expect(await backup({}, { records })).toMatchObject({ frames: 5, failure: null });
  });

  test("that are missing end it", async () => {
    expect((await backup({}, { records: (after) => ({ texts: "", last: after }) })).failure).toBe(
      "the journal has no records after 0",
    );
  });

  test("that come as another answer end it", async () => {
    tell({ kind: "order", origin: ORIGIN as unknown as CheckpointOrigin, description: DESCRIPTION });
    tell({ kind: "events", blocks: [] });
    for (let turns = 0; turns < 5; turns++) await new Promise((resolve) => setImmediate(resolve));
    expect(said).toEqual([{ kind: "failed", reason: "the engine sent events instead of next" }]);
  });
});

describe("the audit events of a backup", () => {
  const events = (auditPosition: number, blocks: (after: number) => readonly BlockRow[]) =>
    backup({ upTo: 0, auditPosition }, { blocks });

  test("are whole blocks, up to its last event", async () => {
    const rows = blocksOf(1, 3, 2, 4);
    const after = (position: number) => rows.filter(({ last_position }) => last_position > position).slice(0, 1);
    expect(await events(9, after)).toMatchObject({
      asked: ["events after 0", "events after 3", "events after 5"],
      entries: [HEADER, "events 1-3: 3", "events 4-5: 2", "events 6-9: 4"],
    });
    expect(await events(5, () => rows)).toMatchObject({
      asked: ["events after 0"],
      entries: [HEADER, "events 1-3: 3", "events 4-5: 2"],
    });
  });

  test("are a part of a block that has later ones", async () => {
    const rows = blocksOf(1, 3, 4);
    for (const [upTo, count] of [[4, 1], [6, 3]]) {
      expect((await events(upTo!, () => rows)).entries).toEqual([
        HEADER,
        "events 1-3: 3",
        `events 4-${upTo}: ${count}`,
      ]);
    }
  });

  test("may begin after ones that were deleted, and there may be none", async () => {
    const later = blocksOf(7, 2);
    expect((await events(8, () => later)).entries).toEqual([HEADER, "events 7-8: 2"]);
    expect(await events(6, () => later)).toMatchObject({ failure: null, entries: [HEADER] });
    expect(await events(6, () => [])).toMatchObject({ asked: ["events after 0"], failure: null, entries: [HEADER] });
    expect(await events(0, () => later)).toMatchObject({ asked: [], entries: [HEADER] });
  });

  test("that are missing in between or at the end end it", async () => {
    const [first, , third] = blocksOf(1, 3, 2, 4);
    const gone = (last: number, next: number) =>
      `the audit trail has no events between ${last} and ${next}: they were deleted meanwhile, or are damaged`;
    expect((await events(9, () => [first!, third!])).failure).toBe(gone(3, 6));
    expect((await events(9, (after) => after === 0 ? [first!] : [])).failure).toBe(gone(3, 10));
    expect((await events(9, (after) => after === 0 ? [first!] : [third!])).failure).toBe(gone(3, 6));
  });

  test("that are damaged end it", async () => {
    const [row] = blocksOf(1, 3);
    expect((await events(3, () => [{ ...row!, checksum: 1 }])).failure).toStartWith("audit events 1 to 3 are damaged");
  });
});
