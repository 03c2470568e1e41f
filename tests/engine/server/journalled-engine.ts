// An engine with a journal in memory, served over a real socket. Synced records outlive the engine: a copy of the disk is
// what another engine finds after a kill.

import { logger } from "../../../common/logger.ts";
import { PATHS } from "../../../protocol/index.ts";
import { SqliteAuditStore } from "../../../engine/audit/sqlite-audit-store.ts";
import { builtInMarket } from "../../../engine/definition/built-in-market.ts";
import { contractsAt } from "../../../engine/definition/listed-contracts.ts";
import type { Engine } from "../../../engine/engine.ts";
import type { EngineLimits } from "../../../common/http/guards/engine-limits.ts";
import { recoverEngine } from "../../../engine/server/recovery/recover-engine.ts";
import { newJournalHeader } from "../../../engine/server/start-engine.ts";
import { type ServedEngine } from "../../../engine/server/engine-server.ts";
import { CheckpointMakerHere } from "../support/checkpoint-maker.ts";
import { MemoryDisk, MemoryJournal } from "../support/memory-journal.ts";
import type { JournalRecord, WrittenCheckpoint } from "../../../engine/journal/journal.ts";
import { connect, OPERATOR, SECRET, type TestClient, VIEWER } from "./harness.ts";
import { serveOnFreePort } from "../../support/engines.ts";

export const FIRST_START = Date.parse("2026-05-05T05:05:05Z");
export const CONTRACT = contractsAt(builtInMarket(), FIRST_START).at(-1)?.id ?? "";

/** Logs its calls, and can fail on demand. */
class ObservedJournal extends MemoryJournal {
  readonly log: string[] = [];
  failing = false;
  onSync: () => void = () => {};

  override append(records: readonly JournalRecord[]): void {
    this.log.push(`append ${records.length}`);
    super.append(records);
  }

  override sync(): void {
    if (this.failing) throw new Error("the disk is full");
    this.log.push("sync");
    this.onSync();
    super.sync();
  }

  override useCheckpoint(checkpoint: WrittenCheckpoint): void {
    this.log.push("checkpoint");
    super.useCheckpoint(checkpoint);
  }
}

interface JournalledEngine extends ServedEngine {
  readonly store: ObservedJournal;
}

interface Settings {
  readonly secret?: string | null;
  readonly checkpointRecords?: number;
  /** Hours after the first start. */
  readonly hours?: number;
  readonly limits?: EngineLimits;
  /** Breaks the engine before it serves. */
  readonly sabotage?: (engine: Engine) => void;
}

export function start(
  disk: MemoryDisk,
  { secret = SECRET, checkpointRecords, hours = 0, limits, sabotage }: Settings = {},
): JournalledEngine {
  const now = () => FIRST_START + hours * 3_600_000;
  const store = new ObservedJournal(disk);
  const log = logger("test");
  const header = () => newJournalHeader(builtInMarket(), now());
  const recovered = recoverEngine({ store, audit: auditBeside(disk), header, secret, now, log, checkpointRecords });
  sabotage?.(recovered.engine);
  const checkpointMaker = new CheckpointMakerHere(store, disk);
  const served = serveOnFreePort({ ...recovered, checkpointMaker, now, ...(limits && { limits }) });
  return { ...served, store };
}

/** What is durable now, as another engine would find it after a kill. */
export function copyOf(disk: MemoryDisk): MemoryDisk {
  const copy = Object.assign(new MemoryDisk(), { ...disk, records: [...disk.records], written: new Map(disk.written) });
  audits.set(copy, auditBeside(disk));
  return copy;
}

/** Each disk's audit trail, which outlives its engine. A copy of the disk shares it. */
const audits = new WeakMap<MemoryDisk, SqliteAuditStore>();

export function auditBeside(disk: MemoryDisk): SqliteAuditStore {
  const audit = audits.get(disk) ?? SqliteAuditStore.inMemory({ now: Date.now });
  audits.set(disk, audit);
  return audit;
}

export function modulesOf(client: TestClient): Map<string, unknown> {
  return new Map(client.states.map(({ statePath, state }) => [statePath, state]));
}

export async function snapshotOf(engine: ServedEngine, userId = VIEWER): Promise<Map<string, unknown>> {
  const client = await connect(engine, userId);
  const modules = modulesOf(client);
  client.close();
  return modules;
}

export async function auditOf(engine: ServedEngine): Promise<unknown[]> {
  const day = "2026-05-05";
  const answer = await fetch(`${engine.url}${PATHS.audit}?from=${day}&to=${day}&limit=200`, {
    headers: { "X-Mkt-User": OPERATOR },
  });
  const { events } = await answer.json() as { events: unknown[] };
  return events.reverse();
}
