import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { argumentSummary } from "../../../core/guardrails/argument-summary.ts";
import { CallLog } from "../../../core/guardrails/call-log.ts";
import { idField, textField } from "../../../core/tools/fields.ts";
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

function logTo(name: string, secrets: readonly string[] = []) {
  const target = join(FOLDER, name);
  return { target, log: new CallLog({ target, secrets: () => secrets, now: () => 0 }) };
}

describe("the call log in a file", () => {
  test("has one JSON line for each call, with caller, tool, outcome and duration", () => {
    const { log, target } = logTo("plain");
    log.record(CALL);
    log.record({ ...CALL, caller: null, userId: null, arguments: null, outcome: "invalid_input" });
    expect(linesOf(target)).toEqual([
      { ...CALL, time: "1970-01-01T00:00:00.000Z", durationMs: 1.235 },
      {
        tool: "mkt_ping",
        caller: null,
        userId: null,
        arguments: null,
        outcome: "invalid_input",
        time: "1970-01-01T00:00:00.000Z",
        durationMs: 1.235,
      },
    ]);
  });

  test("can only be read by its owner", () => {
    const { target } = logTo("private");
    expect(statSync(target).mode & 0o777).toBe(0o600);
  });

  test("continues in a new file after a rename", () => {
    const { log, target } = logTo("rotated");
    log.record(CALL);
    renameSync(target, `${target}.1`);
    log.record(CALL);
    expect(linesOf(target)).toHaveLength(1);
    expect(linesOf(`${target}.1`)).toHaveLength(1);
  });

  test("redacts every secret of the configuration, in every field", () => {
    const { log, target } = logTo("struck", ["hunter2"]);
    log.record({ ...CALL, arguments: { orderId: "hunter2", nested: ["say hunter2 twice: hunter2"] } });
    expect(readFileSync(target, "utf8")).not.toContain("hunter2");
    expect(linesOf(target)[0].arguments).toEqual({
      orderId: "[secret]",
      nested: ["say [secret] twice: [secret]"],
    });
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
