// Runs an official conformance suite, as users run it, and reads its results.

import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { PROCESS_SETTINGS } from "../../support/executable.ts";
import { run } from "../../support/processes.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";
import { expectationsFile, type Revision } from "./expectations.ts";

/** A package of package.json: a version of the suite, under the revision that it is for. */
type Suite = `conformance-${Revision}`;

/** A warning counts as a failure, as in the suite's own judgement. */
export interface Outcome {
  readonly result: "passed" | "failed" | "checked nothing";
  readonly faults: readonly string[];
}

export interface SuiteRun {
  readonly suite: Suite;
  readonly revision: Revision;
}

interface Check {
  readonly id: string;
  readonly status: "SUCCESS" | "FAILURE" | "WARNING" | "INFO" | "SKIPPED";
  readonly errorMessage?: string;
}

const ROOT = join(import.meta.dir, "../../..");
/** For each scenario. The suite's own limit is half of it. */
const SCENARIO_LIMIT_MS = 60_000;

/** Each scenario that ran, and the status with which the suite ended: 0 if just the expected scenarios failed. */
export async function runSuite({ suite, revision }: SuiteRun, url: string) {
  const output = temporaryDirectory();
  const chosen = suite === "conformance-2025-11-25"
    ? ["--suite", "all"]
    : ["--requirements", revision, "--timeout", String(SCENARIO_LIMIT_MS)];
  const expected = ["--expected-failures", expectationsFile(revision)];
  const target = ["server", "--url", `${url}/mcp`];
  const { exitCode, stdout } = await runCommand(suite, ...target, ...chosen, ...expected, "-o", output);
  const outcomes = new Map<string, Outcome>();
  for (const folder of await readdir(output)) {
    const [, scenario = folder] = /^server-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z$/.exec(folder) ?? [];
    outcomes.set(scenario, outcomeOf(await Bun.file(join(output, folder, "checks.json")).json()));
  }
  return { outcomes, exitCode, stdout };
}

function outcomeOf(checks: readonly Check[]): Outcome {
  const failed = checks.filter(({ status }) => status === "FAILURE" || status === "WARNING");
  const faults = failed.map(({ id, errorMessage }) => `${id}: ${errorMessage}`);
  if (failed.length > 0) return { result: "failed", faults };
  return { result: checks.some(({ status }) => status === "SUCCESS") ? "passed" : "checked nothing", faults };
}

/** The names of the scenarios for servers that the suite has for the revision, and of those for extensions. */
export async function listedScenarios({ suite, revision }: SuiteRun): Promise<{ own: string[]; extension: string[] }> {
  const all = entriesOf(await listOf(suite, "--server"));
  const extension = all.filter(({ note }) => note === "extension").map(({ name }) => name);
  if (suite === "conformance-2025-11-25") {
    return { own: all.filter(({ note }) => note.includes(revision)).map(({ name }) => name), extension };
  }
  const servers = new Set(all.map(({ name }) => name));
  const required = entriesOf(await listOf(suite, "--requirements", revision))
    .filter(({ note }) => note !== "client").map(({ name }) => name);
  return { own: required.filter((name) => servers.has(name)), extension };
}

const lists = new Map<string, Promise<string>>();

/** Asked for once, because the start of a suite takes half a second. */
function listOf(suite: Suite, ...args: readonly string[]): Promise<string> {
  const key = [suite, ...args].join(" ");
  const list = lists.get(key) ?? runCommand(suite, "list", ...args).then(({ stdout }) => stdout);
  lists.set(key, list);
  return list;
}

/** Lines such as `  - ping [2025-11-25]`. */
function entriesOf(text: string) {
  return [...text.matchAll(/^\s+- (\S+)(?: \[(.*)\])?$/gm)].map(([, name = "", note = ""]) => ({ name, note }));
}

function runCommand(suite: Suite, ...args: readonly string[]) {
  return run([process.execPath, join(ROOT, "node_modules", suite, "dist/index.js"), ...args], {
    cwd: ROOT,
    env: { PATH: process.env["PATH"] ?? "", NO_COLOR: "1", ...PROCESS_SETTINGS },
  });
}
