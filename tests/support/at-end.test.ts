import { beforeAll, beforeEach, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { atEnd } from "./at-end.ts";
import { startTestEngine } from "./engines.ts";
import { temporaryDirectory } from "./temporary-directory.ts";
import { until } from "./until.ts";

const ended: string[] = [];
const ofFile = temporaryDirectory();
let ofBeforeAll: string;
beforeAll(() => void (ofBeforeAll = temporaryDirectory()));
beforeEach(() => atEnd(() => ended.push("beforeEach")));

let [ofTest, url] = ["", ""];

test("starts an engine and a directory", async () => {
  ofTest = temporaryDirectory();
  ({ url } = await startTestEngine());
  for (const name of ["first", "second"]) atEnd(() => ended.push(name));
  expect(await until(() => fetch(`${url}/health`), ({ status }) => status === 200)).toBeDefined();
  expect(existsSync(ofTest)).toBe(true);
});

test("finds both gone afterwards, the last one ended first, and what the file started still there", async () => {
  expect(ended).toEqual(["second", "first", "beforeEach"]);
  expect(existsSync(ofTest)).toBe(false);
  expect(await fetch(`${url}/health`).then(() => "served", () => "refused")).toBe("refused");
  expect([existsSync(ofFile), existsSync(ofBeforeAll)]).toEqual([true, true]);
});
