// Reading a SQLite file without a change, single values of it, the end of its log, and the lock of a directory.

import { Database } from "bun:sqlite";
import { beforeEach, describe, expect, test } from "bun:test";
import { copyFileSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { exclusiveLock } from "../../../engine/journal/exclusive-lock.ts";
import { readDatabase, sizeOf, structureFault, Unreadable } from "../../../engine/journal/read-only-database.ts";
import { secretDigest, withSecretDigest } from "../../../engine/journal/secret-digest.ts";
import { formatVersion, readNumber, tableCount } from "../../../engine/journal/sqlite-values.ts";
import { bytesAfterLastCommit } from "../../../engine/journal/wal-tail.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

let directory: string;
let path: string;
beforeEach(() => {
  directory = temporaryDirectory();
  path = join(directory, "data.sqlite");
});

function made(...statements: readonly string[]): void {
  const database = new Database(path);
  for (const statement of statements) database.run(statement);
  database.close();
}

/** A database of which a kill has left the log, with a frame for each of some commits. */
function leftByKill(commits: number): string {
  made("pragma journal_mode = wal", "create table numbers (number integer)");
  const database = new Database(path);
  for (let number = 1; number <= commits; number++) database.run(`insert into numbers values (${number})`);
  const killed = join(directory, "killed.sqlite");
  for (const end of ["", "-wal"]) copyFileSync(path + end, killed + end);
  database.close();
  return killed;
}

const namesIn = () => readdirSync(directory).toSorted();

describe("a database that is read", () => {
  test("gives what is asked of it, also from its log, and its files stay as they are", () => {
    const killed = leftByKill(3);
    const before = [killed, `${killed}-wal`].map((file) => readFileSync(file).toString("base64"));
    const names = namesIn();
    expect(readDatabase(killed, (database) => readNumber(database, "select sum(number) as number from numbers"))).toBe(
      6,
    );
    expect([killed, `${killed}-wal`].map((file) => readFileSync(file).toString("base64"))).toEqual(before);
    expect(namesIn()).toEqual(names);
  });

  test("can't be changed, and leaves no log if it had none", () => {
    made("pragma journal_mode = wal", "create table numbers (number integer)");
    expect(() => readDatabase(path, (database) => database.run("delete from numbers"))).toThrow("readonly");
    expect(namesIn()).toEqual(["data.sqlite"]);
  });

  test.each<[string, () => void, string]>([
    ["no database", () => writeFileSync(path, "x".repeat(4096)), "file is not a database"],
    ["without a table", () => made("create table others (number integer)"), "no such table: numbers"],
  ])("is unreadable if it is %s, and is left alone", (_, prepare, message) => {
    prepare();
    const before = readFileSync(path).toString("base64");
    const read = () => readDatabase(path, (database) => readNumber(database, "select number from numbers"));
    expect(read).toThrow(Unreadable);
    expect(read).toThrow(message);
    expect([readFileSync(path).toString("base64"), namesIn()]).toEqual([before, ["data.sqlite"]]);
  });

  test("passes on other errors: of what is done with it, of a missing file, and of one in use", () => {
    made("create table numbers (number integer)");
    const fail = () =>
      readDatabase(path, () => {
        throw new RangeError("of the test");
      });
    expect(fail).toThrow(RangeError);
    expect(() => readDatabase(join(directory, "none"), () => {})).toThrow("ENOENT");
    const user = new Database(path);
    user.run("begin exclusive");
    let error: unknown = null;
    try {
      readDatabase(path, (database) => tableCount(database));
    } catch (thrown) {
      error = thrown;
    }
    expect([error instanceof Unreadable, (error as { readonly code?: string }).code]).toEqual([false, "SQLITE_BUSY"]);
    user.close();
  });

  test("has single values, and a fault of its structure in one line", () => {
    made(
      "pragma user_version = 7",
      "create table numbers (number integer)",
      "create index byNumber on numbers (number)",
    );
    readDatabase(path, (database) => {
      expect([formatVersion(database), tableCount(database), structureFault(database, "quick_check")]).toEqual([
        7,
        2,
        null,
      ]);
      expect(readNumber(database, "select number from numbers")).toBeNull();
      expect(readNumber(database, "select max(number) as number from numbers")).toBeNull();
      expect(readNumber(database, "select ?1 + ?2 as number", 3, 4)).toBe(7);
    });
    const bytes = readFileSync(path);
    // The second page is the table: it says that it has more cells than fit.
    bytes.writeUInt16BE(0xffff, 4096 + 3);
    writeFileSync(path, bytes);
    const fault = readDatabase(path, (database) => structureFault(database, "integrity_check"));
    expect(fault).toBeTruthy();
    expect(fault).not.toMatch(/\n| {2}/);
  });

  test("has the size of its file, and a missing one has none", () => {
    writeFileSync(path, "12345");
    expect([sizeOf(path), sizeOf(join(directory, "none"))]).toEqual([5, 0]);
  });
});

describe("the bytes of a log after its last commit", () => {
  const COMMITS = 4;
  const FRAME = 24 + 4096;
  let log: Buffer;
  let file: string;
  beforeEach(() => {
    file = `${leftByKill(COMMITS)}-wal`;
    log = readFileSync(file);
    expect(log.length).toBe(32 + COMMITS * FRAME);
  });
  const tailOf = (bytes: Uint8Array) => (writeFileSync(file, bytes), bytesAfterLastCommit(file));

  test("are none if it ends with a commit, is empty or is missing", () => {
    expect([tailOf(log), tailOf(log.subarray(0, 32)), tailOf(new Uint8Array()), bytesAfterLastCommit(`${file}-no`)])
      .toEqual([0, 0, 0, 0]);
  });

  test.each([
    ["all but a byte of the last frame", -1, FRAME - 1],
    ["the head of the last frame", 24 - FRAME, 24],
    ["less than the head of the last frame", 23 - FRAME, 0],
    ["two frames and a half", -FRAME - FRAME / 2, FRAME / 2],
  ])("are those of an incomplete frame: %s", (_, at, expected) => {
    expect(tailOf(log.subarray(0, at))).toBe(expected);
  });

  test.each([[1, FRAME], [2, 2 * FRAME], [COMMITS, COMMITS * FRAME]])(
    "are all frames from a damaged one on, of which %d are left",
    (left, expected) => {
      const damaged = Buffer.from(log);
      const at = damaged.length - left * FRAME + 100;
      damaged[at] = damaged[at]! ^ 1;
      expect(tailOf(damaged)).toBe(expected);
    },
  );

  test.each([16, 20])("are all frames from one on of which only the checksum is damaged, at byte %d", (at) => {
    const damaged = Buffer.from(log);
    damaged[32 + FRAME + at] = damaged[32 + FRAME + at]! ^ 1;
    expect(tailOf(damaged)).toBe((COMMITS - 1) * FRAME);
  });

  test("are none of frames that an earlier use of the file has left", () => {
    const reused = Buffer.from(log);
    for (let frame = 2; frame < COMMITS; frame++) reused.writeUInt32BE(4711, 32 + frame * FRAME + 8);
    expect(tailOf(reused)).toBe(0);
    const second = Buffer.from(log);
    for (let frame = 2; frame < COMMITS; frame++) second.writeUInt32BE(4711, 32 + frame * FRAME + 12);
    expect(tailOf(second)).toBe(0);
    const between = Buffer.from(log);
    between.writeUInt32BE(4711, 32 + FRAME + 8);
    expect(tailOf(between)).toBe((COMMITS - 1) * FRAME);
  });

  test("count a whole frame that ends no commit", () => {
    const made = new Database(path);
    // A page cache of one page writes frames before the commit.
    made.run("pragma cache_size = 1");
    made.run("pragma cache_spill = 1");
    made.run("begin");
    for (let number = 0; number < 3000; number++) made.run("insert into numbers values (zeroblob(100))");
    const open = join(directory, "open.sqlite-wal");
    copyFileSync(`${path}-wal`, open);
    const frames = (statSync(open).size - 32) / FRAME;
    made.run("rollback");
    made.close();
    expect(frames).toBeGreaterThan(1);
    expect(bytesAfterLastCommit(open)).toBe(frames * FRAME);
  });

  test.each([
    ["a short head", (bytes: Buffer) => bytes.subarray(0, 31)],
    ["another magic number", (bytes: Buffer) => (bytes.writeUInt32BE(0x377f0684, 0), bytes)],
    ["too small pages", (bytes: Buffer) => (bytes.writeUInt32BE(256, 8), bytes)],
    ["too large pages", (bytes: Buffer) => (bytes.writeUInt32BE(131072, 8), bytes)],
    ["a damaged head", (bytes: Buffer) => (bytes.writeUInt32BE(1, 12), bytes)],
  ])("are all bytes if it begins with %s", (_, change) => {
    const changed = change(Buffer.from(log));
    expect(tailOf(changed)).toBe(changed.length);
  });
});

describe("the lock of a directory", () => {
  test("is held until it is closed, leaves no other file, and is private", () => {
    const lock = exclusiveLock(path);
    expect(namesIn()).toEqual(["data.sqlite"]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(() => exclusiveLock(path)).toThrow(expect.objectContaining({ code: "SQLITE_BUSY" }));
    lock.close();
    exclusiveLock(path).close();
    expect([namesIn(), existsSync(path)]).toEqual([["data.sqlite"], true]);
  });
});

describe("the secret of a request", () => {
  const request = (action: string, payload: unknown) => ({ userId: "u", operationId: "o", action, payload });

  test("is replaced by a digest that differs by engine and by secret", () => {
    const digest = new Bun.CryptoHasher("sha256").update("E:a secret").digest("hex");
    expect(secretDigest("E", "a secret")).toBe(digest);
    const given = request("dev.reset", { secret: "a secret", other: 1 });
    expect(withSecretDigest("E", given)).toEqual(request("dev.reset", { secret: digest, other: 1 }));
    expect(given.payload).toEqual({ secret: "a secret", other: 1 });
    expect(new Set([["E", "s"], ["F", "s"], ["E", "t"]].map(([id = "", secret = ""]) => secretDigest(id, secret))).size)
      .toBe(3);
  });

  test.each<[string, unknown]>([["a number", 7], ["null", null], ["a list", ["a secret"]]])(
    "that is %s is replaced by null",
    (_, secret) => {
      expect(withSecretDigest("E", request("dev.reset", { secret })).payload).toEqual({ secret: null });
    },
  );

  test.each<[string, string, unknown]>([
    ["of another action", "order.submit", { secret: "a secret" }],
    ["without a secret", "dev.reset", {}],
    ["without a payload", "dev.reset", null],
    ["with a text", "dev.reset", "secret"],
  ])("stays as it is in a request %s", (_, action, payload) => {
    const given = request(action, payload);
    expect(withSecretDigest("E", given)).toBe(given);
  });
});
