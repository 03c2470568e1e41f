// Upgrades the journal of a data directory that an earlier mkt wrote (engine/journal/upgrades). The old files stay in a folder
// beside.
//
// The rules of the market may have changed since. So the calls after the checkpoint are carried out again by this engine,
// and the audit events that they cause are compared with those that the earlier engine has recorded. If one differs, the
// upgrade is refused, and nothing is changed. Calls whose audit events were not durable yet can't be compared.
//
// A new epoch begins, because events that this engine would send again can differ from those that were sent. Clients that
// resume get the whole market anew.

import { join } from "node:path";
import type { Logger } from "../../../common/logger.ts";
import { AUDIT_FILES, inspectAudit } from "../../audit/inspect-audit.ts";
import { useRecordedTrail } from "../../audit/recorded-trail.ts";
import { inspectJournal, journalError, type JournalInspection } from "../../journal/inspect-journal.ts";
import { newEpochAfter } from "../../journal/journal-call.ts";
import type { ReadableJournal } from "../../journal/journal-scan.ts";
import { FORMAT_VERSION, JOURNAL_FILE } from "../../journal/journal-tables.ts";
import { readWitness } from "../../journal/journal-witness.ts";
import { readDatabase, sizeOf, Unreadable } from "../../journal/read-only-database.ts";
import { readJournal } from "../../journal/read-journal.ts";
import { journalFiles } from "../../journal/rebuild-journal.ts";
import { SqliteJournal } from "../../journal/sqlite-journal.ts";
import { formatVersion } from "../../journal/sqlite-values.ts";
import { isDiskFull } from "../../journal/storage-guard.ts";
import {
  type JsonObject,
  NotUpgradable,
  refuseTooOld,
  UPGRADE_STEPS,
  upgradeJournal,
  type UpgradeStep,
  type UpgradeSteps,
} from "../../journal/upgrades/journal-upgrades.ts";
import {
  beginDraft,
  copyOldFiles,
  decide,
  discardDraft,
  filesToRemove,
  isAsCopied,
  isUpgradeDecided,
  putInPlace,
  removeLeftovers,
  type UpgradePlan,
  withUpgradeLock,
} from "../../journal/upgrades/upgrade-files.ts";
import { writeJournal } from "../../journal/upgrades/write-journal.ts";
import { auditPositionOf } from "../host/checkpoint-saver.ts";
import { logTornWrite } from "./recover-engine.ts";
import { comparedReplay } from "./trail-comparison.ts";

interface UpgradeOptions {
  /** Real time, in milliseconds since the epoch. */
  readonly now: () => number;
  readonly log: Logger;
  /** Default: those of this mkt. */
  readonly steps?: UpgradeSteps;
}

/** Does nothing if the directory has no journal of an earlier format. Throws an Error of one line, or of several at damage. */
export function upgradeDirectory(directory: string, { now, log, steps = UPGRADE_STEPS }: UpgradeOptions): void {
  try {
    const format = formatIn(directory);
    if (!isUpgradeDecided(directory)) {
      if (format === null || format >= FORMAT_VERSION) return removeLeftovers(directory);
      refuseTooOld(format, steps);
    }
    log.info("upgrading the journal in {directory} from format {format}", { directory, format });
    withUpgradeLock(directory, () => {
      try {
        const stages = upgradeStages(directory, now, steps);
        let stage = stages.next();
        while (stage.done !== true) stage = stages.next();
        if (stage.value !== null) logUpgrade(directory, stage.value, log);
      } finally {
        discardDraft(directory);
      }
    });
  } catch (error) {
    if (error instanceof EarlierDamage) throw error;
    if (isDiskFull(error)) throw journalError(directory, new Error(FULL, { cause: error }));
    if (error instanceof NotUpgradable) throw journalError(directory, refused(error));
    throw journalError(directory, error instanceof Unreadable ? error.cause ?? error : error);
  }
}

/**
 * The stages of an upgrade, for the tests: the process may end after each, and another one then begins again. Gives null if
 * there is nothing to upgrade.
 */
