// Which variables a file gives, and what is said of one that can't be read.

import { afterEach, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { ENVIRONMENT, loadEnvFile } from "../../../core/config/env-file.ts";
import { withDefaults } from "../../../core/config/variables.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const NAMES = ["DOTENV_PATH", "MKT_HOST", "MKT_USER_ID"] as const;
const before = NAMES.map((name) => [name, process.env[name]] as const);
afterEach(() => {
  for (const [name, value] of before) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
});

test("a file gives the variables that are not set, and none that are", () => {
  const path = join(temporaryDirectory(), "mkt.env");
  writeFileSync(path, "MKT_HOST=from-file:1\nMKT_USER_ID=from-file\n");
  delete process.env["MKT_USER_ID"];
  Object.assign(process.env, { DOTENV_PATH: path, MKT_HOST: "set:1" });
  expect(loadEnvFile()).toBeNull();
  expect([ENVIRONMENT.MKT_HOST, ENVIRONMENT.MKT_USER_ID]).toEqual(["set:1", "from-file"]);
});

test("without a path nothing is read", () => {
  delete process.env["DOTENV_PATH"];
  expect(loadEnvFile()).toBeNull();
  process.env["DOTENV_PATH"] = "";
  expect(loadEnvFile()).toBeNull();
});

test("a file that is not there, or can't be read, is a fault of its variable", () => {
  const folder = temporaryDirectory();
  const missing = join(folder, "none");
  process.env["DOTENV_PATH"] = missing;
  expect(loadEnvFile()).toEqual({ variable: "DOTENV_PATH", message: `there is no file ${missing}` });
  process.env["DOTENV_PATH"] = folder;
  expect(loadEnvFile()).toEqual({ variable: "DOTENV_PATH", message: `${folder} can't be read: it is a folder` });
});

test("defaults hold for what is not set, and an empty variable is not set", () => {
  const defaults = { MKT_HOST: "default", MKT_USER_ID: "default" };
  expect(withDefaults({ MKT_HOST: "", MKT_USER_ID: "set", LOG_LEVEL: "debug" }, defaults))
    .toEqual({ MKT_HOST: "default", MKT_USER_ID: "set", LOG_LEVEL: "debug" });
  expect(withDefaults({ MKT_HOST: undefined }, {})).toEqual({});
});
