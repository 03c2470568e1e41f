import { expect, test } from "bun:test";
import { logger } from "../../../../common/logger.ts";
import { SqliteAuditStore } from "../../../../engine/audit/sqlite-audit-store.ts";
import { EngineHost } from "../../../../engine/server/host/engine-host.ts";
import { recoverEngine } from "../../../../engine/server/recovery/recover-engine.ts";
import type { ClockSetting } from "../../../../protocol/index.ts";
import { EPOCH, smallMarket, START, USERS } from "../../support/market.ts";
import { MemoryDisk, MemoryJournal } from "../../support/memory-journal.ts";

const LOG = logger("test");
const HEADER = { engineId: "test-engine", epoch: EPOCH, startedAt: START, definition: smallMarket() };
const now = () => START;

const newAudit = () => SqliteAuditStore.inMemory({ now });

function start(disk: MemoryDisk, audit: SqliteAuditStore): EngineHost {
  const store = new MemoryJournal(disk);
  const recovered = recoverEngine({ store, audit, header: () => HEADER, secret: null, now, log: LOG });
  return new EngineHost({ ...recovered, now, log: LOG, defer: () => {} });
}

/** Each order is a commit of its own. */
function submit(host: EngineHost, ...prices: readonly number[]): void {
  for (const price of prices) {
    const payload = { contractId: "N-H12", side: 0, timeInForce: "gtc", price, quantity: 1 };
    host.execute({ userId: USERS.alpha, operationId: `at ${price}`, action: "order.submit", payload });
    host.flush();
  }
}

async function trailOf(host: EngineHost) {
  return (await host.readAudit().query({ from: "2026-01-14", to: "2026-01-14", limit: 100 })).events;
}

/** The journal of these orders, and the audit trail beside it. */
function kept(...prices: readonly number[]) {
  const [disk, audit] = [new MemoryDisk(), newAudit()];
  submit(start(disk, audit), ...prices);
  return { disk, audit };
}

test.each<[is: string, inTrail: readonly number[]]>([
  ["is beyond the journal, whose last calls were lost", [100, 200, 300, 400]],
  ["ends with the journal", [100, 200]],
  ["has lost its last events", [100]],
  ["is empty", []],
])("the audit trail has the events of the journal's calls and of those that follow, if it %s", async (_, inTrail) => {
  const unbroken = start(new MemoryDisk(), newAudit());
  submit(unbroken, 100, 200);
  const { disk } = kept(100, 200);
  const { audit } = kept(...inTrail);
  const host = start(disk, audit);
  expect(await trailOf(host)).toEqual(await trailOf(unbroken));
  for (const each of [host, unbroken]) submit(each, 500, 600, 700);
  const trail = await trailOf(host);
  expect(trail.length).toBeGreaterThanOrEqual(5);
  expect(trail).toEqual(await trailOf(unbroken));
});

/** The records of the secrets with which engines were started one after the other; each makes a call at its time. */
function secretsOf(clock: ClockSetting | undefined, ...starts: readonly [secret: string | null, at: number][]) {
  const disk = new MemoryDisk();
  const digests = starts.map(([secret, at]) => {
    const store = new MemoryJournal(disk);
    const options = { store, audit: newAudit(), header: () => ({ ...HEADER, ...(clock && { clock }) }), log: LOG };
    const { journal, secretDigest } = recoverEngine({ ...options, secret, now: () => at });
    journal.append({ kind: "advance", now: clock === undefined ? at : START, realNow: at });
    journal.commit();
    return secretDigest;
  });
  const records = disk.records.map(({ text }) => JSON.parse(text)).filter(({ kind }) => kind === "secret");
  const times = records.map(({ digest, now, realNow }) => [digests.indexOf(digest), now - START, realNow - START]);
  return { times, digests };
}

test("a secret is recorded if it is another one, and never at an earlier time than the call before", () => {
  const { times, digests } = secretsOf(undefined, ["a", START], ["a", START + 5], ["b", START + 9], [null, START + 2]);
  expect(times).toEqual([[0, 0, 0], [2, 9, 9], [3, 9, 9]]);
  expect([digests[0] === digests[1], digests[0] === digests[2], digests[3]]).toEqual([true, false, null]);
  expect(secretsOf(undefined, [null, START]).times).toEqual([]);
});

test("a secret is recorded in market time, which stands still while a fast engine is away", () => {
  const { times } = secretsOf({ mode: "fast", speed: 60 }, ["a", START + 5], ["b", START + 9], ["c", START]);
  expect(times).toEqual([[0, 0, 5], [1, 0, 9], [2, 0, 9]]);
});
