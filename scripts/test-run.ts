// One run of test files in parallel workers: counts their tests, and runs each failed file again, alone, to tell a test that
// other work can break from one that is broken. A failure stays a failure either way.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** If more files fail, they have a common cause. These are run again, the others are not. */
const MAX_RUN_AGAIN = 5;

interface TestRun {
  /** Files and folders; none: all tests. */
  readonly paths: readonly string[];
  readonly workers: number;
  /** Added to the environment of this process. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly output?: "inherit" | "ignore";
}

interface TestOutcome {
  readonly isFine: boolean;
  /** Files that failed beside others and passed alone. */
  readonly unsteady: readonly string[];
  /** `N passed, N failed[, N skipped]` */
  readonly counts: string;
}

export async function runTests(run: TestRun): Promise<TestOutcome> {
  const directory = await mkdtemp(join(tmpdir(), "mkt-test-"));
  const outfile = join(directory, "junit.xml");
  try {
    const workers = [`--parallel=${run.workers}`, "--no-isolate"];
    const isPassed = await passes(run, [...workers, "--reporter=junit", `--reporter-outfile=${outfile}`, ...run.paths]);
    const report = Bun.file(outfile);
    const text = await report.exists() ? await report.text() : "";
    const { tests, failures, skipped } = countsOf(text);
    const passed = tests - failures - skipped;
    const unsteady: string[] = [];
    for (const file of failedFiles(text).slice(0, MAX_RUN_AGAIN)) {
      if (await passes(run, [`./${file}`])) unsteady.push(file);
    }
    return {
      isFine: isPassed && failures === 0 && passed > 0,
      unsteady,
      counts: `${passed} passed, ${failures} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`,
    };
  } finally {
    await rm(directory, { recursive: true });
  }
}

async function passes({ env, cwd, output = "inherit" }: TestRun, args: readonly string[]): Promise<boolean> {
  const options = { env: { ...process.env, ...env }, cwd, stdout: output, stderr: output };
  return await Bun.spawn([process.execPath, "test", ...args], options).exited === 0;
}

/** The counts of a JUnit report: the attributes of its root element. */
function countsOf(report: string): { tests: number; failures: number; skipped: number } {
  const root = /<testsuites[^>]*>/.exec(report)?.[0] ?? "";
  const count = (name: string) => Number(new RegExp(` ${name}="(\\d+)"`).exec(root)?.[1] ?? 0);
  return { tests: count("tests"), failures: count("failures"), skipped: count("skipped") };
}

function failedFiles(report: string): string[] {
  const suites = report.matchAll(/<testsuite [^>]*\bfile="([^"]*)"[^>]*\bfailures="([1-9]\d*)"/g);
  return [...new Set([...suites].map(([, file = ""]) => file))];
}
