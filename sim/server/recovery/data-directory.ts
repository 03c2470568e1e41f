// Opens a data directory: the journal and the audit trail beside it, both inspected before either is touched.
//
// Damage stops it with what is damaged, what can be read, and how to go on. With `acceptDataLoss` the files are copied
// aside first, and it goes on with what can be read:
//   - the journal is cut after its last readable record, and a new epoch begins, so that clients know that history was
//     lost; without a readable header it begins anew;
//   - a damaged audit trail begins anew after the position at which the checkpoint stands.

import type { Logger } from "../../../common/logger.ts";
import { AUDIT_FILES, type AuditInspection, inspectAudit } from "../../audit/inspect-audit.ts";
import { SqliteAuditStore } from "../../audit/sqlite-audit-store.ts";
import type { JournalInspection, ReadableJournal } from "../../journal/inspect-journal.ts";
import type { JournalCall } from "../../journal/journal-call.ts";
import { JOURNAL_FILE } from "../../journal/journal-tables.ts";
import type { JournalStore, StorageFault } from "../../journal/journal.ts";
import { DiskGate, type StorageGate } from "../../journal/storage-gate.ts";
import { copyAside, JOURNAL_FILES, rebuildJournal, removeFiles } from "../../journal/rebuild-journal.ts";
import { inspectDirectory, SqliteJournal } from "../../journal/sqlite-journal.ts";
import type { HostPart } from "../host/host-part.ts";

export interface OpenDataOptions {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly log: Logger;
  readonly acceptDataLoss: boolean;
}

export interface DataDirectory {
  readonly store: JournalStore;
  readonly audit: SqliteAuditStore;
  readonly gate: StorageGate;
}

interface Findings {
  readonly journal: JournalInspection;
  readonly audit: AuditInspection;
  /** Position up to which the audit trail must be there. */
  readonly promised: number;
  readonly faults: readonly StorageFault[];
}

/** Throws an Error of one line, or of a few if the directory is damaged. */
export function openDataDirectory(directory: string, { now, log, acceptDataLoss }: OpenDataOptions): DataDirectory {
  const open = (journal?: JournalInspection) => openFiles(directory, { now, log, journal });
  const findings = inspect(directory);
  if (findings.faults.length === 0) return open(findings.journal);
  if (!acceptDataLoss) throw new Error(refusal(directory, findings));
  const copy = copyAside(directory, [...JOURNAL_FILES, ...AUDIT_FILES], now());
  const audit = giveUpDamaged(directory, findings, now());
  log.warn("data loss accepted: {damage}; {readable}; the damaged files are in {copy}", {
    damage: findings.faults.map(told).join("; "),
    readable: readableOf(findings).join("; "),
    copy,
  });
  const opened = open();
  if (audit === "anew" && findings.promised > 0) opened.audit.beginAfter(findings.promised);
  return opened;
}

function inspect(directory: string): Findings {
  DiskGate.makeRoomToStart(directory);
  const journal = inspectDirectory(directory);
  const promised = auditPosition(journal.readable);
  const audit = inspectAudit(directory, promised);
  const faults = [...journal.faults, ...audit.faults];
  if (journal.isNew && audit.lastPosition !== 0) {
    faults.unshift({ file: JOURNAL_FILE, fault: "is missing or empty, and there is an audit trail" });
  }
  return { journal, audit, promised, faults };
}

function openFiles(
  directory: string,
  { now, log, journal }: Pick<OpenDataOptions, "now" | "log"> & { readonly journal: JournalInspection | undefined },
): DataDirectory {
  const store = SqliteJournal.open(directory, journal);
  let gate: StorageGate | null = null;
  try {
    gate = new DiskGate({ directory, log });
    return { store, audit: SqliteAuditStore.open(directory, { now, gate }), gate };
  } catch (error) {
    gate?.stop();
    store.close();
    throw error;
  }
}

/** Leaves what can be read. */
function giveUpDamaged(directory: string, { journal, audit }: Findings, now: number): "kept" | "anew" {
  if (journal.isNew || journal.readable === null) {
    removeFiles(directory, [...AUDIT_FILES, ...JOURNAL_FILES]);
    return "kept";
  }
  // The audit trail first: without it the journal still says what is lacking.
  const isLost = audit.faults.length > 0;
  if (isLost) removeFiles(directory, AUDIT_FILES);
  if (journal.faults.length > 0) rebuildJournal(directory, journal.readable, newEpoch(journal.readable, now));
  return isLost ? "anew" : "kept";
}

/** Events after the loss get numbers above all that anybody has seen. */
function newEpoch({ header, lastTime }: ReadableJournal, now: number): string {
  const epoch = Math.max(now * 1000, header.epoch + 1);
  return JSON.stringify({ kind: "newEpoch", epoch, now: Math.max(now, lastTime ?? 0) } satisfies JournalCall);
}

/** As the checkpoint has it; 0 without one. */
function auditPosition(readable: ReadableJournal | null): number {
  if (readable === null || readable.firstPart === null) return 0;
  return (JSON.parse(readable.firstPart) as HostPart).auditPosition ?? 0;
}

function refusal(directory: string, findings: Findings): string {
  return [
    `the data in ${directory} is damaged, so the engine did not start`,
    ...findings.faults.map((fault) => `damaged: ${told(fault)}`),
    ...readableOf(findings).map((text) => `readable: ${text}`),
    "restore the directory from a backup; or add --accept-data-loss, which copies the files to a directory " +
    "damaged-TIME in it and goes on with what is readable",
  ].join("\n");
}

function readableOf({ journal, audit }: Findings): string[] {
  const trail = audit.faults.length === 0 ? [] : ["of the audit trail, the events after the journal's last checkpoint"];
  return [readableRecords(journal), ...trail];
}

function readableRecords({ readable, committed }: JournalInspection): string {
  if (readable === null) return "nothing of the journal";
  const { lastNumber, lastTime } = readable;
  const until = lastTime === null ? "" : `, up to ${new Date(lastTime).toISOString()}`;
  if (lastNumber === 0) return `none of the journal's ${committed ?? ""} records`.replace("  ", " ");
  if (committed === null) return `records 1 to ${lastNumber}${until}; how many there were is unknown`;
  return `records 1 to ${lastNumber} of ${Math.max(committed, lastNumber)}${until}`;
}

function told({ file, fault }: StorageFault): string {
  return `${file} ${fault}`;
}
