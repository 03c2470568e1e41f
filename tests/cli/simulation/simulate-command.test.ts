// What each option of `mkt simulate` changes: in the run, in what is written of it, or in the study.

import { expect, test } from "bun:test";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { addSimulateCommand } from "../../../cli/simulation/simulate-command.ts";
import { builtInMarketNamed } from "../../../engine/definition/built-in-markets.ts";
import { presetExperiment } from "../../../sim/experiment/read-experiment.ts";
import * as simulating from "../../../sim/headless/simulate.ts";
import * as agents from "../../../sim/outside/agents/simulate-with-agents.ts";
import * as strategies from "../../../sim/outside/strategies/strategy-files.ts";
import * as running from "../../../sim/study/run-jobs.ts";
import { runCommandHere } from "../../support/command-line-here.ts";
import { replaced } from "../../support/replaced.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const ENDED = "the test has seen enough";
const end = () => {
  throw new Error(ENDED);
};
const run = (args: readonly string[]) => runCommandHere(addSimulateCommand, ["simulate", ...args]);

/** The run that would be simulated. */
async function simulated(args: readonly string[]) {
  const calls = replaced(simulating, "simulate", end);
  calls.length = 0;
  const { stderr } = await run(args);
  expect([args, stderr]).toEqual([args, `mkt: ${ENDED}\n`]);
  const { experiment, definition, observer } = calls.pop()![0];
  return { experiment, definition, isObserved: observer !== null };
}

test("each option of a run of mkt simulate changes its own part of the experiment", async () => {
  const folder = temporaryDirectory();
  const path = join(folder, "experiment.json");
  writeFileSync(path, JSON.stringify({ name: "mine", preset: "thin", seed: 9, steps: 5 }));
  const { experiment: usual, definition } = await simulated([]);
  expect(usual).toEqual({ ...presetExperiment("calm"), start: "2026-03-02T06:00:00.000Z", seed: 1, steps: 100_000 });
  expect(definition).toEqual(builtInMarketNamed("builtin")!);
  const changed = (name: string) => `${usual.name}, with other ${name}`;
  for (
    const [args, changes] of [
      [["--seed", "5"], { seed: 5 }],
      [["--steps", "7"], { steps: 7 }],
      [["--hours", "0.5"], { hours: 0.5, steps: null }],
      [["--start", "2026-07-01T00:00:00Z"], { start: "2026-07-01T00:00:00.000Z", name: changed("start") }],
      [["--events", "none"], { events: [], name: changed("events") }],
      [["--personas", "zic:3"], {
        personas: [{ strategy: "zic", count: 3, parameters: {} }],
        name: changed("personas"),
      }],
      [["--market", "builtin"], { name: changed("market") }],
      [["--vary", "trading.halfSpread=0.25"], { trading: { ...usual.trading, halfSpread: 0.25 } }],
      [["--format", "json"], {}],
    ] as const
  ) {
    const { experiment, isObserved } = await simulated(args);
    const { name, ...rest } = changes as { name?: string };
    expect([args, experiment, isObserved]).toEqual([args, { ...usual, ...rest, name: name ?? experiment.name }, false]);
  }
  expect((await simulated(["--preset", "stress"])).experiment.personas).toEqual(presetExperiment("stress").personas);
  expect((await simulated(["--preset", "credit"])).definition).toEqual(builtInMarketNamed("builtin-credit")!);
  expect((await simulated(["--market", "builtin-credit"])).definition).toEqual(builtInMarketNamed("builtin-credit")!);
  expect((await simulated(["--experiment", path])).experiment).toMatchObject({ name: "mine", seed: 9, steps: 5 });
  expect((await simulated(["--experiment", path, "--seed", "3"])).experiment).toMatchObject({ seed: 3, steps: 5 });
});

test("--tape, --tape-format and --report say what is written of a run, and --print-experiment runs nothing", async () => {
  const folder = temporaryDirectory();
  const at = (name: string) => join(folder, name);
  expect((await simulated(["--tape", at("csv")])).isObserved).toBe(true);
  expect(existsSync(at("csv/trades.csv"))).toBe(true);
  expect((await simulated(["--tape", at("parquet"), "--tape-format", "parquet"])).isObserved).toBe(true);
  expect(existsSync(at("parquet/trades.parquet"))).toBe(true);
  expect((await simulated(["--report", at("page.html"), "--book-at", "1h"])).isObserved).toBe(true);
  const calls = replaced(simulating, "simulate", end);
  calls.length = 0;
  const { exitCode, stdout } = await run(["--print-experiment", "--seed", "5", "--preset", "thin"]);
  expect([exitCode, calls, JSON.parse(stdout)]).toEqual([0, [], expect.objectContaining({ seed: 5 })]);
});

test("--agent lets agents take part, --agents as many, and --agent-timeout for so many seconds", async () => {
  const calls = replaced(agents, "simulateWithAgents", (_simulation, { onListening }) => {
    onListening("127.0.0.1:5", () => {});
    return end();
  });
  const asked = async (...args: string[]) => {
    const { stderr } = await run(args);
    expect(stderr).toMatch(/^mkt \S+ simulate: agents connect to 127\.0\.0\.1:5\nmkt: the test has seen enough\n$/);
    const { onListening: _, ...options } = calls.pop()![1];
    return options;
  };
  const usual = { address: { port: 0 }, count: 1, timeoutMs: 600_000 };
  expect(await asked("--agent", "0")).toEqual(usual);
  expect(await asked("--agent", "/tmp/x")).toEqual({ ...usual, address: { path: "/tmp/x" } });
  expect(await asked("--agent", "0", "--agents", "3")).toEqual({ ...usual, count: 3 });
  expect(await asked("--agent", "0", "--agent-timeout", "5")).toEqual({ ...usual, timeoutMs: 5_000 });
});

