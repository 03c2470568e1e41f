import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readTokenFile } from "../../../core/http/token-file.ts";
import { logger } from "../../../core/logger.ts";
import { TokenRing } from "../../../core/http/token-ring.ts";

const FOLDER = mkdtempSync(join(tmpdir(), "mkt-tokens-"));
const FILE = join(FOLDER, "tokens");

afterAll(() => rmSync(FOLDER, { recursive: true }));

const ring = (token: string | null, file: string | null = FILE) =>
  new TokenRing({ token, file, variable: "MCP_BEARER_TOKEN_FILE", log: logger("test") });

const nameOf = (tokens: TokenRing, token: string) => tokens.identify(token)?.name ?? null;

describe("a token file", () => {
  test("holds a name and a token a line, with blank lines and comments between", () => {
    writeFileSync(FILE, "# desks\n\ndesk one\r\n  robot\ttwo  \ndesk three");
    expect(readTokenFile(FILE)).toEqual({
      tokens: [
        { name: "desk", token: "one", userIds: null },
        { name: "robot", token: "two", userIds: null },
        { name: "desk", token: "three", userIds: null },
      ],
      faults: [],
    });
  });

  test("has each fault named by its line, and never by its token; the other lines count", () => {
    writeFileSync(FILE, "hunter2\nde/sk hunter3\ndesk hunter4 hunter5\nrobot hünter6\ngood hunter7\ntwin hunter7\n");
    const { tokens, faults } = readTokenFile(FILE);
    expect(tokens).toEqual([{ name: "good", token: "hunter7", userIds: null }]);
    expect(faults.map((fault) => fault.split(":")[0])).toEqual(["line 1", "line 2", "line 3", "line 4", "line 6"]);
    expect(faults.join("\n")).not.toMatch(/h.nter/);
  });

  test.each(["", "# nothing\n"])("without a token is a fault: %p", (text) => {
    writeFileSync(FILE, text);
    expect(readTokenFile(FILE).faults).toEqual(["it holds no token"]);
  });
});

describe("the tokens that are let in", () => {
  beforeEach(() => writeFileSync(FILE, "desk one\n"));

  test("are all of the file and MCP_BEARER_TOKEN, each under its name", () => {
    writeFileSync(FILE, "desk one\nrobot two\n");
    const tokens = ring("three");
    expect(["one", "two", "three", "four", ""].map((token) => nameOf(tokens, token)))
      .toEqual(["desk", "robot", "default", null, null]);
  });

  test("are none, and nothing is needed, where neither is set", () => {
    expect(ring(null, null)).toMatchObject({ isNeeded: false });
  });

  test("follow the file from the next request on: the new one in, then the old one out", () => {
    const tokens = ring(null);
    writeFileSync(FILE, "desk one\ndesk two\n");
    expect([nameOf(tokens, "one"), nameOf(tokens, "two")]).toEqual(["desk", "desk"]);
    writeFileSync(FILE, "desk two\n");
    expect([nameOf(tokens, "one"), nameOf(tokens, "two")]).toEqual([null, "desk"]);
  });

  test("follow a file that takes its place", () => {
    const tokens = ring(null);
    writeFileSync(`${FILE}.new`, "desk two\n");
    renameSync(`${FILE}.new`, FILE);
    expect([nameOf(tokens, "one"), nameOf(tokens, "two")]).toEqual([null, "desk"]);
  });

  test("stay while the file is gone, and follow it when it is back", () => {
    const tokens = ring(null);
    rmSync(FILE);
    expect(nameOf(tokens, "one")).toBe("desk");
    writeFileSync(FILE, "desk two\n");
    expect(nameOf(tokens, "one")).toBeNull();
  });

  test("are none of a line that is not right, and no token at all opens an emptied file", () => {
    const tokens = ring(null);
    writeFileSync(FILE, "desk one extra\nrobot two\n");
    expect([nameOf(tokens, "one"), nameOf(tokens, "two")]).toEqual([null, "robot"]);
    writeFileSync(FILE, "");
    expect([tokens.isNeeded, nameOf(tokens, "one"), nameOf(tokens, "")]).toEqual([true, null, null]);
  });
});
