import { expect, test } from "bun:test";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { OWNER_FILE, ownerOf, writeOwner } from "../../../engine/journal/owner-file.ts";
import { replaced } from "../../support/replaced.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

/** Processes: one that runs, one that has ended, and one of another user. */
const [ALIVE, ENDED, OTHERS] = [11, 12, 13];

test.each<[string, string | null, string]>([
  ["that runs is named", `${ALIVE} ${hostname()}\n`, `another engine, process ${ALIVE} on ${hostname()},`],
  ["of another user is named", `${OTHERS} ${hostname()}\n`, `another engine, process ${OTHERS} on ${hostname()},`],
  ["that has ended is not named", `${ENDED} ${hostname()}\n`, "another engine"],
  [
    "of another host is named, since nobody knows whether it runs",
    `${ENDED} far\n`,
    `another engine, process 12 on far,`,
  ],
  ["whose file is cut off is not named", `${ALIVE} ${hostname()}`, "another engine"],
  ["without a file is not named", null, "another engine"],
])("a process %s", (_, content, expected) => {
  replaced(process, "kill", (pid: number, signal?: string | number) => {
    expect(signal).toBe(0);
    if (pid === ALIVE) return true;
    throw Object.assign(new Error(), { code: pid === OTHERS ? "EPERM" : "ESRCH" });
  });
  const directory = temporaryDirectory();
  if (content !== null) writeFileSync(join(directory, OWNER_FILE), content);
  expect(ownerOf(directory)).toBe(expected);
});

test("an engine writes its own process, in a file for its owner alone, in place of the one before", () => {
  const directory = temporaryDirectory();
  const path = join(directory, OWNER_FILE);
  writeFileSync(path, "999999999 a-host-with-a-long-name-that-was-there-before\n", { mode: 0o644 });
  writeOwner(directory);
  expect(readFileSync(path, "utf8")).toBe(`${process.pid} ${hostname()}\n`);
  if (process.platform !== "win32") expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(ownerOf(directory)).toBe(`another engine, process ${process.pid} on ${hostname()},`);
});