test("each --strategy is loaded, and what can't be loaded is named with the other faults", async () => {
  const loaded = replaced(strategies, "addStrategyFile", () => Promise.resolve());
  await simulated(["--strategy", "a.ts", "--strategy", "b.ts"]);
  expect(loaded).toEqual([["a.ts"], ["b.ts"]]);
  replaced(strategies, "addStrategyFile", () => Promise.reject(new Error("broken")));
  expect(await run(["--strategy", "a.ts", "--book-at", "1h", "--tape-format", "csv", "--agents", "2"])).toMatchObject({
    exitCode: 2,
    stderr: [
      "mkt: --strategy: a.ts: broken",
      "mkt: --tape-format: needs --tape or --out",
      "mkt: --book-at: needs --report",
      "mkt: --agents: needs --agent",
      "",
    ].join("\n"),
  });
});

/** The study whose jobs would run. */
async function studied(args: readonly string[]) {
  const calls = replaced(running, "runJobs", end);
  calls.length = 0;
  const { stderr } = await run(args);
  expect([args, stderr]).toEqual([args, expect.stringContaining(ENDED)]);
  const { jobs, workers, workerArguments, jobsPerWorker, tapeOf, doneBefore, commandOf } = calls.pop()![0];
  return {
    seeds: jobs.map(({ seed }) => seed),
    variants: jobs.map(({ variant }) => variant.map(({ value }) => value)),
    workers,
    workerArguments,
    jobsPerWorker,
    tapes: jobs.map(tapeOf),
    doneBefore,
    command: commandOf(jobs[0]!),
  };
}

test("each option of a study changes its own part of it", async () => {
  const folder = temporaryDirectory();
  // Strategies of other tests stay known to their process.
  replaced(strategies, "addedStrategyFiles", () => []);
  const usual = await studied(["--seeds", "1..3", "--jobs", "1"]);
  const { seeds, variants, workers, workerArguments, jobsPerWorker, tapes, doneBefore, command } = usual;
  expect([seeds, variants, workers, jobsPerWorker, tapes, doneBefore]).toEqual([[1, 2, 3], [[], [], []], 1, 100, [
    null,
    null,
    null,
  ], 0]);
  expect(workerArguments).toEqual(["simulate", "--seeds", "1..3", "--study-worker", expect.any(String)]);
  expect(command).toBe("mkt simulate --seed 1");
  const changed = async (...args: string[]) => await studied(["--seeds", "1..3", "--jobs", "1", ...args]);
  expect(await changed("--jobs", "2")).toEqual({ ...usual, workers: 2 });
  expect(await changed("--jobs", "9")).toEqual({ ...usual, workers: 3 });
  expect(await changed("--format", "json")).toEqual(usual);
  expect(await changed("--part", "2/3", "--out", join(folder, "out"))).toMatchObject({
    seeds: [2],
    tapes: [null],
    workerArguments,
  });
  const tape = join(folder, "tapes");
  const taped = await changed("--tape", tape, "--tape-format", "parquet");
  expect(taped.tapes.every((path) => path?.startsWith(tape))).toBe(true);
  expect(new Set(taped.tapes).size).toBe(3);
  expect(taped.workerArguments.slice(0, -1))
    .toEqual(["simulate", "--seeds", "1..3", "--tape-format", "parquet", "--study-worker"]);
  const grid = await changed("--vary", "trading.halfSpread=0.1,0.2", "--hours", "2");
  expect([grid.variants, grid.seeds]).toEqual([[[0.1], [0.1], [0.1], [0.2], [0.2], [0.2]], [1, 2, 3, 1, 2, 3]]);
  expect(grid.command).toBe("mkt simulate --hours 2 --vary trading.halfSpread=0.1 --seed 1");
  const taken = await changed("--out", join(folder, "kept"), "--tape-format", "csv");
  expect(taken.tapes.every((path) => path?.startsWith(join(folder, "kept")))).toBe(true);
  replaced(strategies, "addedStrategyFiles", () => [{ strategy: "mine", file: "mine.ts", sha256: "" }]);
  expect((await changed()).jobsPerWorker).toBe(1);
});

test("options that don't fit a study, or need one, are refused together", async () => {
  const refusal = async (...args: string[]) => (await run(args)).stderr.split("\n").slice(0, -1);
  expect(await refusal("--jobs", "2", "--part", "1/2")).toEqual(
    ["jobs", "part"].map((name) => `mkt: --${name}: needs a study: --seeds, --vary with several values, or --out`),
  );
  const seeds = ["--seeds", "1..9"];
  expect(await refusal(...seeds, "--agent", "0", "--format", "text", "--report", "r.html", "--out", "o", "--tape", "t"))
    .toEqual([
      "mkt: --agent: a study starts the agents of each run: give their command with {port}, or one seed",
      "mkt: --format: a study prints a line of JSON for each run",
      "mkt: --report: at most 8 runs fit side by side, not 9",
      "mkt: --report: with --out or --part, make the page of tapes: mkt report",
      "mkt: --tape: with --out, tapes are in its folder tapes; give --tape-format instead",
    ]);
  expect(await refusal("--seeds", "1..2", "--report", "r.html", "--tape-format", "parquet"))
    .toContain("mkt: --tape-format: the report of --seeds is made of csv tapes; leave it out");
  const varied = ["--vary", "preset=calm,thin", "--print-experiment"];
  expect((await refusal(...varied))[0]).toStartWith("mkt: --print-experiment: a study that varies the preset has no");
});
