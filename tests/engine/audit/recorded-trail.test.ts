// The whole audit trail of a directory, read after any position and from any block.

import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { AUDIT_FILE } from "../../../engine/audit/audit-tables.ts";
import { useRecordedTrail } from "../../../engine/audit/recorded-trail.ts";
import { SqliteAuditStore } from "../../../engine/audit/sqlite-audit-store.ts";
import { Unreadable } from "../../../engine/journal/read-only-database.ts";
import { EventMaker, NOW } from "../../common/audit/support/events.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const COUNT = 600;

/** A trail of several blocks, that no process uses any more. */
function recorded(): { directory: string; events: unknown[] } {
  const directory = temporaryDirectory();
  const store = SqliteAuditStore.open(directory, { now: () => NOW });
  const events = new EventMaker().many(COUNT);
  store.append(events);
  store.sync();
  store.close();
  return { directory, events };
}

test("events are read after a position, oldest first, whatever block they are in, and again after another one", () => {
  const { directory, events } = recorded();
  useRecordedTrail(directory, (eventsAfter) => {
    for (const position of [0, 1, 255, 256, 257, 511, 512, 599, 600, 601]) {
      expect([...eventsAfter(position)]).toEqual(events.slice(position) as never);
    }
  });
});

test("a directory without a trail, or with an empty one, has no events", () => {
  const directory = temporaryDirectory();
  const count = () => useRecordedTrail(directory, (eventsAfter) => [...eventsAfter(0)].length);
  expect(count()).toBe(0);
  writeFileSync(join(directory, AUDIT_FILE), "");
  expect(count()).toBe(0);
});

test("what comes of the trail is returned, and a damaged block is told of when it is reached", () => {
  const { directory, events } = recorded();
  const database = new Database(join(directory, AUDIT_FILE));
  database.run("update block set checksum = checksum + 1 where last_position = (select max(last_position) from block)");
  const damaged = database.query<{ first: number }, []>("select max(first_position) as first from block").get()!.first;
  database.close();
  const read: unknown[] = [];
  const readAll = () =>
    useRecordedTrail(directory, (eventsAfter) => {
      for (const event of eventsAfter(0)) read.push(event);
    });
  expect(readAll).toThrow(Unreadable);
  expect(read).toEqual(events.slice(0, damaged - 1));
  expect(useRecordedTrail(directory, () => "anything")).toBe("anything");
});
