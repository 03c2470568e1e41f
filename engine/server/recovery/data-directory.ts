// Opens a data directory: the journal and its audit trail. Both are inspected before either is changed. If an earlier version
// wrote the journal, it is upgraded first (directory-upgrade.ts).
//
// A damaged directory is refused with a list of what is damaged, what is readable, and how to continue. With
// `acceptDataLoss` the files are first copied to a directory of their own, and then:
//   - the journal is cut after its last readable record, and a new epoch tells clients that history was lost; if its header
//     is unreadable, a new journal begins;
//   - a damaged audit trail is replaced by an empty one, which begins after the checkpoint's audit position.

import { existsSync } from "node:fs";
import { errorMessage } from "../../../common/error-message.ts";
import type { Logger } from "../../../common/logger.ts";
import { AUDIT_FILE, AUDIT_WAL_FILE } from "../../audit/audit-tables.ts";
import { AUDIT_FILES, type AuditInspection, inspectAudit } from "../../audit/inspect-audit.ts";
import type { EngineAuditStore } from "../../audit/engine-audit-store.ts";
import { ThreadedAuditStore } from "../../audit/threaded-audit-store.ts";
import { inspectDirectory, type JournalInspection } from "../../journal/inspect-journal.ts";
import type { ReadableJournal } from "../../journal/journal-scan.ts";
import { newEpochAfter } from "../../journal/journal-call.ts";
import { JOURNAL_FILE, WAL_FILE } from "../../journal/journal-tables.ts";
import { WITNESS_FILE } from "../../journal/journal-witness.ts";
import type { StorageFault } from "../../journal/journal.ts";
import { OWNER_FILE, writeOwner } from "../../journal/owner-file.ts";
import { DiskStorageGuard, type StorageGuard } from "../../journal/storage-guard.ts";
import { StorageReserve } from "../../journal/storage-reserve.ts";
import { backUpFiles, journalFiles, rebuildJournal, removeFiles } from "../../journal/rebuild-journal.ts";
import { SqliteJournal } from "../../journal/sqlite-journal.ts";
import { refuseUnfinishedRestore } from "../../journal/unfinished-restore.ts";
import { upgradeDirectory } from "./directory-upgrade.ts";
import type { MarketIdentity } from "./market-identity.ts";
import { auditPositionOf } from "../host/checkpoint-saver.ts";

/** The files that an engine keeps open from its start to its end. A checkpoint is open while it is in use. */
const OPEN_FILES = [JOURNAL_FILE, WAL_FILE, WITNESS_FILE, AUDIT_FILE, AUDIT_WAL_FILE] as const;

interface OpenDataOptions {
  /** Real time, in milliseconds since the epoch. */
  readonly now: () => number;
  /** Market time, which decides what the audit trail's last days are; default: `now`. */
  readonly marketTime?: () => number;
  readonly log: Logger;
  readonly acceptDataLoss: boolean;
  /** Which market the directory must have; null or absent: any, or none. */
  readonly identity?: MarketIdentity | null;
}

interface DataDirectory {
  readonly store: SqliteJournal;
  readonly audit: EngineAuditStore;
  readonly guard: StorageGuard;
}

interface Findings {
  readonly journal: JournalInspection;
  readonly audit: AuditInspection;
  /** The audit trail must hold every event up to this position. */
  readonly promised: number;
  readonly faults: readonly StorageFault[];
}

