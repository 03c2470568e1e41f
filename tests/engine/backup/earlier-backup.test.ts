// A backup with a journal of an earlier format is restored as the directory of such a journal is upgraded: the backup is made
// of a directory that an earlier version of the program really wrote.

import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { logger } from "../../../common/logger.ts";
import { numberOf } from "../../../common/audit/audit-id.ts";
import { recordedOf } from "../../../engine/audit/audit-events.ts";
import { useEarlierTrail } from "../../../engine/audit/earlier-trail.ts";
import { BackupEncoder } from "../../../engine/backup/backup-encoder.ts";
import { BACKUP_FORMAT } from "../../../engine/backup/backup-format.ts";
import { restoreBackup } from "../../../engine/backup/restore.ts";
import { auditLine } from "../../../engine/api/audit-lines.ts";
import { JOURNAL_FILE, rowsOf } from "../../../engine/journal/journal-tables.ts";
import { readDatabase } from "../../../engine/journal/read-only-database.ts";
import { earlierFormat } from "../../../engine/journal/upgrades/earlier-format.ts";
import { inspectEarlierJournal } from "../../../engine/journal/upgrades/earlier-journal.ts";
import { upgradeDirectory } from "../../../engine/server/recovery/directory-upgrade.ts";
import { size } from "../../support/sizes.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";
import { unpackFixture } from "../journal/fixtures/fixture.ts";
import { stateAt } from "./backup-of.ts";

/** What `mkt backup` of the version that wrote the directory would have given. */
function backupOf(directory: string, format: number, said: { readonly epoch: number; readonly sequence: number }) {
  const { readable } = inspectEarlierJournal(directory, format);
  if (readable === null) throw new Error("the journal can't be read");
  const { header, checkpoint, headerChecksum, lastNumber: upTo } = readable;
  const events = useEarlierTrail(directory, ({ after }) => [...after(0)]);
  const encoder = new BackupEncoder();
  const last = events.at(-1);
  encoder.describe({
    kind: "mkt backup",
    format: BACKUP_FORMAT,
    mkt: "0.0.9",
    journalFormat: format,
    engineId: header.engineId,
    epoch: said.epoch,
    upTo,
    sequence: said.sequence,
    marketTime: new Date(readable.lastTime ?? 0).toISOString(),
    time: new Date(readable.lastTime ?? 0).toISOString(),
    checkpoint: checkpoint?.upTo ?? null,
    auditPosition: last === undefined ? 0 : numberOf(last.id),
    auditDelivered: null,
  });
  encoder.addHeader(JSON.stringify(header));
  readDatabase(join(directory, JOURNAL_FILE), (database) => {
    if (checkpoint !== null) {
      const parts = earlierFormat(format).checkpointParts(database, directory, checkpoint, headerChecksum);
      for (const text of parts) encoder.addPart(text);
    }
    let number = checkpoint?.upTo ?? 0;
    for (const row of rowsOf(database, "record", number)) {
      for (const text of row.text.split("\n")) encoder.addCall(++number, text);
    }
  });
  const lines = events.map((event) => auditLine(recordedOf(event))).join("");
  encoder.addEvents(numberOf(events[0]?.id ?? ""), numberOf(last?.id ?? ""), lines);
  return { upTo, bytes: encoder.lastFrame() };
}

/** Which formats can be upgraded is tested beside the upgrades. */
const FIXTURES: readonly (readonly [name: string, format: number])[] = [
  ["format-10-checkpoint", 10],
  ...size([], [["format-9-records", 9], ["format-4-checkpoint", 4]] as const),
];

test.each(FIXTURES)(
  "restores a backup with the journal of %s",
  async (name, format) => {
    const [earlier, folder] = [temporaryDirectory(), temporaryDirectory()];
    const said = unpackFixture(name, earlier);
    const { upTo, bytes } = backupOf(earlier, format, said);
    const [file, restored] = [join(folder, "backup"), join(folder, "data")];
    writeFileSync(file, bytes);
    const now = () => Date.parse(said.time);
    const { description, epoch } = await restoreBackup(file, restored, now);
    expect(description).toMatchObject({ journalFormat: format, upTo });
    expect(epoch).toBeGreaterThan(said.sequence);
    upgradeDirectory(earlier, { now, log: logger("test") });
    expect(stateAt(restored, upTo)).toEqual(stateAt(earlier, upTo));
  },
);
