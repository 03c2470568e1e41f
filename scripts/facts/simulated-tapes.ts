// Tapes of simulated runs: runs `mkt simulate --tape` in processes of its own, several at a time, reads each tape and deletes
// it. Also reads tapes that exist.

import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { builtInMarket } from "../../sim/definition/built-in-market.ts";
import { loadDefinition } from "../../sim/definition/load-definition.ts";
import type { MarketDefinition } from "../../sim/definition/market-definition.ts";
import { readTape } from "../../sim/facts/read-tape.ts";
import type { RecordedRun } from "../../sim/facts/run-facts.ts";

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
  measure: (run: RecordedRun) => Value,
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
  measure: (run: RecordedRun) => Value,
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
    return measure(await recordedRun(tape));
  } finally {
    if (keep === undefined) await rm(directory, { recursive: true });
  }
}

/** Throws if the directory has no complete tape. */
export async function recordedRun(directory: string): Promise<RecordedRun> {
  const path = join(directory, "run.json");
  if (!existsSync(path)) throw new Error(`${directory}: no run.json, so it isn't a complete tape`);
  const { experiment, seed, startedAt, endedAt } = await Bun.file(path).json();
  const tape = readTape(directory, definitionOf(experiment?.market), Date.parse(startedAt), Date.parse(endedAt));
  return { preset: String(experiment?.name ?? directory), seed: Number(seed), tape };
}

/** The market of an experiment: a file, or the built-in one. */
function definitionOf(market: unknown): MarketDefinition {
  if (typeof market !== "string" || market === "builtin") return builtInMarket();
  const loaded = loadDefinition(market);
  if (!loaded.ok) throw new Error(`${market}: ${loaded.faults.join("; ")}`);
  return loaded.definition;
}
