// The options of `mkt arena serve --openenv`: episodes for trainers, by the standard OpenEnv.

import type { Command } from "commander";
import { type Mode, MODES } from "../../arena/openenv/openapi.ts";
import { REWARD_KINDS, type RewardKind } from "../../arena/openenv/rewards.ts";
import { serveOpenEnv } from "../../arena/openenv/serve-openenv.ts";
import type { Scenario } from "../../arena/scenario/scenario.ts";
import { untilSignal, UsageError } from "../../common/command-line.ts";
import { isLoopback } from "../../common/http/listen.ts";
import { choice, option, port, wholeNumber } from "../../common/options.ts";
import { printNote } from "../../common/output.ts";

export interface OpenEnvOptions {
  readonly openenv?: true;
  readonly host?: string;
  readonly port?: number;
  readonly scenarios?: string;
  readonly maxSessions?: number;
  readonly mode?: Mode;
  readonly reward?: RewardKind;
}

const DEFAULT_HOST = "127.0.0.1";
const DEFAULT_PORT = 8000;
const DEFAULT_SESSIONS = 64;
const MOST_SESSIONS = 10_000;
const ALONE = ["port", "scenarios", "maxSessions", "mode", "reward"] as const;

export function addOpenEnvOptions(serve: Command): Command {
  return serve
    .option("--openenv", "serve any number of episodes by OpenEnv, for trainers, until Ctrl-C or SIGTERM")
    .addOption(option("--port <port>", `with --openenv: 0 is a free one (default: ${DEFAULT_PORT})`, port))
    .option("--scenarios <names>", "with --openenv: names or paths, with commas (default: all built-in ones)")
    .addOption(
      option(
        "--max-sessions <number>",
        `with --openenv: episodes at the same time (default: ${DEFAULT_SESSIONS})`,
        wholeNumber(1, MOST_SESSIONS),
      ),
    )
    .addOption(choice("--mode <mode>", "with --openenv: production leaves out reset, step and state", MODES))
    .addOption(choice("--reward <kind>", "with --openenv: in each step, or all of it at the end", REWARD_KINDS));
}

/** Throws UsageError if one of the options needs --openenv. */
export function refuseOpenEnvOptions(given: OpenEnvOptions): void {
  for (const name of ALONE) {
    if (given[name] === undefined) continue;
    throw new UsageError(`--${name.replace(/[A-Z]/, (letter) => `-${letter.toLowerCase()}`)}: needs --openenv`);
  }
}

/** Resolves after a signal. */
export async function serveTrainers(
  { host = DEFAULT_HOST, port = DEFAULT_PORT, maxSessions = DEFAULT_SESSIONS, mode = "simulation", reward = "steps" }:
    OpenEnvOptions,
  scenarios: readonly Scenario[],
  version: string,
): Promise<void> {
  const stopped = untilSignal();
  const server = await serveOpenEnv({ scenarios, host, port, maxSessions, mode, rewards: reward, version });
  printNote(`mkt: OpenEnv at ${server.url}, ${mode} mode, ${scenarios.length} scenarios`);
  if (!isLoopback(host)) printNote("mkt: anybody who reaches this address can play; no token is asked for");
  await stopped;
  await server.stop();
}
