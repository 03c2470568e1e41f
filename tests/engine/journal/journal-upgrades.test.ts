// Journals that earlier versions of the program really wrote (fixtures/README.md) are upgraded to the market of which those
// versions spoke, whenever the process that upgrades ends.

import { describe, expect, test } from "bun:test";
import { Database } from "bun:sqlite";
import { cpSync, existsSync, readdirSync, readFileSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { logger } from "../../../common/logger.ts";
import { SqliteAuditStore } from "../../../engine/audit/sqlite-audit-store.ts";
import type { EngineRequest } from "../../../engine/api/market-engine.ts";
import type { Engine } from "../../../engine/engine.ts";
import { inspectJournal } from "../../../engine/journal/inspect-journal.ts";
import { FORMAT_VERSION } from "../../../engine/journal/journal-tables.ts";
import { SqliteJournal } from "../../../engine/journal/sqlite-journal.ts";
import { inspectEarlierJournal } from "../../../engine/journal/upgrades/earlier-journal.ts";
import { isUpgradeDecided } from "../../../engine/journal/upgrades/upgrade-files.ts";
import { upgradeDirectory, upgradeSteps } from "../../../engine/server/recovery/directory-upgrade.ts";
import { recoverEngine } from "../../../engine/server/recovery/recover-engine.ts";
import { canMakeSmallDisks, smallDisk } from "../../e2e/support/small-disk.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";
import { size } from "../../support/sizes.ts";
import { type Said, unpackFixture } from "./fixtures/fixture.ts";

const FIXTURES = [
  "format-4-checkpoint",
  "format-5-first-checkpoint",
  "format-5-second-checkpoint",
  "format-5-checkpoint",
  "format-5-records",
  "format-6-checkpoint",
  "format-7-first-checkpoint",
  "format-7-checkpoint",
  "format-8-checkpoint",
  "format-9-checkpoint",
  "format-9-records",
  "format-10-checkpoint",
  // Their steps are those of the others.
  ...size([], ["format-4-records", "format-6-records", "format-7-records", "format-8-records", "format-10-records"]),
];
const LOG = logger("test");
const FILES = /^(journal\.sqlite|audit\.sqlite|journal\.witness|checkpoint-)/;

interface Fixture {
  readonly directory: string;
  readonly said: Said;
  readonly format: number;
}

function fixture(name: string): Fixture {
  const directory = temporaryDirectory();
  const said = unpackFixture(name, directory);
  return { directory, said, format: Number(/\d+/.exec(name)?.[0]) };
}

function upgrade({ directory, said }: Fixture): void {
  upgradeDirectory(directory, { now: () => Date.parse(said.time), log: LOG });
}

/** A directory's market, as a start finds it. */
function open<Result>({ directory, said }: Fixture, look: (engine: Engine, write: Write) => Result): Result {
  const now = () => Date.parse(said.time);
  const store = SqliteJournal.open(directory);
  const audit = SqliteAuditStore.open(directory, { now });
  try {
    const header = () => {
      throw new Error("there is no journal");
    };
    const { engine, journal, leftOrders } = recoverEngine({ store, audit, header, secret: said.secret, now, log: LOG });
    journal.commit();
    expect(leftOrders).toEqual([]);
    expect(audit.after(0, said.audit.length)).toMatchObject(said.audit as never);
    return look(engine, (request) => {
      const { response, audit: lines } = engine.execute(request, now());
      journal.append({ kind: "execute", ...request, cancelOnDisconnect: false, now: now() });
      journal.commit();
      audit.record(lines);
      return response?.status;
    });
  } finally {
    audit.close();
    store.close();
  }
}

type Write = (request: EngineRequest) => string | undefined;

function modulesOf(engine: Engine): Record<string, unknown> {
  const messages = [...engine.snapshot(engine.now)].map(({ text }) => JSON.parse(text));
  return Object.fromEntries(messages.map(({ statePath, state }) => [statePath, state]));
}

/** The modules as the earlier version said them, without what passes with time. */
function expectMarket(engine: Engine, { modules, positions }: Said): void {
  const actual = modulesOf(engine);
  expect(Object.keys(actual).sort()).toEqual(Object.keys(modules).sort());
  for (const [path, { currentTime: _, ...module }] of Object.entries(modules)) {
    // A module may have got more fields.
    expect({ path, ...actual[path] as object }).toMatchObject({ path, ...module });
  }
  for (const [entityId, said] of Object.entries(positions)) {
    if (said === null) continue;
    const { asOf: _, ...position } = said;
    expect(engine.positions(entityId, engine.now)).toMatchObject(position);
  }
}

/** Clients that resume are told of a gap, and get all numbers above those that were ever sent. */
function expectNewEpoch(engine: Engine, { epoch, sequence }: Said): void {
  expect(engine.epoch).toBeGreaterThan(Math.max(epoch, sequence));
}

/** Each operation's first answer again. */
function expectAnswers(engine: Engine, { exchanges }: Said): void {
  const seen = new Set<string>();
  for (const { userId, operationId, action, payload, response } of exchanges) {
    const isFirst = !seen.has(userId + operationId);
    seen.add(userId + operationId);
    // What did not parse is not remembered. The secret's digest is another one in each epoch.
    if (!isFirst || response["code"] === "invalid_payload" || action === "dev.reset") continue;
    const { response: answer } = engine.execute({ userId, operationId, action, payload } as EngineRequest, engine.now);
    const { result, order, ...rest } = answer ?? {};
    const parsed = order === undefined ? result && JSON.parse(result) : { order: JSON.parse(order) };
    expect({ ...rest, ...(parsed && { result: parsed }) }).toMatchObject(response as never);
  }
}

describe("A journal", () => {
  test.each(FIXTURES)("of %s is upgraded to the market that was confirmed, which goes on", (name) => {
    const given = fixture(name);
    const { directory, said } = given;
    const before = contentOf(directory);
    upgrade(given);
    expectKept(directory, before);
    const trades = open(given, (engine, write) => {
      expectMarket(engine, said);
      expectNewEpoch(engine, said);
      expectAnswers(engine, said);
      const order = { contractId: "north-base-2099", price: 5000, quantity: 1 };
      const submit = (userId: string, side: number, operationId: string) =>
        write({ userId, operationId, action: "order.submit", payload: { ...order, side } });
      expect([submit("anna", 1, "after-1"), submit("bert", 0, "after-2")]).toEqual(["ok", "ok"]);
      return Object.keys(modulesOf(engine)).filter((path) => path.startsWith("/TRADE/"));
    });
    const traded = Object.keys(said.modules).filter((path) => path.startsWith("/TRADE/"));
    expect(trades.length).toBe(traded.length + 1);
    upgrade(given);
    open(given, (engine) => {
      expect(Object.keys(modulesOf(engine)).filter((path) => path.startsWith("/TRADE/"))).toEqual(trades);
      expectAnswers(engine, said);
    });
  });

  test("with an incomplete last write is upgraded without it, and the plan says so", () => {
    const given = fixture("format-9-records");
    const log = join(given.directory, "journal.sqlite-wal");
    const bytes = readFileSync(log);
    const [header, frame] = [32, 24 + 4096];
    // The next frame, which a power failure cut off.
    const lastFrame = header + Math.floor((bytes.length - header) / frame - 1) * frame;
    writeFileSync(
      log,
      Buffer.concat([bytes.subarray(0, lastFrame + frame), bytes.subarray(lastFrame, lastFrame + 1000)]),
    );
    const steps = upgradeSteps(given.directory, () => Date.parse(given.said.time));
    let step = steps.next();
    while (step.done !== true) step = steps.next();
    expect(step.value?.tornWrite).toEqual({
      after: (step.value?.lastNumber ?? 0) - 1,
      reason: "1000 bytes of an incomplete last write in journal.sqlite-wal",
    });
    open(given, (engine) => expectMarket(engine, given.said));
  });

  test("gets event numbers far above those that were sent, even if the clock is wrong", () => {
    const given = fixture("format-10-records");
    upgradeDirectory(given.directory, { now: () => 0, log: LOG });
    // Under other rules a call may cause fewer events than the earlier engine has sent.
    open(given, (engine) => expect(engine.epoch).toBeGreaterThan(given.said.sequence + 1_000_000));
  });

  test("of the present format is read as the version read it that wrote it", () => {
    const given = fixture(`format-${FORMAT_VERSION}-checkpoint`);
    upgrade(given);
    expect(readdirSync(given.directory).filter((file) => file.startsWith("format-"))).toEqual([]);
    open(given, (engine) => {
      expect([engine.epoch, engine.sequence]).toEqual([given.said.epoch, given.said.sequence]);
      expectMarket(engine, given.said);
      expectAnswers(engine, given.said);
    });
  });

  test.each(["format-5-checkpoint", ...size([], ["format-8-checkpoint", "format-10-records"])])(
    "of %s is whole after a kill at any step of its upgrade, and the next start ends it",
    (name) => {
      const { directory: original, said, format } = fixture(name);
      const now = () => Date.parse(said.time);
      const names: string[] = [];
      for (let count = 1;; count++) {
        const directory = temporaryDirectory();
        cpSync(original, directory, { recursive: true });
        const steps = upgradeSteps(directory, now);
        let last = steps.next();
        for (let done = 1; done < count && last.done !== true; done++) last = steps.next();
        if (last.done === true) break;
        steps.return(null);
        names.push(last.value);
        const isDecided = isUpgradeDecided(directory);
        // Before, the old journal is as it was. From then on it is for the upgrade alone to end.
        if (!isDecided && last.value !== "ended") {
          expect(contentOf(directory)).toEqual(contentOf(original));
          expect(inspectEarlierJournal(directory, format).faults).toEqual([]);
        }
        upgrade({ directory, said, format });
        expect(readdirSync(directory).filter((file) => file.startsWith("upgrade."))).toEqual([]);
        expect(inspectJournal(directory)).toMatchObject({ faults: [], isNew: false });
        expectKept(directory, contentOf(original));
        if (count % 5 === 0) open({ directory, said, format }, (engine) => expectMarket(engine, said));
      }
      expect(names).toContain("decided");
      expect(names).toContain("placed journal.sqlite");
    },
  );
});

const hasDisks = canMakeSmallDisks("the tests of an upgrade on a full disk");

describe("An upgrade is refused, and changes nothing,", () => {
  test("if an engine of an earlier version has committed meanwhile, or is running", () => {
    const { directory, said } = fixture("format-10-records");
    const steps = upgradeSteps(directory, () => Date.parse(said.time));
    for (let step = steps.next(); step.value !== "checked the journal"; step = steps.next());
    const path = join(directory, "journal.witness");
    const witness = readFileSync(path);
    writeFileSync(path, Buffer.concat([witness, Buffer.from("later")]));
    expect(() => steps.next()).toThrow("another engine has just used it; start again");
    writeFileSync(path, witness);
    expect(isUpgradeDecided(directory)).toBe(false);
  });

  test.skipIf(!hasDisks)("if the disk becomes full, and the reason is named whatever could not be written", () => {
    // Beside a copy of the old files there is room for part of the new ones, or none.
    for (const freeKilobytes of [8, 40, 520, 568, 600, 640]) {
      const disk = smallDisk(2);
      try {
        const said = unpackFixture("format-8-checkpoint", disk.path);
        const before = contentOf(disk.path);
        const { bavail, bsize } = statfsSync(disk.path);
        writeFileSync(join(disk.path, "filler"), new Uint8Array(bavail * bsize - freeKilobytes * 1024));
        expect(() => upgrade({ directory: disk.path, said, format: 8 })).toThrow("the disk is too full to upgrade it");
        disk.empty();
        expect(contentOf(disk.path)).toEqual(before);
      } finally {
        disk.remove();
      }
    }
  });

  test("if the format has no proof of its end", () => {
    const given = fixture("format-3-records");
    const before = contentOf(given.directory);
    expect(() => upgrade(given)).toThrow(
      `journal in ${given.directory}: it has format version 3, this mkt upgrades versions from 4 to ${
        FORMAT_VERSION - 1
      }; start the version of mkt that wrote it, or name an empty directory for a new market`,
    );
    expect(contentOf(given.directory)).toEqual(before);
  });

  const damages: [what: string, file: string, statement: string, message: RegExp][] = [
    [
      "a record is damaged",
      "journal.sqlite",
      "update record set text = replace(text, 'order', 'Order') where number = 40",
      /damaged: journal\.sqlite is damaged: record 40 has the wrong checksum\n/,
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
      /its format version reads 9 instead of 5\n/,
    ],
    [
      "an audit event is damaged",
      "audit.sqlite",
      "update event set time = time + 1 where position = 7",
      /damaged: audit\.sqlite is damaged: event 7 has the wrong checksum\n/,
    ],
    [
      "an audit event is missing",
      "audit.sqlite",
      "delete from event where position = 7",
      /damaged: audit\.sqlite is damaged: of events 1 to \d+, only \d+ exist\n/,
    ],
  ];
  test.each(damages)("if %s", (_, file, statement, message) => {
    const given = fixture("format-5-records");
    change(join(given.directory, file), statement);
    const before = contentOf(given.directory);
    expect(() => upgrade(given)).toThrow(message);
    expect(() => upgrade(given)).toThrow(/start the version of mkt that wrote it with --accept-data-loss/);
    expect(contentOf(given.directory)).toEqual(before);
  });

  test.each([
    // The first version of format 4 recorded the rejected orders of users who may not trade.
    ["format-4-first-records", "under the rules of this version its calls have another outcome: audit event"],
    ["format-4-first-checkpoint", "its checkpoint was written by a program between two formats"],
  ])("if the version that wrote %s had other rules", (name, reason) => {
    const given = fixture(name);
    const before = contentOf(given.directory);
    expect(() => upgrade(given)).toThrow(`journal in ${given.directory}: it can't be upgraded: ${reason}`);
    expect(contentOf(given.directory)).toEqual(before);
    expect(readdirSync(given.directory).filter((file) => file.startsWith("upgrade."))).toEqual([]);
  });

  test("if this version gives a call another outcome than was recorded", () => {
    const given = fixture("format-8-records");
    const { directory } = given;
    // What another rule would have recorded, with a checksum that fits.
    const store = SqliteAuditStore.open(directory, { now: Date.now });
    const events = store.after(0, 1000);
    const other = events.findIndex(({ event }) => event === "orderFilled");
    store.truncate(other);
    store.append(
      events.slice(other).map((event, at) =>
        at > 0 ? event : { ...event, details: { ...event.details, fillPrice: 1 } }
      ),
    );
    store.sync();
    store.close();
    const before = contentOf(directory);
    expect(() => upgrade(given)).toThrow(
      /it can't be upgraded: under the rules of this version its calls have another outcome: audit event \S+ was orderFilled of ORD-\d+, and would be orderFilled/,
    );
    expect(contentOf(directory)).toEqual(before);
  });

  test("if more audit events were recorded than its calls cause", () => {
    const given = fixture("format-9-records");
    const store = SqliteAuditStore.open(given.directory, { now: Date.now });
    const [last] = store.after(store.lastPosition - 1, 1);
    const position = String(store.lastPosition + 1).padStart(12, "0");
    if (last !== undefined) store.append([{ ...last, id: `${last.id.slice(0, 17)}${position}` }]);
    store.sync();
    store.close();
    expect(() => upgrade(given)).toThrow(/its calls cause \d+ audit events, and event \S+ was recorded/);
  });
});

function change(path: string, statement: string): void {
  const database = new Database(path);
  database.run(statement);
  // A log that is kept is as good as after a kill.
  database.close();
}

/** Its files, without the reserve. */
function contentOf(directory: string): Record<string, string> {
  const files = readdirSync(directory).filter((file) => FILES.test(file) && !file.endsWith("-shm"));
  return Object.fromEntries(
    files.sort().map((file) => [file, Bun.hash(readFileSync(join(directory, file))).toString()]),
  );
}

/** One folder beside has the old files as they were. */
function expectKept(directory: string, before: Record<string, string>): void {
  const kept = readdirSync(directory).filter((file) => file.startsWith("format-"));
  expect(kept).toHaveLength(1);
  expect(contentOf(join(directory, kept[0] ?? ""))).toEqual(before);
  expect(existsSync(join(directory, "upgrade.lock"))).toBe(false);
}
