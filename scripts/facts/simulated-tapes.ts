// Runs `mkt simulate --tape` in processes of its own, several at a time, reads each tape and deletes it.

import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { builtInMarket } from "../../sim/definition/built-in-market.ts";
import { loadDefinition } from "../../sim/definition/load-definition.ts";
import type { MarketDefinition } from "../../sim/definition/market-definition.ts";
import { type RunFacts, samplesOf } from "./fact-table.ts";
import { readTape } from "./tape.ts";

export interface RunRequest {
  readonly preset: string;
  readonly seed: number;
  readonly hours: number;
  /** An experiment file instead of the preset. */
  readonly experiment?: string;
}

const MAIN = new URL("../../main.ts", import.meta.url).pathname;

/** `mkt`: an executable; undefined: from source. Throws if a run fails. */
export async function simulatedFacts(
  requests: readonly RunRequest[],
  { mkt, jobs, onDone }: { mkt?: string; jobs: number; onDone?: (facts: RunFacts) => void },
): Promise<RunFacts[]> {
  const facts: RunFacts[] = [];
  let next = 0;
  const work = async () => {
    for (let at = next++; at < requests.length; at = next++) {
      const each = await factsOfRun(requests[at]!, mkt);
      facts[at] = each;
      onDone?.(each);
    }
  };
  await Promise.all(Array.from({ length: jobs }, work));
  return facts;
}

async function factsOfRun({ preset, seed, hours, experiment }: RunRequest, mkt: string | undefined): Promise<RunFacts> {
  const scratch = await mkdtemp(join(tmpdir(), "mkt-facts-"));
  try {
    const tape = join(scratch, "tape");
    const what = experiment === undefined ? ["--preset", preset] : ["--experiment", experiment];
    const run = Bun.spawn([
      ...(mkt === undefined ? [process.execPath, MAIN] : [mkt]),
      ...["simulate", ...what, "--seed", String(seed), "--hours", String(hours), "--tape", tape, "--format", "json"],
    ], { stdout: "ignore", stderr: "pipe" });
    const [status, errors] = await Promise.all([run.exited, new Response(run.stderr).text()]);
    if (status !== 0) throw new Error(`mkt simulate, ${preset}, seed ${seed}: exit status ${status}: ${errors}`);
    return await factsOfTape(tape);
  } finally {
    await rm(scratch, { recursive: true });
  }
}

/** The facts of a tape that exists. */
export async function factsOfTape(directory: string): Promise<RunFacts> {
  const path = join(directory, "run.json");
  if (!existsSync(path)) throw new Error(`${directory}: no run.json, so it isn't a complete tape`);
  const { experiment, seed } = await Bun.file(path).json();
  const tape = readTape(directory, definitionOf(experiment?.market));
  return { preset: String(experiment?.name ?? directory), seed: Number(seed), samples: samplesOf(tape) };
}

/** The market of an experiment: a file, or the built-in one. */
function definitionOf(market: unknown): MarketDefinition {
  if (typeof market !== "string" || market === "builtin") return builtInMarket();
  const loaded = loadDefinition(market);
  if (!loaded.ok) throw new Error(`${market}: ${loaded.faults.join("; ")}`);
  return loaded.definition;
}
