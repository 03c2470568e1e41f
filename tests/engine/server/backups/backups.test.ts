// Which backups an engine begins, what each of them says of itself, and what is given back if one ends.

import { describe, expect, test } from "bun:test";
import packageJson from "../../../../package.json";
import type { Logger } from "../../../../common/logger.ts";
import { FORMAT_VERSION } from "../../../../engine/journal/journal-tables.ts";
import type { BackupSource } from "../../../../engine/server/backups/running-backup.ts";
import { Backups } from "../../../../engine/server/backups/backups.ts";
import type { EngineHost } from "../../../../engine/server/host/engine-host.ts";
import { EngineCounters } from "../../../../engine/server/metrics/engine-counters.ts";
import { turn } from "../checkpoints/running-engine.ts";
import { fakeWorkers } from "../../support/fake-worker.ts";
import { SteppedTimers } from "../host/stepped-timers.ts";

const POINT = {
  upTo: 30,
  epoch: 2,
  sequence: 40,
  auditPosition: 50,
  marketTime: Date.UTC(2030, 0, 2),
  time: Date.UTC(2026, 2, 3),
};

interface Setting {
  readonly isInMemory?: boolean;
  readonly hasPoint?: boolean;
  readonly hasBegun?: boolean;
  readonly checkpoint?: number | null;
}

function engine({ isInMemory = false, hasPoint = true, hasBegun = true, checkpoint = null }: Setting = {}) {
  const threads = fakeWorkers();
  const timers = new SteppedTimers();
  const counters = new EngineCounters();
  const released: string[] = [];
  const log: string[] = [];
  const noteAs = (level: string) => (text: string, { durationMs, ...facts }: Record<string, unknown>) =>
    void log.push(`${level} ${text.replaceAll(/{(\w+)}/g, (_, name) => String(facts[name]))}, ${typeof durationMs}`);
  const inUse = checkpoint && { upTo: checkpoint };
  const journal = { origin: hasBegun ? { directory: "of this test", inUse } : null };
  const source = { journal, audit: { delivered: 7 } } as unknown as BackupSource;
  const backups = new Backups({
    host: {
      backupPoint: () => hasPoint ? { ...POINT, release: () => void released.push("point") } : null,
    } as unknown as EngineHost,
    source: isInMemory ? null : source,
    engineId: "E",
    log: { info: noteAs("info"), warn: noteAs("warn") } as unknown as Logger,
    counters,
    timers,
  });
  const begin = () => {
    const begun = backups.begin("op");
    return begun.kind === "begun" ? begun.stream.getReader() : begun.kind;
  };
  const counts = () => counters.backups.samples("outcome").map(({ value }) => value);
  return { backups, begin, threads, timers, counters, released, log, counts };
}

const LAST = { kind: "frame", bytes: new Uint8Array(5), isLast: true };

describe("the backups of an engine", () => {
  test.each([[null], [12]])("say what they have, with the checkpoint %p", (checkpoint) => {
    const { begin, threads, backups } = engine({ checkpoint });
    begin();
    expect(threads[0]!.got).toEqual([{
      kind: "order",
      origin: { directory: "of this test", inUse: checkpoint && { upTo: checkpoint } },
      description: {
        kind: "mkt backup",
        format: expect.any(Number),
        mkt: packageJson.version,
        journalFormat: FORMAT_VERSION,
        engineId: "E",
        epoch: 2,
        upTo: 30,
        sequence: 40,
        marketTime: "2030-01-02T00:00:00.000Z",
        time: "2026-03-03T00:00:00.000Z",
        checkpoint,
        auditPosition: 50,
        auditDelivered: 7,
      },
    }]);
    backups.stop();
  });

  test.each<[string, Setting]>([["no point", { hasPoint: false }], ["no header", { hasBegun: false }]])(
    "of a journal that has not begun fail: %s",
    (_, setting) => {
      const { begin, threads } = engine(setting);
      expect(begin).toThrow("a journal that can be backed up has not begun");
      expect(threads).toEqual([]);
    },
  );

  test("that can't begin give back what they would have kept, and the next one begins", () => {
    const { begin, timers, released, counts } = engine();
    const after = timers.after.bind(timers);
    timers.after = () => {
      throw new Error("no thread");
    };
    expect(begin).toThrow("no thread");
    expect([released, counts()]).toEqual([["point"], [0, 0]]);
    timers.after = after;
    expect(begin()).not.toBe("busy");
    expect([begin(), released.length]).toEqual(["busy", 1]);
  });

  test("are made one at a time, and a whole one counts as taken at the time of what it has", async () => {
    const { begin, threads, released, counts, counters, log, timers } = engine();
    const stream = begin();
    expect([begin(), begin(), threads.length, released]).toEqual(["busy", "busy", 1, []]);
    if (typeof stream === "string") expect.unreachable();
    const chunk = stream.read();
    threads[0]!.says(LAST);
    await chunk;
    expect([released, counts(), counters.lastBackupAt]).toEqual([["point"], [1, 0], POINT.time]);
    expect(log).toEqual(["info sent a backup up to record 30 to user op, number"]);
    expect(timers.pending).toBe(0);
    expect(begin()).not.toBe("busy");
  });

  test("that fail count as failed, and another begins once the thread of the last one has ended", () => {
    const { begin, threads, released, counts, counters, log } = engine();
    for (let count = 1; count <= 2; count++) {
      begin();
      const thread = threads.at(-1)!;
      thread.says({ kind: "failed", reason: "no part" });
      expect([begin(), released.length]).toEqual(["busy", count - 1]);
      thread.closes();
      expect([released.length, counts(), counters.lastBackupAt]).toEqual([count, [0, count], null]);
    }
    expect(log).toEqual(Array(2).fill("warn a backup for user op was not finished: no part, number"));
  });

  test.each([
    ["a minute in which the client takes nothing", false, 60_000],
    ["half an hour, though the client waits", true, 1_800_000],
  ])("end after %s", async (_, waits, limitMs) => {
    const { begin, threads, timers } = engine();
    const stream = begin();
    await turn();
    if (waits && typeof stream !== "string") void stream.read();
    timers.pass(limitMs - 1);
    expect(threads[0]!.isTerminated).toBe(false);
    timers.pass(1);
    expect(threads[0]!.isTerminated).toBe(true);
  });

  test("end with the engine, which begins no other", () => {
    const { begin, backups, threads, released } = engine();
    begin();
    backups.stop();
    expect(threads.map(({ isTerminated }) => isTerminated)).toEqual([true]);
    threads[0]!.closes();
    expect([released, begin(), threads.length]).toEqual([["point"], "busy", 1]);
    const idle = engine();
    idle.backups.stop();
    expect(idle.begin()).toBe("busy");
  });

  test("of a market in memory are none", () => {
    const { begin, threads } = engine({ isInMemory: true });
    expect([begin(), threads.length]).toEqual(["in_memory", 0]);
  });
});
