// Backups of an engine in this process, and what they have.

import { logger } from "../../../common/logger.ts";
import type { BackupEntry } from "../../../engine/backup/backup-format.ts";
import { readBackup } from "../../../engine/backup/backup-reader.ts";
import { SqliteJournal } from "../../../engine/journal/sqlite-journal.ts";
import { Backups, type BackupsOptions } from "../../../engine/server/backups/backups.ts";
import { EngineCounters } from "../../../engine/server/metrics/engine-counters.ts";
import { JournalReplay } from "../../../engine/server/recovery/journal-replay.ts";
import type { RunningHost } from "../server/checkpoints/running-engine.ts";

export function backupsOf(
  { host, backupSource }: RunningHost,
  options: Partial<BackupsOptions> = {},
): Backups {
  return new Backups({
    host,
    source: backupSource,
    engineId: "test",
    log: logger("test"),
    counters: new EngineCounters(),
    ...options,
  });
}

/** Throws if no backup was begun. */
export function beginBackup(backups: Backups): ReadableStream<Uint8Array<ArrayBuffer>> {
  const begun = backups.begin("operator");
  if (begun.kind !== "begun") throw new Error(`no backup: ${begun.kind}`);
  return begun.stream;
}

export async function bytesIn(stream: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<Uint8Array> {
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** `size`: bytes in each chunk. */
async function* chunksOf(bytes: Uint8Array, size = 1 << 16): AsyncGenerator<Uint8Array, void, undefined> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** Throws BackupFault. */
export async function entriesIn(bytes: Uint8Array, size?: number): Promise<BackupEntry[]> {
  return await Array.fromAsync(readBackup(chunksOf(bytes, size)));
}

/** The whole state after record `upTo` of a journal that no engine uses, as the texts of a checkpoint. */
export function stateAt(directory: string, upTo: number): string[] {
  const store = SqliteJournal.open(directory);
  try {
    const loaded = store.load();
    if (loaded === null) throw new Error(`there is no journal in ${directory}`);
    const replay = new JournalReplay(loaded.header, null);
    if (loaded.checkpoint !== null) replay.restore(loaded.checkpoint.parts);
    if ((loaded.checkpoint?.upTo ?? 0) > upTo) throw new Error(`record ${upTo} is in a checkpoint`);
    for (const { number, text } of loaded.records) if (number <= upTo) replay.apply(number, text);
    const { state, operations } = replay.checkpoint();
    return [...state, ...operations(-Infinity)];
  } finally {
    store.close();
  }
}
