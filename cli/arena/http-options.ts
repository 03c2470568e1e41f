// The options of `mkt arena serve --http`: who may play the episode, and who may judge it.

import type { Command } from "commander";
import { BASELINES } from "../../arena/baselines/index.ts";
import { Seat } from "../../arena/baselines/seat.ts";
import type { EpisodeResult } from "../../arena/record/episode-record.ts";
import type { PlayedEpisode } from "../../arena/record/play.ts";
import { serveJudge } from "../../arena/server/judge.ts";
import { serveEpisodeHttp } from "../../arena/server/serve-http.ts";
import { UsageError } from "../../common/command-line.ts";
import { tokenOrFile } from "../../common/http/secret-file.ts";
import { option, port } from "../../common/options.ts";
import { printNote } from "../../common/output.ts";
import { ENVIRONMENT } from "../../core/config/env-file.ts";

export interface HttpOptions {
  readonly http?: number;
  readonly host?: string;
  /** False: no token is asked for. */
  readonly token: boolean;
  readonly tokenFile?: string;
  readonly judge?: number;
  readonly judgeTokenFile?: string;
}

interface HttpAccess {
  readonly port: number;
  readonly host?: string;
  /** Undefined: a new one is made; null: none is asked for. */
  readonly token?: string | null;
  readonly judge: { readonly port: number; readonly token: string } | null;
}

interface ServedOverHttp {
  readonly episode: PlayedEpisode;
  readonly seed: number;
  /** Ends the episode. */
  readonly result: () => Promise<EpisodeResult>;
}

export function addHttpOptions(serve: Command): Command {
  return serve
    .option("--host <host>", "with --http or --openenv: the address to listen on (default: 127.0.0.1)")
    .option("--token-file <file>", "has the bearer token for --http (default: a new one, which is printed)")
    .option("--no-token", "with --http: whoever reaches the address may play")
    .addOption(option("--judge <port>", "with --http: a second port, which ends the episode and tells its score", port))
    .option("--judge-token-file <file>", "has the bearer token for --judge");
}

/** Throws UsageError if one of the options needs --http. */
export function refuseHttpOptions({ host, token, tokenFile, judge, judgeTokenFile }: HttpOptions): void {
  const given = {
    "--host": host,
    "--token-file": tokenFile,
    "--judge": judge,
    "--judge-token-file": judgeTokenFile,
    "--no-token": token ? undefined : true,
  };
  for (const [name, value] of Object.entries(given)) {
    if (value !== undefined) throw new UsageError(`${name}: needs --http`);
  }
}

/** Throws UsageError. */
export function readHttpAccess(given: HttpOptions, http: number): HttpAccess {
  const { host, token, tokenFile, judge, judgeTokenFile } = given;
  if (!token && tokenFile !== undefined) throw new UsageError("--token-file: not with --no-token");
  if (judgeTokenFile !== undefined && judge === undefined) throw new UsageError("--judge-token-file: needs --judge");
  const judgeToken = tokenIn("--judge-token-file", judgeTokenFile);
  if (judge !== undefined && judgeToken === null) throw new UsageError("--judge: needs --judge-token-file");
  const own = token ? tokenIn("--token-file", tokenFile) ?? undefined : null;
  return {
    port: http,
    ...host !== undefined && { host },
    ...own !== undefined && { token: own },
    judge: judge === undefined || judgeToken === null ? null : { port: judge, token: judgeToken },
  };
}

/** Null without a file. Throws UsageError. */
function tokenIn(option: string, file: string | undefined): string | null {
  const read = tokenOrFile(undefined, file, option);
  if ("fault" in read) throw new UsageError(`${option}: ${read.fault}`);
  return read.token;
}

/** Says where it is. A token from a file is not printed. */
export function serveOverHttp({ port, host, token, judge }: HttpAccess, { episode, seed, result }: ServedOverHttp) {
  const allowedHosts = ENVIRONMENT.MCP_ALLOWED_HOSTS;
  const server = serveEpisodeHttp(episode, port, {
    ...host !== undefined && { host },
    ...token !== undefined && { token },
    ...allowedHosts !== undefined && { allowedHosts },
  });
  printNote(`mkt: the episode is served at ${server.url}`);
  if (token === undefined) printNote(`mkt: its bearer token is ${server.token}`);
  const solve = () => BASELINES.find(({ name }) => name === "expert")!.play(new Seat(episode.dispatcher, seed));
  const judging = judge && serveJudge({ host: host ?? "127.0.0.1", ...judge, result, solve });
  if (judging !== null) printNote(`mkt: the judge is at ${judging.url}`);
  return {
    ended: new Promise<void>(() => {}),
    stop: async () => {
      await judging?.stop();
      await server.stop();
    },
  };
}
