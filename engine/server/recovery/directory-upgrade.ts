// Upgrades a data directory that an earlier mkt wrote: its journal (engine/journal/upgrades), and its audit trail if that has
// an earlier format too. The old files stay in a folder beside.
//
// The rules of the market may have changed since. So the calls after the checkpoint are carried out again by this engine,
// and the audit events that they cause are compared with those that the earlier engine has recorded. If one differs, the
// upgrade is refused, and nothing is changed. Calls whose audit events were not durable yet can't be compared.
//
// A new epoch begins, because events that this engine would send again can differ from those that were sent. Clients that
// resume get the whole market anew.

import type { Logger } from "../../../common/logger.ts";
import { rewriteTrail, useEarlierTrail } from "../../audit/earlier-trail.ts";
import { AUDIT_FILES, inspectAudit } from "../../audit/inspect-audit.ts";
import { AUDIT_FILE } from "../../audit/audit-tables.ts";
import { journalError, type JournalInspection } from "../../journal/inspect-journal.ts";
import { newEpochAfter } from "../../journal/journal-call.ts";
import type { ReadableJournal } from "../../journal/journal-scan.ts";
import { FORMAT_VERSION } from "../../journal/journal-tables.ts";
import type { StorageFault } from "../../journal/journal.ts";
import { Unreadable } from "../../journal/read-only-database.ts";
import { journalFiles } from "../../journal/rebuild-journal.ts";
import { isDiskFull } from "../../journal/storage-guard.ts";
import { SqliteJournal } from "../../journal/sqlite-journal.ts";
import { inspectEarlierJournal, useUpgraded, versionIn } from "../../journal/upgrades/earlier-journal.ts";
import { FIRST_UPGRADABLE, refusalOf } from "../../journal/upgrades/earlier-format.ts";
import { NotUpgradable } from "../../journal/upgrades/journal-content.ts";
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
import type { HostPart } from "../host/checkpoint-saver.ts";
import { comparedReplay, fillsIn } from "./trail-comparison.ts";

interface UpgradeOptions {
  /** Real time, in milliseconds since the epoch. */
  readonly now: () => number;
  readonly log: Logger;
}

