// What commands print and log: to which stream, with which escapes, and what ends quietly.

import { resetSync } from "@logtape/logtape";
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { PassThrough } from "node:stream";
import { configureLogging, hideInLogs, logger } from "../../common/logger.ts";
import { coloured, OutputClosed, print, printJson, printNote, write } from "../../common/output.ts";

const real = { stdout: process.stdout.write, stderr: process.stderr.write };
let said: [stream: "stdout" | "stderr", text: unknown][] = [];
let failure: Error | null = null;

beforeEach(() => {
  said = [];
  failure = null;
  for (const stream of ["stdout", "stderr"] as const) {
    process[stream].write = (text: unknown, done?: unknown) => {
      said.push([stream, text]);
      if (typeof done === "function") queueMicrotask(() => void done(failure));
      return true;
    };
  }
});
afterEach(() => {
  Object.assign(process.stdout, { write: real.stdout });
  Object.assign(process.stderr, { write: real.stderr });
  hideInLogs([]);
  resetSync();
});

describe("output", () => {
  test("is written as it is, lines for people are escaped, and JSON keeps its value", async () => {
    const bytes = new Uint8Array([1, 2]);
    await write(bytes);
    await write("a\u001b");
    await print("a\u001b[2J\nb");
    await printJson('{"a":"\u202e"}\n[1]');
    printNote("c\u0007");
    expect(said).toEqual([
      ["stdout", bytes],
      ["stdout", "a\u001b"],
      ["stdout", "a\\u001b[2J\nb\n"],
      ["stdout", '{"a":"\\u202e"}\n[1]\n'],
      ["stderr", "c\\u0007\n"],
    ]);
  });

  test("that nobody reads any more is a quiet end, and another fault is a fault; one listener is enough", async () => {
    failure = Object.assign(new Error("broken pipe"), { code: "EPIPE" });
    await expect(write("a")).rejects.toBeInstanceOf(OutputClosed);
    failure = Object.assign(new Error("no space"), { code: "ENOSPC" });
    await expect(write("a")).rejects.toThrow("no space");
    failure = null;
    await write("a");
    expect(process.stdout.listenerCount("error")).toBe(1);
  });

  test("has a colour only on a stream that shows it", () => {
    const stream = (isTTY: boolean) =>
      Object.assign(new PassThrough(), { isTTY, getColorDepth: () => isTTY ? 8 : 1, hasColors: () => isTTY }) as never;
    const { NO_COLOR, FORCE_COLOR } = process.env;
    for (const name of ["NO_COLOR", "FORCE_COLOR"]) delete process.env[name];
    const seen = [coloured("a", "red", stream(false)), coloured("a", "red", stream(true))];
    if (NO_COLOR !== undefined) process.env["NO_COLOR"] = NO_COLOR;
    if (FORCE_COLOR !== undefined) process.env["FORCE_COLOR"] = FORCE_COLOR;
    expect(seen).toEqual(["a", "\u001b[31ma\u001b[39m"]);
  });
});

describe("a log", () => {
  const lines = () => said.map(([stream, text]) => [stream, JSON.parse(String(text))] as const);

  test.each<[Parameters<typeof configureLogging>[0], string[]]>([
    ["debug", ["DEBUG", "INFO", "WARN", "ERROR"]],
    ["info", ["INFO", "WARN", "ERROR"]],
    ["warn", ["WARN", "ERROR"]],
    ["error", ["ERROR"]],
  ])("from %s on has %j, each a line of JSON on stderr with its part of the program", (level, expected) => {
    configureLogging(level);
    const log = logger("part");
    log.debug("d");
    log.info("i");
    log.warn("w {x}", { x: 1 });
    log.error("e");
    const all = lines();
    expect(all.map(([stream, { level }]) => [stream, level])).toEqual(expected.map((each) => ["stderr", each]));
    for (const [, line] of all) expect(line.logger).toBe("mkt.part");
    expect(said.every(([, text]) => String(text).endsWith("}\n") && String(text).trimEnd().split("\n").length === 1))
      .toBeTrue();
  });

  test("has no secret in it, as it is or quoted, from the time on at which it is known", () => {
    configureLogging("info");
    const log = logger("part");
    log.info("before {secret}", { secret: 'se"cret' });
    hideInLogs(['se"cret', "other"]);
    log.info("after {secret}", { secret: 'se"cret' });
    log.info(`quoted ${JSON.stringify('se"cret')}`);
    log.info("\u202e another");
    const texts = said.map(([, text]) => String(text));
    expect(texts[0]).toContain("cret");
    for (const text of texts.slice(1)) expect(text).not.toMatch(/se\\*"cret|other/);
    expect(texts[3]).toContain("\\u202e");
  });
});
