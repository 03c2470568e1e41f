// `mkt arena serve`: one episode for any MCP client, over stdio to the one that starts the command, or over HTTP; or, by
// OpenEnv, any number of them for trainers.

import type { Command } from "commander";
import { EpisodeRecord } from "../../arena/record/episode-record.ts";
import { type PlayedEpisode, playedEpisode } from "../../arena/record/play.ts";
import type { Scenario } from "../../arena/scenario/scenario.ts";
import { loadSolver } from "../../arena/score/programme.ts";
import type { AnsweredCall } from "../../arena/server/episode-dispatcher.ts";
import { untilSignal, UsageError } from "../../common/command-line.ts";
import { PLATFORM } from "../../common/environment.ts";
import { inOrder } from "../../common/in-order.ts";
import { logger } from "../../common/logger.ts";
import { checkOptions, option, port, wholeNumber } from "../../common/options.ts";
import { beginAnew } from "../../common/own-invocation.ts";
import type { Program } from "../../core/runtime.ts";
import { mcpServerFactory } from "../../core/server/sdk/mcp-server.ts";
import { serveStdio } from "../../core/server/stdio/serve-stdio.ts";
import { DEFAULT_SEED } from "../../sim/experiment/experiment.ts";
import { MAX_SEED } from "../../sim/experiment/seeds.ts";
import { addHttpOptions, type HttpOptions, readHttpAccess, refuseHttpOptions, serveOverHttp } from "./http-options.ts";
import { addOpenEnvOptions, type OpenEnvOptions, refuseOpenEnvOptions, serveTrainers } from "./openenv-options.ts";

interface ServeCommandOptions {
  readonly program: Program;
  readonly configureLogging: () => void;
  /** For names or paths; all that are built in if there are none. Throws UsageError. */
  readonly findScenarios: (names: readonly string[]) => readonly Scenario[];
}

interface ServeOptions extends HttpOptions, OpenEnvOptions {
  readonly seed?: number;
  readonly agent: string;
  readonly out?: string;
}

export function addServeCommand(
  arena: Command,
  { program, configureLogging, findScenarios }: ServeCommandOptions,
): void {
  const serving = arena.command("serve")
    .description("serve one episode to an MCP client: over stdio to the one that starts this command, or over HTTP")
    .argument("[scenario]", "a name, or the path of a file; needed without --openenv")
    .addOption(option("--seed <seed>", `decides what happens (default: ${DEFAULT_SEED})`, wholeNumber(0, MAX_SEED)))
    .option("--agent <name>", "what the agent is called in the record", "agent")
    .option("--out <folder>", "keep a record in this folder, which has none yet")
    .addOption(option("--http <port>", "over HTTP on this port (0: a free one), until Ctrl-C or SIGTERM", port));
  addOpenEnvOptions(addHttpOptions(serving));
  serving.action(async (name: string | undefined, given: ServeOptions, self: Command) => {
    checkOptions(self);
    if (given.openenv) {
      refuseEpisodeOptions(name, given);
      const scenarios = findScenarios(given.scenarios?.split(",") ?? []);
      keepMemory();
      configureLogging();
      return await serveTrainers(given, scenarios, program.version);
    }
    refuseOpenEnvOptions(given);
    if (name === undefined) throw new UsageError("scenario: give a name (mkt arena scenarios), or the path of a file");
    const [scenario] = findScenarios([name]);
    if (given.http === undefined) refuseHttpOptions(given);
    const access = given.http === undefined ? null : readHttpAccess(given, given.http);
    configureLogging();
    await serve(scenario!, given, access, program);
  });
}

/**
 * Each reset frees a market and makes another one. To give the memory back to the system and to take it again took the longest
 * resets half of their time. The runtime reads this variable when a process begins.
 */
function keepMemory(): void {
  if (PLATFORM.MIMALLOC_PURGE_DELAY === undefined) beginAnew({ MIMALLOC_PURGE_DELAY: "-1" });
}

/** Throws UsageError. */
function refuseEpisodeOptions(name: string | undefined, { seed, out, http, tokenFile, judge }: ServeOptions): void {
  const single = {
    scenario: name,
    "--seed": seed,
    "--out": out,
    "--http": http,
    "--token-file": tokenFile,
    "--judge": judge,
  };
  for (const [what, value] of Object.entries(single)) {
    if (value !== undefined) throw new UsageError(`${what}: not with --openenv, which serves many episodes`);
  }
}

/** Resolves after a signal, or, over stdio (`access` null), when the client closes stdin. */
async function serve(
  scenario: Scenario,
  { seed = DEFAULT_SEED, agent, out }: ServeOptions,
  access: ReturnType<typeof readHttpAccess> | null,
  program: Program,
): Promise<void> {
  const record = out === undefined ? null : new EpisodeRecord(out, scenario);
  await loadSolver();
  const onCall = (call: AnsweredCall) => {
    record?.note(call);
    // While the agent thinks about the first answer: clients wait only seconds for a server that they end.
    if (record !== null) setImmediate(episode.prepareScore);
  };
  const episode = playedEpisode({ scenario, seed, agent, program, onCall });
  const finish = () => record?.finish(episode) ?? episode.finish();
  let finished: ReturnType<typeof finish> | null = null;
  /** The episode ends when its result is asked for, or when it is served no more. */
  const result = async () => {
    await episode.dispatcher.stop();
    return finished ??= finish();
  };
  const stopped = untilSignal();
  const server = access === null ? overStdio(episode) : serveOverHttp(access, { episode, seed, result });
  await Promise.race([stopped, server.ended]);
  await inOrder(
    () => episode.dispatcher.stop(),
    () => server.stop(),
    () => void (record !== null && finished === null && record.finish(episode)),
  );
}

interface Server {
  /** Resolves when the client has gone; never if others may come. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

function overStdio({ dispatcher, offers }: PlayedEpisode): Server {
  return serveStdio(mcpServerFactory(dispatcher, offers), offers, logger("stdio"));
}