/** Does nothing if the directory has no journal of an earlier format. Throws an Error of one line, or of several at damage. */
export function upgradeDirectory(directory: string, { now, log }: UpgradeOptions): void {
  try {
    const version = versionIn(directory);
    const refusal = version === null ? null : refusalOf(version);
    if (refusal !== null) throw new Error(refusal);
    if (!isUpgradeDecided(directory) && !isEarlier(version)) return removeLeftovers(directory);
    log.info("upgrading the journal in {directory} from format {version}", { directory, version });
    withUpgradeLock(directory, () => {
      try {
        const steps = upgradeSteps(directory, now);
        for (let step = steps.next();; step = steps.next()) {
          if (step.done !== true) continue;
          if (step.value !== null) logUpgrade(directory, step.value, log);
          return;
        }
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
 * The steps of an upgrade, for the tests: the process may end after each, and another one then begins again. Gives null if
 * there is nothing to upgrade.
 */
export function* upgradeSteps(
  directory: string,
  now: () => number,
): Generator<string, UpgradePlan | null, undefined> {
  if (isUpgradeDecided(directory)) return yield* putInPlace(directory);
  const version = versionIn(directory);
  if (version === null || !isEarlier(version)) return null;
  const { readable, tornWrite } = inspected(directory, version);
  if (readable === null) return null;
  const draft = beginDraft(directory);
  yield "began the draft";
  copyOldFiles(directory, [...journalFiles(directory), ...AUDIT_FILES]);
  yield "copied the old files";
  write(directory, draft, version, readable);
  yield "wrote the journal";
  const isTrailEarlier = useEarlierTrail(directory, ({ isEarlier }) => isEarlier);
  if (isTrailEarlier) rewriteTrail(directory, draft);
  yield "wrote the audit trail";
  const lastNumber = checkAndBeginEpoch(directory, draft, now());
  yield "checked the journal";
  const removed = filesToRemove(directory, isTrailEarlier ? AUDIT_FILES.filter((file) => file !== AUDIT_FILE) : []);
  const kept = `format-${version}-${new Date(now()).toISOString().replaceAll(/[:.]/g, "-")}`;
  if (!isAsCopied(directory)) throw new Error("another engine has just used it; start again");
  decide(directory, { fromFormat: version, toFormat: FORMAT_VERSION, kept, lastNumber, tornWrite, removed });
  yield "decided";
  return yield* putInPlace(directory);
}

class EarlierDamage extends Error {}

const FULL =
  "the disk is too full to upgrade it, which needs free space of about twice the directory's size; nothing was " +
  "changed: free some space, and start the engine again";

function refused(cause: NotUpgradable): Error {
  const advice = "start the version of mkt that wrote it, or name an empty directory for a new market";
  return new Error(`it can't be upgraded: ${cause.message}; ${advice}`, { cause });
}

function isEarlier(version: number | null): boolean {
  return version !== null && version >= FIRST_UPGRADABLE && version < FORMAT_VERSION;
}

/** Throws EarlierDamage, with all that is damaged. */
function inspected(directory: string, version: number): JournalInspection {
  const inspection = inspectEarlierJournal(directory, version);
  const faults = [...inspection.faults];
  if (inspection.readable !== null) faults.push(...trailFaults(directory, auditPosition(inspection.readable)));
  if (faults.length === 0) return inspection;
  throw new EarlierDamage([
    `the data in ${directory} is damaged, so the engine did not start`,
    ...faults.map(({ file, fault }) => `damaged: ${file} ${fault}`),
    `its journal has the earlier format ${version}, and only an undamaged one can be upgraded`,
    "restore the directory from a backup; or start the version of mkt that wrote it with --accept-data-loss, and stop it again",
  ].join("\n"));
}

/** The audit trail must have every event up to `required`. */
function trailFaults(directory: string, required: number): readonly StorageFault[] {
  try {
    return useEarlierTrail(directory, ({ isEarlier, lastPosition, after }) => {
      if (!isEarlier) return null;
      // Reads every event, which finds the damaged ones: all are written anew.
      for (const _ of after(0));
      if (lastPosition >= required) return [];
      return [{ file: AUDIT_FILE, fault: `ends at event ${lastPosition}, but had events up to ${required}` }];
    }) ?? inspectAudit(directory, required).faults;
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return [{ file: AUDIT_FILE, fault: `is damaged: ${error.message}` }];
  }
}

/** Audit position of the checkpoint; 0 without a checkpoint. */
function auditPosition({ firstPart }: ReadableJournal): number {
  return firstPart === null ? 0 : (JSON.parse(firstPart) as HostPart).auditPosition;
}

function write(directory: string, draft: string, version: number, readable: ReadableJournal): void {
  const upTo = readable.checkpoint?.upTo ?? 0;
  useEarlierTrail(directory, (trail) => {
    const pastFills = () => fillsIn(trail, auditPosition(readable));
    useUpgraded(directory, version, readable, pastFills, (content) => writeJournal(draft, content, upTo));
  });
}

/** Replays the new journal, and adds the record of a new epoch. Returns the number of that record. */
function checkAndBeginEpoch(directory: string, draft: string, now: number): number {
  const store = SqliteJournal.open(draft);
  try {
    const loaded = store.load();
    if (loaded === null) throw new Error("the upgraded journal is empty");
    const { engine } = useEarlierTrail(directory, (trail) => comparedReplay(loaded, trail));
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
  if (tornWrite !== null) {
    log.warn("journal cut after record {after}: {reason}; nothing of it was confirmed", { ...tornWrite });
  }
  log.info("upgraded the journal in {directory} from format {fromFormat} to {toFormat}; the old files are in {kept}", {
    directory,
    fromFormat,
    toFormat,
    lastNumber,
    kept: `${directory}/${kept}`,
  });
}
