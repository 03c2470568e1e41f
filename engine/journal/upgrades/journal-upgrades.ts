// Upgrades the content of a journal of an earlier format to the present one, a step for each format. From the first release on,
// formats are kept: whoever raises FORMAT_VERSION adds a step here, also if it changes nothing, and a fixture that the version
// before wrote (tests/engine/journal/fixtures). A step is a file of its own, whose header says what changed.
//
// Memory: a part or a record at a time.

import { FORMAT_VERSION } from "../journal-tables.ts";

export type JsonObject = Readonly<Record<string, unknown>>;

/** What a journal holds, as JSON values, apart from the files that have it. Each part and record is read once, in order. */
export interface JournalContent {
  readonly header: JsonObject;
  /** The parts of the checkpoint; null if there is none. */
  readonly parts: Iterable<JsonObject> | null;
  /** The records after the checkpoint. A step gives as many as it takes, so their numbers stay. */
  readonly records: Iterable<JsonObject>;
}

/** Gives content of the next format. It may throw NotUpgradable, also when what it gives is read. */
export type UpgradeStep = (content: JournalContent) => JournalContent;

/** By the format that a step takes. */
export type UpgradeSteps = Readonly<Record<number, UpgradeStep>>;

export const UPGRADE_STEPS: UpgradeSteps = {};

/** A journal that is whole, but can't be upgraded. */
export class NotUpgradable extends Error {}

/** The oldest format from which steps lead to the present one. */
export function oldestFormat(steps: UpgradeSteps): number {
  let oldest = FORMAT_VERSION;
  while (steps[oldest - 1] !== undefined) oldest -= 1;
  return oldest;
}

/** Throws NotUpgradable if no steps lead from a format to the present one. */
export function refuseTooOld(format: number, steps: UpgradeSteps): void {
  const oldest = oldestFormat(steps);
  if (format >= oldest) return;
  throw new NotUpgradable(`it has format version ${format}, and the oldest that this mkt reads is ${oldest}`);
}

/** The content in the present format. It is read as it is asked for. Throws NotUpgradable. */
export function upgradeJournal(format: number, content: JournalContent, steps: UpgradeSteps): JournalContent {
  refuseTooOld(format, steps);
  let upgraded = content;
  for (let from = format; from < FORMAT_VERSION; from++) upgraded = steps[from]!(upgraded);
  return upgraded;
}