/** Rejects with an Error of one line, or of several lines if the directory is damaged. */
export async function openDataDirectory(
  directory: string,
  { now, marketTime = now, log, acceptDataLoss, identity = null }: OpenDataOptions,
): Promise<DataDirectory> {
  if (!existsSync(directory)) identity?.check(directory, null);
  refuseUnfinishedRestore(directory);
  StorageReserve.freeSpaceToStart(directory);
  upgradeDirectory(directory, { now, log });
  const open = (journal?: JournalInspection) => openFiles(directory, marketTime, log, journal);
  const findings = inspect(directory);
  const isUsable = findings.faults.length === 0 || acceptDataLoss;
  if (isUsable) identity?.check(directory, findings.journal.readable?.header.engineId ?? null);
  if (findings.faults.length === 0) return await open(findings.journal);
  if (!acceptDataLoss) throw new Error(refusal(directory, findings));
  const copy = backUpFiles(directory, [...journalFiles(directory), ...AUDIT_FILES], now());
  const audit = discardDamaged(directory, findings, now());
  log.warn("data loss accepted: {damage}; {readable}; the damaged files are in {copy}", {
    damage: findings.faults.map(describe).join("; "),
    readable: readableOf(findings).join("; "),
    copy,
  });
  const opened = await open();
  if (audit === "discarded" && findings.promised > 0) opened.audit.beginAfter(findings.promised);
  return opened;
}

function inspect(directory: string): Findings {
  const journal = inspectDirectory(directory);
  const promised = auditPositionOf(journal.readable);
  const audit = inspectAudit(directory, promised);
  const faults = [...journal.faults, ...audit.faults];
  if (journal.isNew && audit.lastPosition !== 0) {
    faults.unshift({ file: JOURNAL_FILE, fault: "is missing or empty, and there is an audit trail" });
  }
  return { journal, audit, promised, faults };
}

async function openFiles(
  directory: string,
  now: () => number,
  log: Logger,
  journal: JournalInspection | undefined,
): Promise<DataDirectory> {
  const store = SqliteJournal.open(directory, journal);
  for (const { file, fault } of journal?.replaceable ?? []) {
    log.warn("replaced {file}, which {fault}, by its other copy; nothing is lost, but look at the disk", {
      file,
      fault,
    });
  }
  let guard: StorageGuard | null = null;
  try {
    noteOwner(directory, log);
    const files = () => [...OPEN_FILES, ...checkpointFilesOf(store)];
    guard = new DiskStorageGuard({ directory, files, log });
    return { store, audit: await ThreadedAuditStore.open({ directory, now, guard }), guard };
  } catch (error) {
    guard?.stop();
    store.close();
    throw error;
  }
}

function checkpointFilesOf({ origin }: SqliteJournal): string[] {
  return origin?.inUse ? [origin.inUse.state, ...origin.inUse.operations].map(({ file }) => file) : [];
}

/** The engine also works without it, for example on a full disk. */
function noteOwner(directory: string, log: Logger): void {
  try {
    writeOwner(directory);
  } catch (error) {
    log.warn("could not write {file}: {error}", { file: OWNER_FILE, error: errorMessage(error) });
  }
}

/** Deletes or rebuilds the damaged files. Returns whether the audit trail was kept. */
function discardDamaged(directory: string, { journal, audit }: Findings, now: number): "kept" | "discarded" {
  if (journal.isNew || journal.readable === null) {
    removeFiles(directory, [...AUDIT_FILES, ...journalFiles(directory)]);
    return "kept";
  }
  // The audit trail goes first: after a crash in between, the journal still tells that the trail is missing.
  const isLost = audit.faults.length > 0;
  if (isLost) removeFiles(directory, AUDIT_FILES);
  if (journal.faults.length > 0) rebuildJournal(directory, journal.readable, newEpoch(journal.readable, now));
  return isLost ? "discarded" : "kept";
}

/** A record after which event numbers are above all that any client has seen. */
function newEpoch({ header, lastTime }: ReadableJournal, now: number): string {
  return JSON.stringify(newEpochAfter({ now: lastTime ?? header.startedAt, realNow: now }, header.epoch, now));
}

function refusal(directory: string, findings: Findings): string {
  return [
    `the data in ${directory} is damaged, so the engine did not start`,
    ...findings.faults.map((fault) => `damaged: ${describe(fault)}`),
    ...readableOf(findings).map((text) => `readable: ${text}`),
    "restore the directory from a backup; or add --accept-data-loss, which copies the files to a directory " +
    "damaged-TIME in it and continues with what is readable",
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

function describe({ file, fault }: StorageFault): string {
  return `${file} ${fault}`;
}
