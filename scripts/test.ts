// The test command of README.md: checks, builds dist/mkt, runs every test and prints `N passed, N failed` last.
//
//   bun scripts/test.ts [--long] [--workers N] [PATH ...]
//
// The checks run beside the tests: tests that wait leave a core idle. Their faults are printed after the tests'.
//
// Test files run in parallel worker processes. A worker loads a module once for all its files: loading the modules again for
// each file took a seventh of the processor time. --long runs the sizes that are too long for every run (tests/support/sizes.ts).

import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { compile } from "./compile.ts";

const MAX_WORKERS = 8;
/** Two workers for each core, because many tests mostly wait. */
const WORKERS = Math.min(2 * availableParallelism(), MAX_WORKERS);

const { values, positionals: paths } = parseArgs({
  options: {
    long: { type: "boolean", default: false },
    workers: { type: "string", default: String(WORKERS) },
  },
  allowPositionals: true,
});

async function run(command: string[], env: Record<string, string> = {}): Promise<number> {
  return await Bun.spawn(command, { env: { ...process.env, ...env }, stdout: "inherit", stderr: "inherit" }).exited;
}

/** The counts of a JUnit report: the attributes of its root element. */
function countsOf(report: string): { tests: number; failures: number; skipped: number } {
  const root = /<testsuites[^>]*>/.exec(report)?.[0] ?? "";
  const count = (name: string) => Number(new RegExp(` ${name}="(\\d+)"`).exec(root)?.[1] ?? 0);
  return { tests: count("tests"), failures: count("failures"), skipped: count("skipped") };
}

interface TestOutcome {
  readonly isFine: boolean;
  readonly counts: string;
}

async function runTests(): Promise<TestOutcome> {
  const directory = await mkdtemp(join(tmpdir(), "mkt-test-"));
  const outfile = join(directory, "junit.xml");
  try {
    const status = await run(
      [
        ...["bun", "test", `--parallel=${values.workers}`, "--no-isolate"],
        ...["--reporter=junit", `--reporter-outfile=${outfile}`, ...paths],
      ],
      values.long ? { MKT_TEST_LONG: "1" } : {},
    );
    const report = Bun.file(outfile);
    const { tests, failures, skipped } = countsOf(await report.exists() ? await report.text() : "");
    const passed = tests - failures - skipped;
    return {
      isFine: status === 0 && failures === 0 && passed > 0,
      counts: `${passed} passed, ${failures} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`,
    };
  } finally {
    await rm(directory, { recursive: true });
  }
}

/** What the checks found, and whether that is nothing. */
async function check(): Promise<{ isFine: boolean; text: string }> {
  const child = Bun.spawn(["bun", "run", "check"], { stdout: "pipe", stderr: "pipe" });
  const texts = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  return { isFine: await child.exited === 0, text: texts.join("") };
}

await compile("dist/mkt");
const [checked, tested] = await Promise.all([check(), runTests()]);
if (!checked.isFine) console.error(`${checked.text}\nbun run check failed: see above`);
console.log(`\n${tested.counts}`);
process.exit(checked.isFine && tested.isFine ? 0 : 1);
