// One run of test files in parallel workers: counts their tests, and runs each failed file again, alone, to tell a test that
// other work can break from one that is broken. A failure stays a failure either way.
//
// A file that stops the clock of its process, or adds a strategy to those that the process knows, gets globals of its own,
// beside the workers: an engine that other files share would set timers on a clock that stands still, and a run in the process
// would have other strategies than one of the executable.

import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** If more files fail, they have a common cause. These are run again, the others are not. */
const MAX_RUN_AGAIN = 5;
const NEEDS_OWN_GLOBALS =
  /\b(onStillClock|useFakeTimers|addStrategy|addStrategyFile|loadStrategiesIn|loadStrategiesOf)\(/;

interface TestRun {
  /** Files and folders. */
  readonly paths: readonly string[];
  readonly workers: number;
  /** Added to the environment of this process. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** How long each file took, as `bun test` writes it: the slowest files start first, so that none is left over at the end. */
  readonly timings?: { readonly file: string; readonly areWritten: boolean };
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
  const files = await testFiles(run);
  const inWorkers = files.filter(({ isApart }) => !isApart).map(({ path }) => path);
  const apart = files.filter(({ isApart }) => isApart).map(({ path }) => path);
  const timings = run.timings === undefined ? [] : [
    `--timings=${run.timings.file}`,
    ...run.timings.areWritten ? ["--update-timings"] : [],
  ];
  const outcomes = await Promise.all([
    outcomeOf(run, [`--parallel=${run.workers}`, "--no-isolate", ...timings], inWorkers),
    outcomeOf(run, ["--isolate"], apart),
  ]);
  const sum = (of: (outcome: typeof outcomes[number]) => number) =>
    outcomes.reduce((total, each) => total + of(each), 0);
  const [tests, failures, skipped] = [
    sum((each) => each.tests),
    sum((each) => each.failures),
    sum((each) => each.skipped),
  ];
  const passed = tests - failures - skipped;
  const unsteady: string[] = [];
  for (const file of outcomes.flatMap(({ failed }) => failed).slice(0, MAX_RUN_AGAIN)) {
    if (await passes(run, [`./${file}`])) unsteady.push(file);
  }
  return {
    isFine: outcomes.every(({ isPassed }) => isPassed) && failures === 0 && passed > 0,
    unsteady,
    counts: `${passed} passed, ${failures} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`,
  };
}

async function testFiles({ paths, cwd = "." }: TestRun): Promise<{ path: string; isApart: boolean }[]> {
  const found = new Set<string>();
  for (const path of paths) {
    const isFolder = (await stat(join(cwd, path))).isDirectory();
    const names = isFolder ? await Array.fromAsync(new Bun.Glob("**/*.test.ts").scan(join(cwd, path))) : [""];
    for (const name of names) found.add(join(path, name));
  }
  return await Promise.all(
    [...found].toSorted().map(async (path) => {
      return { path: `./${path}`, isApart: NEEDS_OWN_GLOBALS.test(await Bun.file(join(cwd, path)).text()) };
    }),
  );
}

async function outcomeOf(run: TestRun, options: readonly string[], files: readonly string[]) {
  if (files.length === 0) return { isPassed: true, failed: [], tests: 0, failures: 0, skipped: 0 };
  const directory = await mkdtemp(join(tmpdir(), "mkt-test-"));
  const outfile = join(directory, "junit.xml");
  try {
    const isPassed = await passes(run, [...options, "--reporter=junit", `--reporter-outfile=${outfile}`, ...files]);
    const report = Bun.file(outfile);
    const text = await report.exists() ? await report.text() : "";
    return { isPassed, failed: failedFiles(text), ...countsOf(text) };
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
