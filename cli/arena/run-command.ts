// `mkt arena run`: episodes of scenarios and seeds, in worker processes. An interrupted run goes on if it is started again.

import type { Command } from "commander";
import { availableParallelism } from "node:os";
import { BASELINES } from "../../arena/baselines/index.ts";
import { baselinePlayer, commandPlayer, type Player } from "../../arena/run/player.ts";
import { type EpisodeJob, episodeJobs, isDone, runEpisode } from "../../arena/run/run-episode.ts";
import type { Scenario } from "../../arena/scenario/scenario.ts";
import { readSeedKey } from "../../arena/scenario/seed-key.ts";
import { loadSolver } from "../../arena/score/programme.ts";
import { UsageError } from "../../common/command-line.ts";
import { shellLine } from "../../common/own-invocation.ts";
import { checkOptions, choice, option, wholeNumber } from "../../common/options.ts";
import { printNote } from "../../common/output.ts";
import type { Program } from "../../core/runtime.ts";
import { seedsFromText } from "../../sim/experiment/seeds.ts";
import { serveJobs } from "../../sim/study/job-messages.ts";
import { runJobs } from "../../sim/study/run-jobs.ts";

interface RunOptions {
  readonly seeds: string;
  readonly agent?: string;
  readonly name?: string;
  readonly baseline?: string;
  readonly jobs?: number;
  readonly timeLimit?: number;
  readonly seedKey?: string;
  readonly out: string;
  readonly worker?: true;
}

/** Scenarios for their names or paths; all that are built in if there are none. Throws UsageError. */
type FindScenarios = (names: readonly string[]) => readonly Scenario[];

const DEFAULT_SEEDS = "1..10";
const MOST_JOBS = 256;
const DEFAULT_TIME_LIMIT_S = 3_600;
const MOST_TIME_LIMIT_S = 86_400;
/** The name of an agent is one of a folder. */
const NAME = /^[\w][\w.-]{0,63}$/;
/** So that the memory of a worker is returned now and then. */
const JOBS_PER_WORKER = 20;

export function addRunCommand(arena: Command, program: Program, findScenarios: FindScenarios): void {
  arena.command("run")
    .description("run episodes with an agent or a baseline, and keep their records; the same command goes on")
    .argument("[scenario...]", "names, or paths of files; default: all built-in ones")
    .option("--seeds <seeds>", "such as 1..40 or 1,5,9..12", DEFAULT_SEEDS)
    .option(
      "--agent <command>",
      "starts the agent of one episode (docs/arena.md); for one that starts mkt: mkt arena serve",
    )
    .option("--name <name>", "what the agent is called in records (default: agent)")
    .addOption(choice("--baseline <name>", "runs a baseline instead of an agent", BASELINES.map(({ name }) => name)))
    .addOption(
      option("--jobs <jobs>", "episodes at the same time (default: one for each core)", wholeNumber(1, MOST_JOBS)),
    )
    .addOption(
      option(
        "--time-limit <seconds>",
        `real time of an agent for an episode (default: ${DEFAULT_TIME_LIMIT_S})`,
        wholeNumber(1, MOST_TIME_LIMIT_S),
      ),
    )
    .option("--seed-key <file>", "a secret, from which the seeds follow: --seeds only names them")
    .requiredOption("--out <folder>", "for the records: SCENARIO/SEED/AGENT in it")
    .addOption(option("--worker", "", () => true).hideHelp())
    .action(async (names: readonly string[], given: RunOptions, self: Command) => {
      checkOptions(self);
      const player = playerOf(given);
      const jobs = episodeJobs(findScenarios(names), seedsOf(given), player.name);
      const seedKey = given.seedKey === undefined ? null : readSeedKey(given.seedKey);
      if (seedKey !== null && !given.worker) printNote(`mkt: the SHA-256 of the secret is ${seedKey.digest}`);
      const run = { out: given.out, player, program, seedKey };
      if (!given.worker) return await runAll(jobs, given, names);
      await loadSolver();
      return serveJobs(async ({ index }) => JSON.stringify(await runEpisode(jobs[index]!, run)));
    });
}

async function runAll(jobs: readonly EpisodeJob[], given: RunOptions, names: readonly string[]): Promise<void> {
  const left = jobs.filter((job) => !isDone(given.out, job));
  const { seeds, ...rest } = argumentsOf(given);
  const others = Object.entries(rest).flatMap(([flag, value]) => value === undefined ? [] : [flag, value]);
  const jobsOfScenario = seedsOf(given).length;
  await runJobs({
    jobs: left,
    doneBefore: jobs.length - left.length,
    workers: Math.min(given.jobs ?? availableParallelism(), left.length),
    jobsPerWorker: JOBS_PER_WORKER,
    workerArguments: ["arena", "run", ...names, "--seeds", seeds, ...others, "--worker"],
    tapeOf: () => null,
    onResult: () => {},
    commandOf: ({ index, seed }) => {
      const scenario = names[Math.floor(index / jobsOfScenario)] ?? jobs[index]!.scenario.name;
      return shellLine(["mkt", "arena", "run", scenario, "--seeds", String(seed), ...others]);
    },
    onEnd: () => printNote("mkt: ended early; the same command goes on"),
  });
  printNote(`mkt: ${jobs.length} episodes are done in ${given.out}`);
}

/** What workers need to know. */
function argumentsOf({ seeds, agent, name, baseline, timeLimit, seedKey, out }: RunOptions) {
  return {
    seeds,
    "--agent": agent,
    "--name": name,
    "--baseline": baseline,
    "--time-limit": timeLimit?.toString(),
    "--seed-key": seedKey,
    "--out": out,
  };
}

function seedsOf({ seeds }: RunOptions): readonly number[] {
  const read = seedsFromText(seeds);
  if (!read.ok) throw new UsageError(`--seeds: ${read.fault}`);
  return read.seeds;
}

function playerOf({ agent: command, name = "agent", baseline, timeLimit = DEFAULT_TIME_LIMIT_S }: RunOptions): Player {
  if ((command === undefined) === (baseline === undefined)) {
    throw new UsageError("--agent, --baseline: give one of the two");
  }
  if (!NAME.test(name)) throw new UsageError("--name: letters, digits, dots, hyphens and underscores, at most 64");
  if (command !== undefined) return commandPlayer({ name, command, timeLimit });
  return baselinePlayer(BASELINES.find((each) => each.name === baseline)!);
}
