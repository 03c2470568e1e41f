// Builds a data directory from the entries of a backup, in a folder of its own, and shows that an engine starts from it: the
// checks of a start find nothing, and a replay of the calls causes the audit events that the backup has, and ends at the event
// that it names. So a version of mkt with other rules refuses a backup whose calls would have another outcome under them.
//
// The market then begins a new epoch. Clients that saw events after the backup was taken find another epoch and read everything
// again, and no number is given twice, even if the clock is wrong.

import { SqliteAuditStore } from "../audit/sqlite-audit-store.ts";
import type { Engine } from "../engine.ts";
import { inspectAudit } from "../audit/inspect-audit.ts";
import { useRecordedTrail } from "../audit/recorded-trail.ts";
import { SqliteJournal } from "../journal/sqlite-journal.ts";
import { FORMAT_VERSION } from "../journal/journal-tables.ts";
import {
  NotUpgradable,
  UPGRADE_STEPS,
  upgradeJournal,
  type UpgradeSteps,
} from "../journal/upgrades/journal-upgrades.ts";
import { writeJournal } from "../journal/upgrades/write-journal.ts";
import { newEpochAfter } from "../journal/journal-call.ts";
import { comparedReplay } from "../server/recovery/trail-comparison.ts";
import { type BackupDescription, type BackupEntry, BackupFault } from "./backup-format.ts";
import { SpooledJournal } from "./spooled-journal.ts";

export interface RestoredData {
  readonly description: BackupDescription;
  /** The epoch that the restored market begins. */
  readonly epoch: number;
}

/** Throws BackupFault, and errors of the disk. `directory` must be empty; what is in it after an error is of no use. */
export async function buildRestoredData(
  directory: string,
  entries: AsyncIterable<BackupEntry>,
  now: () => number,
  steps = UPGRADE_STEPS,
): Promise<RestoredData> {
  // A backup can have more events than the default: the undelivered ones.
  const audit = SqliteAuditStore.open(directory, { now, capacity: Infinity });
  let description: BackupDescription;
  try {
    description = await writeEntries(directory, entries, audit, steps);
    audit.sync();
  } finally {
    audit.close();
  }
  return { description, epoch: beginEpoch(directory, description, now()) };
}

async function writeEntries(
  directory: string,
  entries: AsyncIterable<BackupEntry>,
  audit: SqliteAuditStore,
  steps: UpgradeSteps,
): Promise<BackupDescription> {
  let description: BackupDescription | null = null;
  let journal: SpooledJournal | null = null;
  try {
    for await (const entry of entries) {
      if (entry.kind === "description") description = entry.description;
      else if (entry.kind === "header") journal = new SpooledJournal(directory, entry.text);
      else if (entry.kind === "part") journal?.addPart(entry.text);
      else if (entry.kind === "call") journal?.addCall(entry.text);
      else audit.record(entry.lines);
    }
    if (description === null || journal === null) throw new BackupFault("has no header");
    const { journalFormat, checkpoint, auditPosition, auditDelivered } = description;
    const content = upgradeJournal(journalFormat, journal.content(checkpoint !== null), steps);
    writeJournal(directory, content, checkpoint ?? 0);
    if (audit.lastPosition < auditPosition) audit.beginAfter(auditPosition);
    if (auditDelivered !== null) audit.markDelivered(Math.min(auditDelivered, auditPosition));
    return description;
  } catch (error) {
    throw error instanceof NotUpgradable ? cannotRestore(error.message) : error;
  } finally {
    journal?.remove();
  }
}

/** Checks the directory more than a start does, and adds the call that begins a new epoch. Returns the epoch. */
function beginEpoch(directory: string, description: BackupDescription, now: number): number {
  const store = SqliteJournal.open(directory);
  try {
    const [fault] = inspectAudit(directory, description.auditPosition).faults;
    if (fault !== undefined) throw cannotRestore(`${fault.file} ${fault.fault}`);
    const engine = replayed(store, directory, description);
    const call = newEpochAfter(engine, Math.max(engine.sequence, description.sequence), now);
    store.append([{ number: description.upTo + 1, text: JSON.stringify(call) }]);
    store.sync();
    return call.epoch;
  } catch (error) {
    if (!(error instanceof NotUpgradable)) throw error;
    throw cannotRestore(`${error.message}; restore it with mkt ${description.mkt}, which made it`);
  } finally {
    store.close();
  }
}

/** Throws NotUpgradable, or BackupFault, if the calls don't lead to where the backup was taken. */
function replayed(store: SqliteJournal, directory: string, description: BackupDescription): Engine {
  const { upTo, journalFormat, sequence, auditPosition, epoch } = description;
  const loaded = store.load();
  if (loaded === null || loaded.lastNumber !== upTo) throw cannotRestore("calls are missing");
  const { engine } = useRecordedTrail(directory, (eventsAfter) => comparedReplay(loaded, eventsAfter));
  // An earlier version may have sent fewer or more events for the same call.
  const isSequence = journalFormat < FORMAT_VERSION || engine.sequence === sequence;
  if (isSequence && engine.auditPosition === auditPosition && engine.epoch === epoch) return engine;
  const reached = `event ${engine.sequence} and audit event ${engine.auditPosition}`;
  throw new NotUpgradable(
    `under the rules of this version its calls lead to ${reached} instead of ${sequence} and ${auditPosition}`,
  );
}

function cannotRestore(why: string): BackupFault {
  return new BackupFault(`can't be restored: ${why}`);
}
