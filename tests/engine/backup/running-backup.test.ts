import { beforeAll, beforeEach, describe, expect, spyOn, test } from "bun:test";
import { SqliteAuditStore } from "../../../engine/audit/sqlite-audit-store.ts";
import type { BackupEntry } from "../../../engine/backup/backup-format.ts";
import { buildRestoredData } from "../../../engine/backup/restored-data.ts";
import { stateFilesIn } from "../support/checkpoints.ts";
import { EngineCounters } from "../../../engine/server/metrics/engine-counters.ts";
import { atEnd } from "../../support/at-end.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";
import { until } from "../../support/until.ts";
import { SteppedTimers } from "../server/host/stepped-timers.ts";
import { run, type RunningHost, turn } from "../server/checkpoints/running-engine.ts";
import { backupsOf, beginBackup, bytesIn, entriesIn } from "./backup-of.ts";

let directory: string;
beforeEach(() => void (directory = temporaryDirectory()));

const callsIn = (entries: readonly BackupEntry[]) =>
  entries.flatMap((entry) => entry.kind === "call" ? [entry.number] : []);
const [WRITTEN_BEFORE, MEANWHILE] = [30, 40];

/** For tests that change nothing in it. */
const unchanged = await engineWith(WRITTEN_BEFORE);

/** It ends with the file. */
async function engineWith(calls: number): Promise<RunningHost> {
  const engine = await run(temporaryDirectory(), Infinity);
  atEnd(() => engine.stop());
  engine.buy(calls);
  return engine;
}

describe("a backup under way", () => {
  test("has what was committed when it began, and nothing later", async () => {
    const engine = await run(directory, Infinity);
    engine.buy(WRITTEN_BEFORE);
    const { engine: { epoch, sequence } } = engine.host;
    const counters = new EngineCounters();
    const stream = beginBackup(backupsOf(engine, { counters }));
    engine.buy(MEANWHILE);
    const entries = await entriesIn(await bytesIn(stream));
    expect([counters.backups.samples("outcome")[0]?.value, counters.lastBackupAt]).toEqual([1, expect.any(Number)]);
    expect(entries[0]).toMatchObject({ description: { epoch, sequence, upTo: WRITTEN_BEFORE, checkpoint: null } });
    expect(callsIn(entries)).toEqual(Array.from({ length: WRITTEN_BEFORE }, (_, at) => at + 1));
    const events = entries.flatMap((entry) => entry.kind === "events" ? [entry] : []);
    expect([events[0]?.first, events.at(-1)?.last]).toEqual([1, WRITTEN_BEFORE]);
    await engine.stop();
  });

  test("keeps the checkpoint and the records that it needs, while a later checkpoint replaces them", async () => {
    const first = await run(directory, Infinity);
    first.buy(WRITTEN_BEFORE);
    await first.stop();
    const [old = ""] = stateFilesIn(directory);
    const engine = await run(directory, MEANWHILE, undefined, WRITTEN_BEFORE);
    // The host looks first whether something is left to delete.
    for (let count = 0; count < 10; count++) await turn();
    engine.buy(1);
    const { origin } = engine.store;
    const stream = beginBackup(backupsOf(engine));
    engine.buy(MEANWHILE);
    await until(() => engine.store.origin?.inUse?.state.file !== origin?.inUse?.state.file, "a later checkpoint");
    expect(stateFilesIn(directory)).toContain(old);
    expect(engine.store.recordsAfter(WRITTEN_BEFORE).last).toBe(WRITTEN_BEFORE + 1 + MEANWHILE);
    const entries = await entriesIn(await bytesIn(stream));
    expect(entries[0]).toMatchObject({ description: { checkpoint: WRITTEN_BEFORE, upTo: WRITTEN_BEFORE + 1 } });
    expect(callsIn(entries)).toEqual([WRITTEN_BEFORE + 1]);
    expect(entries.filter(({ kind }) => kind === "part").length).toBeGreaterThan(1);
    await until(() => !stateFilesIn(directory).includes(old), "the old checkpoint to be deleted");
    await engine.stop();
  });

  test.each([[null], [0], [17]])("tells how much of the audit trail had been delivered: %p", async (delivered) => {
    const { journal, audit } = unchanged.backupSource;
    if (delivered !== null) audit.markDelivered(delivered);
    const [first] = await entriesIn(await bytesIn(beginBackup(backupsOf(unchanged, { source: { journal, audit } }))));
    expect(first).toMatchObject({ description: { auditPosition: WRITTEN_BEFORE, auditDelivered: delivered } });
  });

  test("ends if the audit trail has only later events", async () => {
    const engine = await run(directory, Infinity);
    engine.buy(WRITTEN_BEFORE);
    const { journal, audit } = engine.backupSource;
    await audit.sync();
    // As after a loss of the trail: it begins after a position.
    const blocksAfter = audit.blocksAfter.bind(audit);
    audit.blocksAfter = async (position) => await blocksAfter(Math.max(position, WRITTEN_BEFORE));
    const stream = beginBackup(backupsOf(engine, { source: { journal, audit } }));
    engine.buy(MEANWHILE);
    const entries = await entriesIn(await bytesIn(stream));
    expect(entries[0]).toMatchObject({ description: { auditPosition: WRITTEN_BEFORE } });
    expect(entries.filter(({ kind }) => kind === "events")).toEqual([]);
    await engine.stop();
  });

  test("is the only one, until it ends or its client gives it up", async () => {
    const backups = backupsOf(unchanged);
    const anotherBegins = () =>
      until(() => {
        const begun = backups.begin("operator");
        return begun.kind === "begun" && begun.stream;
      }, "another backup to begin");
    const stream = beginBackup(backups);
    expect(backups.begin("operator").kind).toBe("busy");
    await bytesIn(stream);
    await (await anotherBegins() || expect.unreachable()).cancel();
    await anotherBegins();
    backups.stop();
  });

  test.each<[string, string]>([
    ["if the client takes nothing for a while", "the client took nothing for 0.02 s"],
    ["if the engine stops", "the engine is shutting down"],
    ["if an audit event can't be read", "audit events 1 to 30 are damaged"],
  ])("ends with a line that says why %s", async (_, reason) => {
    const isStall = reason.includes("took nothing");
    const { journal, audit } = unchanged.backupSource;
    if (reason.includes("damaged")) {
      const damaged = spyOn(audit, "blocksAfter").mockImplementation((position) => [
        { first_position: position + 1, last_position: 30, checksum: 1, lines: new Uint8Array(8) },
      ]);
      atEnd(() => damaged.mockRestore());
    }
    const backups = backupsOf(unchanged, { source: { journal, audit }, ...(isStall && { stallMs: 20 }) });
    const stream = beginBackup(backups);
    if (reason.includes("shutting")) backups.stop();
    if (isStall) await until(() => backups.begin("operator").kind === "begun", "the backup to end");
    const failure = await entriesIn(await bytesIn(stream)).catch((error) => error);
    expect(failure.message).toStartWith("is not whole: the engine could not finish it: ");
    expect(failure.message).toContain(reason);
    backups.stop();
  });

  test("leaves no timer if its client gives it up", async () => {
    const timers = new SteppedTimers();
    const stream = beginBackup(backupsOf(unchanged, { timers }));
    expect(timers.pending).toBe(2);
    await stream.cancel();
    expect(timers.pending).toBe(0);
  });

  test("that can't begin lets go of what it would keep", () => {
    const { host } = unchanged;
    const begin = host.backupPoint.bind(host);
    let isReleased = false;
    const taking = spyOn(host, "backupPoint").mockImplementation(() => {
      const point = begin();
      return point && { ...point, release: () => void (isReleased = true) };
    });
    atEnd(() => taking.mockRestore());
    const { Worker } = globalThis;
    Object.assign(globalThis, { Worker: null });
    try {
      expect(() => beginBackup(backupsOf(unchanged))).toThrow(TypeError);
    } finally {
      Object.assign(globalThis, { Worker });
    }
    expect(isReleased).toBe(true);
  });
});

