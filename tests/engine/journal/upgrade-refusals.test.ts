// Upgrades that are refused: damage, other rules, formats without a step, a full disk, two engines at once. The journal is of a
// made-up format (fixtures/made-up-format.ts).

import { describe, expect, test } from "bun:test";
import { Database } from "bun:sqlite";
import { readdirSync, readFileSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SqliteAuditStore } from "../../../engine/audit/sqlite-audit-store.ts";
import { inspectJournal } from "../../../engine/journal/inspect-journal.ts";
import { FORMAT_VERSION } from "../../../engine/journal/journal-tables.ts";
import { UPGRADE_STEPS } from "../../../engine/journal/upgrades/journal-upgrades.ts";
import { isUpgradeDecided, withUpgradeLock } from "../../../engine/journal/upgrades/upgrade-files.ts";
import { auditPositionOf } from "../../../engine/server/host/checkpoint-saver.ts";
import { upgradeStages } from "../../../engine/server/recovery/directory-upgrade.ts";
import { canMakeSmallDisks, smallDisk } from "../../e2e/support/small-disk.ts";
import { contentOf, earlier, type Given, MADE_UP_FORMAT, MADE_UP_STEPS, upgrade } from "./fixtures/made-up-format.ts";

const hasDisks = canMakeSmallDisks("the tests of an upgrade on a full disk");

describe("An upgrade is refused, and changes nothing,", () => {
  /** Damages a journal, or the trail beside it. */
  const refused = (harm: (given: Given) => void, ...messages: readonly (string | RegExp)[]) => {
    const given = earlier();
    harm(given);
    const before = contentOf(given.directory);
    for (const message of messages) expect(() => upgrade(given)).toThrow(message);
    expect(contentOf(given.directory)).toEqual(before);
    expect(readdirSync(given.directory).filter((file) => file.startsWith("upgrade."))).toEqual([]);
  };

  test("if an engine of an earlier version has committed meanwhile, or is running", () => {
    const { directory, said } = earlier();
    const stages = upgradeStages(directory, () => Date.parse(said.time), MADE_UP_STEPS);
    for (let stage = stages.next(); stage.value !== "checked the journal"; stage = stages.next());
    const path = join(directory, "journal.witness");
    const witness = readFileSync(path);
    writeFileSync(path, Buffer.concat([witness, Buffer.from("later")]));
    expect(() => stages.next()).toThrow("another engine has just used it; start again");
    writeFileSync(path, witness);
    expect(isUpgradeDecided(directory)).toBe(false);
  });

  test("if another engine upgrades the directory", () => {
    const given = earlier();
    withUpgradeLock(given.directory, () => {
      expect(() => upgrade(given)).toThrow(`journal in ${given.directory}: another engine is using it`);
    });
    upgrade(given);
    expect(inspectJournal(given.directory).faults).toEqual([]);
  });

  test.skipIf(!hasDisks)("if the disk becomes full, and the reason is named whatever could not be written", () => {
    // Beside a copy of the old files there is room for part of the new ones, or none.
    for (const freeKilobytes of [8, 40, 120, 160, 200]) {
      const disk = smallDisk(2);
      try {
        const given = earlier(disk.path);
        const before = contentOf(disk.path);
        const { bavail, bsize } = statfsSync(disk.path);
        writeFileSync(join(disk.path, "filler"), new Uint8Array(bavail * bsize - freeKilobytes * 1024));
        expect(() => upgrade(given)).toThrow("the disk is too full to upgrade it");
        disk.empty();
        expect(contentOf(disk.path)).toEqual(before);
      } finally {
        disk.remove();
      }
    }
  });

  test("if no steps lead from its format to the present one", () => {
    const given = earlier();
    const before = contentOf(given.directory);
    expect(() => upgrade(given, UPGRADE_STEPS)).toThrow(
      `journal in ${given.directory}: it can't be upgraded: it has format version ${MADE_UP_FORMAT}, and the oldest that ` +
        `this mkt reads is ${FORMAT_VERSION}; start the version of mkt that wrote it, or name an empty directory for a new market`,
    );
    expect(contentOf(given.directory)).toEqual(before);
  });

  const damages: [what: string, file: string, statement: string, message: RegExp][] = [
    [
      "a record is damaged",
      "journal.sqlite",
      "update record set text = replace(text, 'order', 'Order') where number = (select min(number) from record)",
      /damaged: journal\.sqlite is damaged: record \d+ has the wrong checksum\n/,
    ],
    [
      "the last record is missing",
      "journal.sqlite",
      "delete from record where number = (select max(number) from record)",
      /damaged: journal\.sqlite \(without a journal\.sqlite-wal\) ends at record \d+, but record \d+ was committed\n/,
    ],
    [
      "the format's number is damaged",
      "journal.sqlite",
      "pragma user_version = 9",
      new RegExp(`its format version reads 9 instead of ${MADE_UP_FORMAT}\n`),
    ],
    [
      "an audit event is damaged",
      "audit.sqlite",
      "update block set checksum = checksum + 1",
      /damaged: audit\.sqlite is damaged: events \d+ to \d+ have the wrong checksum\n/,
    ],
    [
      "audit events are missing",
      "audit.sqlite",
      "delete from block",
      /damaged: audit\.sqlite ends at event 0, but had events up to 128\n/,
    ],
  ];
  test.each(damages)("if %s", (_, file, statement, message) => {
    refused(
      ({ directory }) => change(join(directory, file), statement),
      message,
      /start the version of mkt that wrote it with --accept-data-loss/,
    );
  });

  test("if this version gives a call another outcome than was recorded", () => {
    refused(
      ({ directory }) => {
        const compared = auditPositionOf(inspectJournal(directory, MADE_UP_FORMAT).readable);
        // What another rule would have recorded, with a checksum that fits.
        const store = SqliteAuditStore.open(directory, { now: Date.now });
        const events = store.after(0, 1000);
        const other = events.findIndex(({ event }, at) => at >= compared && event === "orderFilled");
        store.truncate(other);
        store.append(
          events.slice(other).map((event, at) =>
            at > 0 ? event : { ...event, details: { ...event.details, fillPrice: 1 } }
          ),
        );
        store.sync();
        store.close();
      },
      /it can't be upgraded: under the rules of this version its calls have another outcome: audit event \S+ was orderFilled of ORD-\d+, and would be orderFilled/,
    );
  });

  test("if more audit events were recorded than its calls cause", () => {
    refused(({ directory }) => {
      const store = SqliteAuditStore.open(directory, { now: Date.now });
      const [last] = store.after(store.lastPosition - 1, 1);
      const position = String(store.lastPosition + 1).padStart(12, "0");
      if (last !== undefined) store.append([{ ...last, id: `${last.id.slice(0, 17)}${position}` }]);
      store.sync();
      store.close();
    }, /its calls cause \d+ audit events, and event \S+ was recorded/);
  });
});

function change(path: string, statement: string): void {
  const database = new Database(path);
  database.run(statement);
  // A log that is kept is as good as after a kill.
  database.close();
}
