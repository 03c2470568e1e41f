// An audit trail of format 2, which keeps each event as a row, written anew in the present format. The trail is that of an
// earlier version (tests/engine/journal/fixtures).

import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { AUDIT_FILE } from "../../../engine/audit/audit-tables.ts";
import { rewriteTrail, useEarlierTrail } from "../../../engine/audit/earlier-trail.ts";
import { inspectAudit } from "../../../engine/audit/inspect-audit.ts";
import { SqliteAuditStore } from "../../../engine/audit/sqlite-audit-store.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";
import { type Said, unpackFixture } from "../journal/fixtures/fixture.ts";

interface Rewritten {
  readonly said: Said;
  readonly from: string;
  readonly to: string;
}

function rewritten(...statements: readonly string[]): Rewritten {
  const [from, to] = [temporaryDirectory(), temporaryDirectory()];
  const said = unpackFixture("format-6-records", from);
  const database = new Database(join(from, AUDIT_FILE));
  for (const statement of statements) database.run(statement);
  database.close();
  rewriteTrail(from, to);
  return { said, from, to };
}

function look<Result>(directory: string, at: (store: SqliteAuditStore) => Result): Result {
  const store = SqliteAuditStore.open(directory, { now: Date.now });
  try {
    return at(store);
  } finally {
    store.close();
  }
}

describe("A trail of format 2", () => {
  test("has the same events in the present format, and is durable", () => {
    const { said, from, to } = rewritten();
    rmSync(join(to, `${AUDIT_FILE}-wal`), { force: true });
    expect(inspectAudit(to, said.audit.length).faults).toEqual([]);
    expect(look(to, (store) => store.after(0, 1000))).toEqual(said.audit as never);
    const trails = [from, to].map((directory) =>
      useEarlierTrail(
        directory,
        ({ isEarlier, lastPosition, after }) => ({ isEarlier, lastPosition, all: [...after(90)] }),
      )
    );
    const all = said.audit.slice(90) as never;
    const lastPosition = said.audit.length;
    expect(trails).toEqual([{ isEarlier: true, lastPosition, all }, { isEarlier: false, lastPosition, all }]);
  });

  test("keeps where it begins and how far it was delivered", () => {
    const { said, to } = rewritten(
      "delete from event where position <= 40",
      "insert into beginning values (1, 40)",
      "insert into delivered values (1, 70)",
    );
    look(to, (store) => {
      expect(store.after(0, 1000)).toEqual(said.audit.slice(40) as never);
      expect(store.beginDelivery()).toBe(70);
      expect(store.lastPosition).toBe(said.audit.length);
    });
  });

  test("without any event begins where the lost ones ended", () => {
    const { from, to } = rewritten("delete from event", "delete from day", "insert into beginning values (1, 40)");
    expect(useEarlierTrail(from, ({ lastPosition }) => lastPosition)).toBe(40);
    expect(look(to, (store) => store.lastPosition)).toBe(40);
  });
});
