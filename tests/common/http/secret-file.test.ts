import { describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tokenOrFile } from "../../../common/http/secret-file.ts";
import { readConfiguration } from "../../../core/config/environment.ts";
import { readEngineAccess } from "../../../common/http/guards/engine-access.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const TOKEN = "a-token-in-a-file";
const BACKEND = { MKT_HOST: "localhost:3001", MKT_USER_ID: "operator" };

function fileWith(text: string): string {
  const path = join(temporaryDirectory(), "token");
  writeFileSync(path, text, { mode: 0o600 });
  return path;
}

describe("a file with one token", () => {
  test.each([TOKEN, `${TOKEN}\n`, `${TOKEN}\r\n`])("gives the token, with or without a line break: %j", (text) => {
    expect(tokenOrFile(undefined, fileWith(text), "X")).toEqual({ token: TOKEN });
  });

  const WRONG = ["", "\n", "two words\n", `${TOKEN}\n\n`, `${TOKEN}\nmore\n`, "tokén", "x".repeat(4097)];
  test.each(WRONG)("is refused without showing it: %j", (text) => {
    const path = fileWith(text);
    const fault = `${path} must have one line: a token of printable ASCII`;
    expect(tokenOrFile(undefined, path, "X")).toEqual({ fault });
  });

  test("is refused if it is missing or a folder", () => {
    const folder = temporaryDirectory();
    mkdirSync(join(folder, "sub"));
    expect(tokenOrFile("", join(folder, "none"), "X")).toMatchObject({ fault: expect.stringMatching(/no such file/) });
    expect(tokenOrFile("", join(folder, "sub"), "X")).toMatchObject({ fault: expect.stringMatching(/can't be read/) });
  });

  test("can't be combined with the variable of the token, and an empty name counts as none", () => {
    const path = fileWith(TOKEN);
    expect(tokenOrFile("other", path, "X")).toEqual({ fault: "can't be set together with X" });
    expect(tokenOrFile("other", "", "X")).toEqual({ token: "other" });
    expect(tokenOrFile("", undefined, "X")).toEqual({ token: null });
  });
});

describe("MKT_BEARER_TOKEN_FILE", () => {
  test("gives the MCP server its token for the backend, and the engine the one that it needs beyond loopback", () => {
    const file = { MKT_BEARER_TOKEN_FILE: fileWith(`${TOKEN}\n`) };
    expect(readConfiguration({ ...BACKEND, ...file }))
      .toMatchObject({ ok: true, configuration: { backend: { bearerToken: TOKEN } } });
    expect(readEngineAccess(file, "0.0.0.0")).toMatchObject({ access: { token: TOKEN } });
  });

  test("is one fault of either, beside the others, if the file is missing", () => {
    const environment = { MKT_BEARER_TOKEN_FILE: "/nowhere/token", MKT_HOST: "localhost:3001" };
    const read = readConfiguration(environment);
    const faults = read.ok ? [] : read.faults.map(({ variable }) => variable);
    expect(faults).toEqual(["MKT_BEARER_TOKEN_FILE", "MKT_USER_ID"]);
    const access = readEngineAccess(environment, "0.0.0.0");
    expect("faults" in access && access.faults).toEqual([
      { variable: "MKT_BEARER_TOKEN_FILE", message: "can't be read: /nowhere/token: no such file or folder" },
    ]);
  });
});
