// Tapes of simulated runs: runs `mkt simulate --tape` in processes of its own, several at a time, reads each tape and deletes
// it. Also reads tapes that exist.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RunTape } from "../../sim/facts/run-facts.ts";
import { TapeCollector } from "../../sim/facts/tape-collector.ts";
import { tapeOfRun } from "../../sim/report/recorded-run.ts";
import { feedRows } from "../../sim/report/tape-rows.ts";

export interface RunRequest {
  readonly preset: string;
  readonly seed: number;
  readonly hours: number;
  /** An experiment file instead of the preset. */
  readonly experiment?: string;
}

interface Options {
  /** An executable; absent: from source. */
  readonly mkt?: string;
  /** How many run at a time; 1 if absent. */
  readonly jobs?: number;
  /** An existing directory in which the tapes are kept, as PRESET-SEED; absent: they are deleted. */
  readonly keep?: string;
}

const MAIN = new URL("../../main.ts", import.meta.url).pathname;

/** What `measure` gives for each run, in the order of the requests. Throws if a run fails. */
export async function onSimulatedTapes<Value>(
  requests: readonly RunRequest[],
  measure: (run: RunTape) => Value,
  options: Options = {},
): Promise<Value[]> {
  const values: Value[] = [];
  let next = 0;
  const work = async () => {
    for (let at = next++; at < requests.length; at = next++) values[at] = await onRun(requests[at]!, measure, options);
  };
  await Promise.all(Array.from({ length: options.jobs ?? 1 }, work));
  return values;
}

async function onRun<Value>(
  request: RunRequest,
  measure: (run: RunTape) => Value,
  { mkt, keep }: Options,
): Promise<Value> {
  const { preset, seed, hours, experiment } = request;
  const directory = keep ?? await mkdtemp(join(tmpdir(), "mkt-facts-"));
  try {
    const tape = join(directory, `${preset.replaceAll("/", "-")}-${seed}`);
    const what = experiment === undefined ? ["--preset", preset] : ["--experiment", experiment];
    const run = Bun.spawn([
      ...(mkt === undefined ? [process.execPath, MAIN] : [mkt]),
      ...["simulate", ...what, "--seed", String(seed), "--hours", String(hours), "--tape", tape],
    ], { stdout: "ignore", stderr: "pipe" });
    const [status, errors] = await Promise.all([run.exited, new Response(run.stderr).text()]);
    if (status !== 0) throw new Error(`mkt simulate, ${preset}, seed ${seed}: exit status ${status}: ${errors}`);
    return measure(recordedRun(tape));
  } finally {
    if (keep === undefined) await rm(directory, { recursive: true });
  }
}

/** Throws if the directory has no complete tape. */
export function recordedRun(directory: string): RunTape {
  const { description: { experiment, seed, startedAt, endedAt }, definition } = tapeOfRun(directory);
  const collector = new TapeCollector(Infinity);
  feedRows(directory, collector);
  const tape = collector.tape(definition, Date.parse(startedAt), Date.parse(endedAt));
  return { preset: experiment.name, seed, tape };
}
