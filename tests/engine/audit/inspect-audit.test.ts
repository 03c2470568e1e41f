// Inspections of damaged audit trails, which have six blocks of five events. Rows are changed with another SQLite connection,
// after a close.

import { Database } from "bun:sqlite";
import { beforeEach, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { AUDIT_FILE } from "../../../engine/audit/audit-tables.ts";
import { inspectAudit } from "../../../engine/audit/inspect-audit.ts";
import { SqliteAuditStore } from "../../../engine/audit/sqlite-audit-store.ts";
import { EventMaker, NOW, query } from "../../common/audit/support/events.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const EVENTS = 30;
const BLOCK = 5;
let directory: string;
let file: string;

beforeEach(() => {
  directory = temporaryDirectory();
  file = join(directory, AUDIT_FILE);
  const store = SqliteAuditStore.open(directory, { now: () => NOW });
  const maker = new EventMaker();
  for (let events = 0; events < EVENTS; events += BLOCK) {
    store.append(maker.many(BLOCK));
    store.write();
  }
  store.sync();
  store.close();
});

/** Changes one byte of a block. */
const CHANGE_15 = "update block set lines = cast(unhex('29') || substr(lines, 2) as blob) where last_position = 15";

function damage(statement: string): void {
  const database = new Database(file);
  database.run(statement);
  database.close();
}

function faultsOf(required = EVENTS, checked?: number): string {
  return inspectAudit(directory, required, checked).faults.map(({ file, fault }) => `${file} ${fault}`).join("; ");
}

describe("an audit trail", () => {
  test("with all required events is whole, and is not changed", () => {
    const before = readFileSync(file);
    expect(inspectAudit(directory, EVENTS)).toEqual({ faults: [], lastPosition: EVENTS });
    expect(readFileSync(file).equals(before)).toBe(true);
    expect(readdirSync(directory)).toEqual([AUDIT_FILE]);
  });

  test("may lack events that are not required: a replay adds them again", () => {
    damage("delete from block where last_position > 20");
    expect(faultsOf(20)).toBe("");
    expect(faultsOf(21)).toBe("audit.sqlite ends at event 20, but had events up to 21");
    rmSync(file);
    expect(faultsOf(0)).toBe("");
    expect(faultsOf(1)).toBe("audit.sqlite is missing or empty, but had events 1 to 1");
  });

  test("whose table of days holds the keys of another table is damaged", () => {
    damage("insert or ignore into day select key, last_position from mention");
    expect(faultsOf()).toBe("audit.sqlite is damaged: its table of days holds something else");
  });

  test("that begins after a loss is whole, and its position is where it begins", () => {
    rmSync(file);
    const store = SqliteAuditStore.open(directory, { now: () => NOW });
    store.beginAfter(17);
    expect([store.lastPosition, store.size]).toEqual([17, 0]);
    store.close();
    expect(inspectAudit(directory, 17)).toEqual({ faults: [], lastPosition: 17 });
    expect(faultsOf(18)).toContain("ends at event 17");
  });

  test.each([
    ["changed events", CHANGE_15, "events 11 to 15 have the wrong checksum"],
    [
      "a changed position",
      "update block set first_position = 12 where last_position = 15",
      "of events 1 to 30, only 29 exist",
    ],
    ["missing events", "delete from block where last_position = 15", "of events 1 to 30, only 25 exist"],
    ["a missing table", "drop table block", "no such table: block"],
    ["another format version", "pragma user_version = 7", "its format version reads 7 instead of 3"],
  ])("with %s is damaged", (_, statement, fault) => {
    damage(statement);
    expect(faultsOf()).toContain(`audit.sqlite is damaged: ${fault}`);
  });

  test("that is truncated or is not a database is damaged", () => {
    truncateSync(file, readFileSync(file).length - 4096);
    expect(faultsOf()).toContain("audit.sqlite is damaged: ");
    writeFileSync(file, "no database".repeat(1000));
    expect(faultsOf()).toContain("audit.sqlite is damaged: file is not a database");
  });

  test("with a changed old event fails at the latest when that event is read", async () => {
    damage(CHANGE_15);
    expect(faultsOf(EVENTS, 15)).toBe("");
    expect(faultsOf(EVENTS, 16)).toContain("events 11 to 15 have the wrong checksum");
    const store = SqliteAuditStore.open(directory, { now: () => NOW });
    const reading = store.query(query({ from: "2000-01-01", to: "2100-01-01" }));
    await expect(reading).rejects.toThrow("audit events 11 to 15 are damaged");
    store.close();
  });
});
