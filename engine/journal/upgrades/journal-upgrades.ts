// Upgrades the content of a journal of an earlier format to the present one, a step for each format. A step is a file of
// its own, whose header says what changed; a format without a step changed only how files are written, or nothing that a
// reader must know.
//
// A new format needs a step here, and a fixture that the format before wrote (tests/engine/journal/fixtures).
//
// Memory: a part at a time, but for the trades of a checkpoint.

import { FORMAT_VERSION } from "../journal-tables.ts";
import { FROM_FORMAT_10 } from "./from-format-10.ts";
import { FROM_FORMAT_4 } from "./from-format-4.ts";
import { FROM_FORMAT_5 } from "./from-format-5.ts";
import { FROM_FORMAT_6 } from "./from-format-6.ts";
import { FROM_FORMAT_8 } from "./from-format-8.ts";
import { FROM_FORMAT_9 } from "./from-format-9.ts";
import type { JournalContent, JsonObject, PastFills, UpgradeStep } from "./journal-content.ts";

/** By the format that a step takes. */
const STEPS: Readonly<Record<number, UpgradeStep>> = {
  4: FROM_FORMAT_4,
  5: FROM_FORMAT_5,
  6: FROM_FORMAT_6,
  8: FROM_FORMAT_8,
  9: FROM_FORMAT_9,
  10: FROM_FORMAT_10,
};

/**
 * The content in the present format. It is read as it is asked for, and then may throw NotUpgradable.
 * @param pastFills asked for formats up to 5, if a checkpoint lacks trades; default: there are none
 */
export function upgradeJournal(
  format: number,
  content: JournalContent,
  pastFills: PastFills = () => null,
): JournalContent {
  let upgraded = content;
  for (let from = format; from < FORMAT_VERSION; from++) upgraded = afterStep(STEPS[from], upgraded, pastFills);
  return upgraded;
}

function afterStep(
  step: UpgradeStep | undefined,
  { header, parts, records }: JournalContent,
  pastFills: PastFills,
): JournalContent {
  return {
    header,
    parts: parts === null || step?.parts === undefined ? parts : step.parts(parts, header, pastFills),
    records: step?.record === undefined ? records : mapped(records, step.record),
  };
}

function* mapped(
  records: Iterable<JsonObject>,
  change: (record: JsonObject) => JsonObject,
): Generator<JsonObject, void, undefined> {
  for (const record of records) yield change(record);
}