export function* upgradeStages(
  directory: string,
  now: () => number,
  steps: UpgradeSteps,
): Generator<string, UpgradePlan | null, undefined> {
  if (isUpgradeDecided(directory)) return yield* putInPlace(directory);
  const format = formatIn(directory);
  if (format === null || format >= FORMAT_VERSION) return null;
  const { readable, tornWrite } = inspected(directory, format);
  if (readable === null) return null;
  const draft = beginDraft(directory);
  yield "began the draft";
  copyOldFiles(directory, [...journalFiles(directory), ...AUDIT_FILES]);
  yield "copied the old files";
  writeUpgraded(directory, draft, readable, (content) => upgradeJournal(format, content, steps));
  yield "wrote the journal";
  const lastNumber = checkAndBeginEpoch(directory, draft, now());
  yield "checked the journal";
  const removed = filesToRemove(directory);
  const kept = `format-${format}-${new Date(now()).toISOString().replaceAll(/[:.]/g, "-")}`;
  if (!isAsCopied(directory)) throw new Error("another engine has just used it; start again");
  decide(directory, { fromFormat: format, toFormat: FORMAT_VERSION, kept, lastNumber, tornWrite, removed });
  yield "decided";
  return yield* putInPlace(directory);
}

/** The format of a journal, as its witness or the journal itself says; null if neither can be read, or if there is none. */
function formatIn(directory: string): number | null {
  const witness = readWitness(directory);
  if (witness.kind === "read") return witness.witnessed.format;
  const path = join(directory, JOURNAL_FILE);
  if (sizeOf(path) === 0) return null;
  try {
    return readDatabase(path, formatVersion) || null;
  } catch (error) {
    // The inspection of the directory says what is damaged.
    if (error instanceof Unreadable) return null;
    throw error;
  }
}

class EarlierDamage extends Error {}

const FULL =
  "the disk is too full to upgrade it, which needs free space of about twice the directory's size; nothing was " +
  "changed: free some space, and start the engine again";

function refused(cause: NotUpgradable): Error {
  const advice = "start the version of mkt that wrote it, or name an empty directory for a new market";
  return new Error(`it can't be upgraded: ${cause.message}; ${advice}`, { cause });
}

/** Throws EarlierDamage, with all that is damaged. */
function inspected(directory: string, format: number): JournalInspection {
  const inspection = inspectJournal(directory, format);
  const faults = [...inspection.faults, ...inspectAudit(directory, auditPositionOf(inspection.readable)).faults];
  if (faults.length === 0) return inspection;
  throw new EarlierDamage([
    `the data in ${directory} is damaged, so the engine did not start`,
    ...faults.map(({ file, fault }) => `damaged: ${file} ${fault}`),
    `its journal has the earlier format ${format}, and only an undamaged one can be upgraded`,
    "restore the directory from a backup; or start the version of mkt that wrote it with --accept-data-loss, and stop it again",
  ].join("\n"));
}

/** Writes the journal as the steps give it to another directory. */
function writeUpgraded(directory: string, draft: string, readable: ReadableJournal, upgrade: UpgradeStep): void {
  readDatabase(join(directory, JOURNAL_FILE), (database) => {
    const { header, checkpoint, records } = readJournal(directory, database, readable);
    const content = {
      header: header as unknown as JsonObject,
      parts: checkpoint && Iterator.from(checkpoint.parts).map((text) => JSON.parse(text)),
      records: Iterator.from(records).map(({ text }) => JSON.parse(text)),
    };
    writeJournal(draft, upgrade(content), checkpoint?.upTo ?? 0);
  });
}

/** Replays the new journal, and adds the record of a new epoch. Returns the number of that record. */
function checkAndBeginEpoch(directory: string, draft: string, now: number): number {
  const store = SqliteJournal.open(draft);
  try {
    const loaded = store.load();
    if (loaded === null) throw new Error("the upgraded journal is empty");
    const { engine } = useRecordedTrail(directory, (eventsAfter) => comparedReplay(loaded, eventsAfter));
    const call = newEpochAfter(engine, engine.sequence, now);
    const number = loaded.lastNumber + 1;
    store.append([{ number, text: JSON.stringify(call) }]);
    store.sync();
    return number;
  } finally {
    store.close();
  }
}

function logUpgrade(directory: string, plan: UpgradePlan, log: Logger): void {
  const { fromFormat, toFormat, kept, lastNumber, tornWrite } = plan;
  logTornWrite(tornWrite, log);
  log.info("upgraded the journal in {directory} from format {fromFormat} to {toFormat}; the old files are in {kept}", {
    directory,
    fromFormat,
    toFormat,
    lastNumber,
    kept: `${directory}/${kept}`,
  });
}
