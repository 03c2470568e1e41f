// The test command of README.md: checks, builds dist/mkt, runs every test and prints `N passed, N failed` last.
//
//   bun scripts/test.ts [--long] [--workers N] [--update-timings] [PATH ...]
//
// The checks run beside all else: tests that wait leave a core idle. Their faults are printed after the tests'. One type
// checker (`tsc --singleThreaded`) whose heap may grow (GOGC=300) takes less processor time than two.
//
// tests/timings.json says how long files took, so that the slowest start first. It may be old: only the time of a run depends
// on it. --update-timings writes it again.
//
// Test files run in parallel worker processes. A worker loads a module once for all its files: loading the modules again for
// each file took a seventh of the processor time.
//
// In short runs the runtime compiles little, collects garbage seldom and keeps freed memory: of the processor time, the last
// stage of compilation took a seventh, the stage before it a twentieth, and heaps that grow in small steps another twentieth.
//
// --long runs the sizes that are too long for every run (tests/support/sizes.ts), with the day's seed (tests/support/seed.ts).

import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { compile } from "./compile.ts";
import { FOR_SHORT_PROCESSES } from "../tests/support/short-processes.ts";
import { runTests } from "./test-run.ts";

const MAX_WORKERS = 8;
/** Two workers for each core, because many tests mostly wait. */
const WORKERS = Math.min(2 * availableParallelism(), MAX_WORKERS);

const { values, positionals: paths } = parseArgs({
  options: {
    long: { type: "boolean", default: false },
    workers: { type: "string", default: String(WORKERS) },
    "update-timings": { type: "boolean", default: false },
  },
  allowPositionals: true,
});

/** What the checks found, and whether that is nothing. */
async function check(): Promise<{ isFine: boolean; text: string }> {
  const child = Bun.spawn(["bun", "run", "check"], { stdout: "pipe", stderr: "pipe" });
  const texts = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  return { isFine: await child.exited === 0, text: texts.join("") };
}

const seed = process.env["MKT_TEST_SEED"] ?? new Date().toISOString().slice(0, 10).replaceAll("-", "");
const SHORT = { ...FOR_SHORT_PROCESSES, BUN_JSC_smallHeapGrowthFactor: "4" };
const env: Record<string, string> = values.long ? { MKT_TEST_LONG: "1", MKT_TEST_SEED: seed } : SHORT;

const timings = { file: "tests/timings.json", areWritten: values["update-timings"] };
const checking = check();
await compile("dist/mkt");
const tested = await runTests({
  paths: paths.length > 0 ? paths : ["tests"],
  workers: Number(values.workers),
  env,
  timings,
});
const checked = await checking;
if (!checked.isFine) console.error(`${checked.text}\nbun run check failed: see above`);
if (values.long) console.log(`\nMKT_TEST_SEED=${seed} repeats this run`);
for (const file of tested.unsteady) console.log(`\nunsteady: ${file} failed beside others and passed alone`);
console.log(`\n${tested.counts}`);
process.exit(checked.isFine && tested.isFine ? 0 : 1);
