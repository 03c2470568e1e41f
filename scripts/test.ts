// The test command of README.md: checks, builds dist/mkt, runs every test and prints `N passed, N failed` last.
//
//   bun scripts/test.ts [--long] [--workers N] [PATH ...]
//
// Test files run in parallel worker processes. A worker loads a module once for all its files: loading the modules again for
// each file took a seventh of the processor time. --long runs the sizes that are too long for every run (tests/support/sizes.ts).

import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { compile } from "./compile.ts";

const MAX_WORKERS = 4;
/** One worker more than cores, because tests that wait leave their core idle. */
const WORKERS = Math.min(availableParallelism() + 1, MAX_WORKERS);

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

async function runTests(): Promise<boolean> {
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
    console.log(`\n${passed} passed, ${failures} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
    return status === 0 && failures === 0 && passed > 0;
  } finally {
    await rm(directory, { recursive: true });
  }
}

const checked = await run(["bun", "run", "check"]) === 0;
if (!checked) console.error("bun run check failed: see above");
await compile("dist/mkt");
const passed = await runTests();
process.exit(checked && passed ? 0 : 1);
