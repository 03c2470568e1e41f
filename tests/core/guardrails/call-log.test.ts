import { describe, expect, test } from "bun:test";
import { appendFileSync, existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { z } from "zod";
import { argumentSummary } from "../../../core/guardrails/argument-summary.ts";
import { CallLog, callLogFault } from "../../../core/guardrails/call-log.ts";
import { Redaction } from "../../../common/redaction.ts";
import { idField, textField } from "../../../core/tools/fields.ts";
import { run } from "../../support/processes.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const FOLDER = temporaryDirectory();
const CALL = {
  tool: "mkt_ping",
  caller: "desk",
  userId: "anna",
  arguments: {},
  outcome: "ok",
  durationMs: 1.23456,
};

const linesOf = (path: string) => readFileSync(path, "utf8").trimEnd().split("\n").map((line) => JSON.parse(line));

function logTo(name: string, secrets: readonly string[] = [], now = () => 0) {
  const target = join(FOLDER, name);
  return { target, log: new CallLog({ target, secrets: () => secrets, now }) };
}

/** A clock that goes on by one millisecond with each call of the log. */
function ticking() {
  let time = 0;
  return () => time++;
}

describe("the call log in a file", () => {
  test("is its owner's, and has one JSON line for each call, written when the call is recorded", () => {
    const { log, target } = logTo("plain");
    log.record(CALL);
    expect(linesOf(target)).toHaveLength(1);
    expect(statSync(target).mode & 0o777).toBe(0o600);
    const invalid = { ...CALL, caller: null, userId: null, arguments: null, outcome: "invalid_input" };
    log.record(invalid);
    expect(linesOf(target)).toEqual([
      { ...CALL, time: "1970-01-01T00:00:00.000Z", durationMs: 1.235 },
      { ...invalid, time: "1970-01-01T00:00:00.000Z", durationMs: 1.235 },
    ]);
  });

  test("continues in a new file after a rename, from the next millisecond on", () => {
    const { log, target } = logTo("rotated", [], ticking());
    log.record(CALL);
    renameSync(target, `${target}.1`);
    log.record(CALL);
    expect(linesOf(target)).toHaveLength(1);
    expect(linesOf(`${target}.1`)).toHaveLength(1);
    expect(statSync(target).mode & 0o777).toBe(0o600);
  });

  test("loses no line of the millisecond of a rename: it is in one of the two files", () => {
    let time = 0;
    const { log, target } = logTo("rotated-within", [], () => time);
    log.record(CALL);
    renameSync(target, `${target}.1`);
    log.record(CALL);
    expect(linesOf(`${target}.1`)).toHaveLength(2);
    expect(existsSync(target)).toBe(false);
    time = 1;
    log.record(CALL);
    expect(linesOf(target)).toHaveLength(1);
  });

  test("continues in the file that has replaced it, and in a new one after it was removed", () => {
    const { log, target } = logTo("replaced", [], ticking());
    log.record(CALL);
    writeFileSync(`${target}.new`, "");
    renameSync(`${target}.new`, target);
    log.record(CALL);
    expect(linesOf(target)).toHaveLength(1);
    rmSync(target);
    log.record(CALL);
    expect(linesOf(target)).toHaveLength(1);
  });

  test("keeps what was in the file, and what another process appends to it", () => {
    const { log, target } = logTo("shared");
    log.record(CALL);
    appendFileSync(target, "{}\n");
    log.record(CALL);
    expect(linesOf(target)).toHaveLength(3);
    new CallLog({ target, secrets: () => [], now: () => 0 }).record(CALL);
    expect(linesOf(target)).toHaveLength(4);
  });

  test("takes lines of any length and any characters", () => {
    const { log, target } = logTo("long");
    const sizes = [5_460, 5_461, 200_000].map((size) => "x".repeat(size));
    const wide = [1_300, 1_400, 2_000, 3_900, 4_100].map((size) => "日".repeat(size));
    const texts = [...wide, "é".repeat(30_000), "日本 \u202e\n\ud800", ...sizes];
    for (const text of texts) log.record({ ...CALL, arguments: { text } });
    expect(linesOf(target).map((line) => line.arguments.text)).toEqual(texts);
    expect(readFileSync(target, "utf8")).not.toContain("\u202e");
  });

  test("redacts every secret of the configuration, in every field", () => {
    const { log, target } = logTo("struck", ["hunter2"]);
    log.record({ ...CALL, arguments: { orderId: "hunter2", nested: ["say hunter2 twice: hunter2"] } });
    expect(readFileSync(target, "utf8")).not.toContain("hunter2");
    expect(linesOf(target)[0].arguments).toEqual({ orderId: "[secret]", nested: ["say [secret] twice: [secret]"] });
  });

  test("redacts as the rule says, string by string, whatever the secrets and values are", () => {
    const piece = fc.constantFrom(
      "a",
      "b",
      '"',
      "\\",
      "\n",
      "é",
      "\ud83d\ude00",
      "\ud83d",
      "1",
      "true",
      "order",
      "[secret]",
    );
    const text = fc.array(piece, { maxLength: 4 }).map((pieces) => pieces.join(""));
    const part = fc.oneof(text, fc.constantFrom<unknown>(1, true, null), fc.array(text, { maxLength: 2 }));
    const value = fc.dictionary(text, part, { maxKeys: 3, noNullPrototype: true });
    fc.assert(fc.property(value, fc.array(text, { maxLength: 3 }), (value, secrets) => {
      const longestFirst = secrets.toSorted((one, other) => other.length - one.length);
      const redacted = (text: string) =>
        longestFirst.reduce((safe, secret) => safe.replaceAll(secret, "[secret]"), text);
      const byTheRule = JSON.stringify(
        value,
        (_name, part: unknown) => typeof part === "string" ? redacted(part) : part,
      );
      expect(new Redaction(() => secrets).jsonOf(value)).toBe(byTheRule);
    }));
  });

  test("redacts a secret from the first line after it became one", () => {
    let secrets = ["first"];
    const target = join(FOLDER, "new-secret");
    const log = new CallLog({ target, secrets: () => secrets, now: () => 0 });
    for (secrets of [["first"], ["first", "second"]]) log.record({ ...CALL, arguments: { orderId: "second" } });
    expect(linesOf(target).map((line) => line.arguments.orderId)).toEqual(["second", "[secret]"]);
  });

  test("goes to stderr with the reason while it can't be written, and has every line after a kill", async () => {
    const folder = join(FOLDER, "gone");
    const script = `
      const { mkdirSync, renameSync } = require("node:fs");
      const { CallLog } = require(${JSON.stringify(join(import.meta.dir, "../../../core/guardrails/call-log.ts"))});
      const folder = ${JSON.stringify(folder)};
      mkdirSync(folder);
      let time = 0;
      const log = new CallLog({ target: folder + "/log", secrets: () => [], now: () => time++ });
      const record = (tool) => log.record({ ...${JSON.stringify(CALL)}, tool });
      record("before");
      renameSync(folder, folder + ".1");
      record("without");
      record("still without");
      renameSync(folder + ".1", folder);
      for (let call = 0; call < 1000; call++) record("after " + call);
      process.kill(process.pid, "SIGKILL");`;
    const { stderr } = await run([process.execPath, "-e", script]);
    const lines = stderr.trimEnd().split("\n").map((line) => JSON.parse(line));
    expect(lines).toMatchObject([
      { callLog: `${folder}/log`, failed: expect.stringContaining("ENOENT") },
      { tool: "without" },
      { failed: expect.stringContaining("ENOENT") },
      { tool: "still without" },
    ]);
    const after = Array.from({ length: 1000 }, (_, call) => `after ${call}`);
    expect(linesOf(join(folder, "log")).map(({ tool }) => tool)).toEqual(["before", ...after]);
  });

  test("is made by its first line, not by a command that only checks the configuration", () => {
    const target = join(FOLDER, "unused");
    expect(callLogFault(target)).toBeNull();
    expect(existsSync(target)).toBe(false);
  });

  test("that can't be written fails the start", () => {
    const target = join(FOLDER, "nowhere", "log");
    expect(() => new CallLog({ target, secrets: () => [], now: () => 0 })).toThrow(
      /^MKT_CALL_LOG: \S+ can't be written: no such file or folder$/,
    );
    expect(existsSync(target)).toBe(false);
  });
});

describe("of arguments the call log keeps", () => {
  const schema = z.strictObject({
    orderId: idField("An id").optional(),
    side: z.enum(["BUY", "SELL"]).optional(),
    price: z.int().optional(),
    confirm: z.boolean().optional(),
    limit: z.int().default(3),
    way: z.preprocess((value) => value === 0 ? "in" : value, z.enum(["in", "out"])).optional(),
    reason: textField("Why").optional(),
    password: z.string().optional(),
    filters: z.record(z.string(), z.unknown()).optional(),
    types: z.array(idField("A type")).optional(),
  });
  const kept = (input: Record<string, unknown>) => argumentSummary(schema, schema.parse(input));

  test("ids, enum values, numbers and booleans unchanged", () => {
    const input = { orderId: "o-1", side: "BUY", price: -5, confirm: true, limit: 7, way: "out" };
    expect(kept(input)).toEqual(input);
    expect(kept({ way: 0 })).toMatchObject({ way: "in" });
    expect(Object.keys(kept({ orderId: undefined }))).toEqual(["limit"]);
  });

  test("only the size of free text, lists and objects", () => {
    const given = { reason: "my token is X", password: "hunter2", filters: { token: "X" }, types: ["X", "Y"] };
    expect(kept(given)).toEqual({
      limit: 3,
      reason: "(text, 13 characters)",
      password: "(text, 7 characters)",
      filters: "(object)",
      types: "(list, 2 items)",
    });
  });
});
