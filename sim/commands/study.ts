// A study: the same experiment with many seeds, each run in a process of its own. It prints one line of JSON for each run,
// the same bytes as a single run, in the order of the seeds, whatever the number of processes is.
//
// A run that fails is named on stderr, and the others go on. If this process is asked to end, it ends the runs.

import { ownInvocation } from "../../common/own-invocation.ts";
import { oneLine } from "../../common/command-line.ts";
import { printNote, write } from "../../common/output.ts";
import { showProgress } from "../../common/progress-bar.ts";

interface StudyOptions {
  readonly seeds: readonly number[];
  /** Number of processes at a time. */
  readonly jobs: number;
  /** The command line of one run. */
  readonly argumentsOf: (seed: number) => readonly string[];
  /** Called if a signal ends the study, when no run writes any more. */
  readonly onEnd?: (() => void) | undefined;
}

type ChildProcess = Pick<Bun.Subprocess, "kill" | "exited">;

type RunOutcome =
  | { readonly ok: true; readonly line: string }
  | { readonly ok: false; readonly faults: readonly string[] };

const SIGNALS = ["SIGTERM", "SIGINT"] as const;

/** Throws an Error that names the runs that failed. */
export async function runStudy({ seeds, jobs, argumentsOf, onEnd }: StudyOptions): Promise<void> {
  const processes = new Set<ChildProcess>();
  let isEnding = false;
  const end = async (signal: NodeJS.Signals) => {
    isEnding = true;
    for (const child of processes) child.kill();
    await Promise.all([...processes].map(({ exited }) => exited));
    onEnd?.();
    // The handler has been removed, so this ends the process.
    process.kill(process.pid, signal);
  };
  const run = async (seed: number) => {
    const outcome = await outcomeOf(argumentsOf(seed), processes);
    // A run that was ended has not failed, and no other begins.
    return isEnding ? await new Promise<never>(() => {}) : outcome;
  };
  for (const signal of SIGNALS) process.once(signal, end);
  const progress = await showProgress(seeds.length, "runs");
  const failed: number[] = [];
  const outcomes = inOrder(seeds, jobs, run);
  let done = 0;
  try {
    for await (const { item: seed, result } of outcomes) {
      progress.update(done += 1);
      if (result.ok) await write(result.line);
      else {
        failed.push(seed);
        for (const fault of result.faults) printNote(`mkt: seed ${seed}: ${fault}`);
      }
    }
  } finally {
    for (const signal of SIGNALS) process.off(signal, end);
    for (const child of processes) child.kill();
    progress.stop();
  }
  if (failed.length === 0) return;
  throw new Error(`${failed.length} of ${seeds.length} runs failed: seed ${failed.join(", ")}`);
}

/** Runs at most `jobs` at a time; yields results in the order of the items. */
async function* inOrder<Item, Result>(items: readonly Item[], jobs: number, run: (item: Item) => Promise<Result>) {
  const results = items.map(() => Promise.withResolvers<Result>());
  let next = 0;
  const work = async () => {
    for (let at = next++; at < items.length; at = next++) {
      const item = items[at];
      if (item !== undefined) results[at]?.resolve(await run(item));
    }
  };
  for (let job = 0; job < jobs; job++) work().catch((error) => results.forEach(({ reject }) => reject(error)));
  for (const [at, item] of items.entries()) {
    const result = await results[at]?.promise;
    delete results[at];
    if (result !== undefined) yield { item, result };
  }
}

/** The process is in `processes` while it runs. */
async function outcomeOf(args: readonly string[], processes: Set<ChildProcess>): Promise<RunOutcome> {
  const { command, args: own } = ownInvocation();
  const child = Bun.spawn([command, ...own, ...args], { stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  processes.add(child);
  const [line, errors, exitCode] = await Promise.all([
    Bun.readableStreamToText(child.stdout),
    Bun.readableStreamToText(child.stderr),
    child.exited,
  ]);
  processes.delete(child);
  if (exitCode === 0) return { ok: true, line };
  const how = child.signalCode === null ? `exit status ${exitCode}` : `ended by ${child.signalCode}`;
  const faults = errors.split("\n").filter((text) => text !== "").map((text) => oneLine(text.replace(/^mkt: /, "")));
  return { ok: false, faults: faults.length === 0 ? [how] : faults };
}
