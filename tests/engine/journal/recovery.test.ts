import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { logger } from "../../../common/logger.ts";
import { SqliteAuditStore } from "../../../engine/audit/sqlite-audit-store.ts";
import { Engine } from "../../../engine/engine.ts";
import { EngineHost } from "../../../engine/server/host/engine-host.ts";
import { recoverEngine } from "../../../engine/server/recovery/recover-engine.ts";
import type { JournalStore } from "../../../engine/journal/journal.ts";
import { MemoryDisk, MemoryJournal } from "../support/memory-journal.ts";
import { SqliteJournal } from "../../../engine/journal/sqlite-journal.ts";
import { size } from "../../support/sizes.ts";
import { EPOCH, SECRET, START } from "../support/market.ts";
import { readExecution } from "../support/read-execution.ts";
import { randomCalls, randomMarket } from "./random-calls.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const LOG = logger("test");
const HEADER = { engineId: "test-engine", epoch: EPOCH, startedAt: START, definition: randomMarket() };

/** By name: the number of runs, and a function that makes a new disk and returns how to open a store on it. */
const STORES: [name: string, runs: number, newDisk: () => () => JournalStore][] = [
  ["MemoryJournal", size(15, 1000), () => {
    const disk = new MemoryDisk();
    return () => new MemoryJournal(disk);
  }],
  ["SqliteJournal", size(3, 100), () => {
    const directory = temporaryDirectory();
    return () => SqliteJournal.open(directory);
  }],
];

/** The visible state of a host at a time. */
async function visibleState(host: EngineHost, now: number) {
  const date = new Date(now).toISOString().slice(0, 10);
  const query = { from: new Date(START).toISOString().slice(0, 10), to: date, limit: 10_000 };
  return {
    sequence: host.engine.sequence,
    epoch: host.engine.epoch,
    snapshot: [...host.snapshot()],
    positions: ["ALPHA", "BETA", "GAMMA"].map((entityId) => host.positions(entityId)),
    audit: (await host.readAudit().query(query)).events,
  };
}

describe.each(STORES)("recovery from a %s", (_, runs, newDisk) => {
  test("gives the state of an engine that was never restarted", async () => {
    const restarts = fc.uniqueArray(fc.nat(120), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(
        randomCalls(20, 120),
        restarts,
        fc.integer({ min: 1, max: 60 }),
        async (calls, restartsAfter, checkpointRecords) => {
          const open = newDisk();
          let now = START;
          const clock = () => now;
          const audit = SqliteAuditStore.inMemory({ now: clock });
          const engine = new Engine(randomMarket(), { ...HEADER, now: START, secret: SECRET });
          const unbroken = new EngineHost({ engine, audit, now: clock, log: LOG });
          const kept = SqliteAuditStore.inMemory({ now: clock });
          const start = () => {
            const store = open();
            const options = { secret: SECRET, now: clock, log: LOG, checkpointRecords };
            const recovered = recoverEngine({ ...options, store, audit: kept, header: () => HEADER });
            return { store, host: new EngineHost({ ...recovered, now: clock, log: LOG, defer: () => {} }) };
          };
          let { store, host } = start();
          for (const [place, call] of calls.entries()) {
            now = call.now;
            if (call.kind === "execute") {
              const { trace: _, ...execution } = readExecution(unbroken.execute(call));
              expect(readExecution(host.execute(call))).toMatchObject(execution);
            }
            if (place % 7 === 0) host.flush();
            if (!restartsAfter.includes(place)) continue;
            host.flush();
            store.close();
            ({ store, host } = start());
          }
          expect(await visibleState(host, now)).toEqual(await visibleState(unbroken, now));
          store.close();
        },
      ),
      { numRuns: runs },
    );
  });
});
