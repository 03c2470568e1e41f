// `mkt arena serve`: one episode for any MCP client, over stdio to the one that starts the command, or over HTTP.

import type { Command } from "commander";
import { EpisodeRecord } from "../../arena/record/episode-record.ts";
import { type PlayedEpisode, playedEpisode } from "../../arena/record/play.ts";
import type { Scenario } from "../../arena/scenario/scenario.ts";
import { loadSolver } from "../../arena/score/programme.ts";
import type { AnsweredCall } from "../../arena/server/episode-dispatcher.ts";
import { serveEpisodeHttp } from "../../arena/server/serve-http.ts";
import { untilSignal, UsageError } from "../../common/command-line.ts";
import { tokenOrFile } from "../../common/http/secret-file.ts";
import { inOrder } from "../../common/in-order.ts";
import { logger } from "../../common/logger.ts";
import { checkOptions, option, port, wholeNumber } from "../../common/options.ts";
import { printNote } from "../../common/output.ts";
import type { Program } from "../../core/runtime.ts";
import { mcpServerFactory } from "../../core/server/sdk/mcp-server.ts";
import { serveStdio } from "../../core/server/stdio/serve-stdio.ts";
import { DEFAULT_SEED } from "../../sim/experiment/experiment.ts";
import { MAX_SEED } from "../../sim/experiment/seeds.ts";

interface ServeCommandOptions {
  readonly program: Program;
  readonly configureLogging: () => void;
  /** For a name or path. Throws UsageError. */
  readonly findScenario: (name: string) => Scenario;
}

interface ServeOptions {
  readonly seed?: number;
  readonly agent: string;
  readonly out?: string;
  readonly http?: number;
  readonly tokenFile?: string;
}

export function addServeCommand(
  arena: Command,
  { program, configureLogging, findScenario }: ServeCommandOptions,
): void {
  arena.command("serve")
    .description("serve one episode to an MCP client: over stdio to the one that starts this command, or over HTTP")
    .argument("<scenario>", "a name, or the path of a file")
    .addOption(option("--seed <seed>", `decides what happens (default: ${DEFAULT_SEED})`, wholeNumber(0, MAX_SEED)))
    .option("--agent <name>", "what the agent is called in the record", "agent")
    .option("--out <folder>", "keep a record in this folder, which has none yet")
    .addOption(option("--http <port>", "over HTTP on this port (0: a free one), until Ctrl-C or SIGTERM", port))
    .option("--token-file <file>", "has the bearer token for --http (default: a new one, which is printed)")
    .action(async (name: string, given: ServeOptions, self: Command) => {
      checkOptions(self);
      const scenario = findScenario(name);
      const token = tokenOf(given);
      configureLogging();
      await serve(scenario, given, token, program);
    });
}

/** Null: a new one is made. Throws UsageError. */
function tokenOf({ http, tokenFile }: ServeOptions): string | null {
  if (tokenFile !== undefined && http === undefined) throw new UsageError("--token-file: needs --http");
  const read = tokenOrFile(undefined, tokenFile, "--token-file");
  if ("fault" in read) throw new UsageError(`--token-file: ${read.fault}`);
  return read.token;
}

/** Resolves after a signal, or, over stdio, when the client closes stdin. */
async function serve(
  scenario: Scenario,
  { seed = DEFAULT_SEED, agent, out, http }: ServeOptions,
  token: string | null,
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
  const stopped = untilSignal();
  const server = http === undefined ? overStdio(episode) : overHttp(episode, http, token);
  await Promise.race([stopped, server.ended]);
  await inOrder(
    () => episode.dispatcher.stop(),
    () => server.stop(),
    () => void record?.finish(episode),
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

/** Says where it is. A token from a file is not printed. */
function overHttp(episode: PlayedEpisode, port: number, token: string | null): Server {
  const server = serveEpisodeHttp(episode, port, token ?? undefined);
  printNote(`mkt: the episode is served at ${server.url}`);
  if (token === null) printNote(`mkt: its bearer token is ${server.token}`);
  return { ended: new Promise(() => {}), stop: () => server.stop() };
}