describe("a backup of many frames", () => {
  const [CALLS, STALL_MS, LIMIT_MS] = [5, 1_000, 20_000];
  let engine: RunningHost;
  beforeAll(async () => void (engine = await engineWith(CALLS)));

  /** Takes a backup that has a frame for each call. `engineMs`, `clientMs`: how long each of the two takes for a frame. */
  async function taken(engineMs: number, clientMs: (frames: number) => number) {
    const { journal, audit } = engine.backupSource;
    const timers = new SteppedTimers();
    const recordsAfter = (after: number) => {
      // The thread asks for it while the client waits.
      timers.pass(engineMs);
      const [text = ""] = journal.recordsAfter(after).texts.split("\n");
      return { texts: text + " ".repeat(1 << 20), last: after + 1 };
    };
    const source = { journal: { origin: journal.origin, recordsAfter }, audit };
    const backups = backupsOf(engine, { source, timers, stallMs: STALL_MS, limitMs: LIMIT_MS });
    const reader = beginBackup(backups).getReader();
    const frames: Uint8Array[] = [];
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      frames.push(next.value);
      timers.pass(clientMs(frames.length));
    }
    expect(timers.pending).toBe(0);
    backups.stop();
    return { frames: frames.length, timers, entries: entriesIn(Buffer.concat(frames)) };
  }

  test("is whole though it takes longer than a client may be silent, as long as the client takes each frame in time", async () => {
    const { frames, entries, timers } = await taken(2 * STALL_MS, () => STALL_MS - 1);
    expect(callsIn(await entries)).toEqual([1, 2, 3, 4, 5]);
    expect([frames, timers.processTime]).toEqual([CALLS + 1, 2 * STALL_MS * CALLS + (STALL_MS - 1) * frames]);
  });

  test("ends if the client takes nothing for a while after it has taken some frames", async () => {
    const { frames, entries } = await taken(0, (frames) => frames === 3 ? STALL_MS : 0);
    await expect(entries).rejects.toThrow("the client took nothing for 1 s");
    expect(frames).toBe(4);
  });

  test("ends after its limit, though the client takes each frame in time", async () => {
    const { entries } = await taken(LIMIT_MS / 4, () => 0);
    await expect(entries).rejects.toThrow("it took longer than 20 s");
  });
});

test.each([
  ["some of it", 7],
  ["more than the backup has", 1_000],
  ["it has no target", null],
])("a restored backup knows how much of its audit trail was delivered: %s", async (_, delivered) => {
  const entries = await entriesIn(await bytesIn(beginBackup(backupsOf(unchanged))));
  async function* withDelivered(): AsyncGenerator<BackupEntry, void, undefined> {
    for (const entry of entries) {
      if (entry.kind !== "description") yield entry;
      else yield { kind: "description", description: { ...entry.description, auditDelivered: delivered } };
    }
  }
  const restored = temporaryDirectory();
  await buildRestoredData(restored, withDelivered(), Date.now);
  const audit = SqliteAuditStore.open(restored, { now: Date.now });
  expect(audit.delivered).toBe(delivered && Math.min(delivered, WRITTEN_BEFORE));
  audit.close();
});
