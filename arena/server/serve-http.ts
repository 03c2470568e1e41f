// Serves an episode over HTTP, at /mcp, to whoever has its token.

import { randomBytes } from "node:crypto";
import { logger } from "../../common/logger.ts";
import { TokenStore } from "../../common/http/token-store.ts";
import { readConfiguration } from "../../core/config/environment.ts";
import { serveHttp } from "../../core/server/http.ts";
import { Metrics } from "../../core/server/metrics.ts";
import { mcpServerFactory } from "../../core/server/sdk/mcp-server.ts";
import type { Episode } from "./open-episode.ts";

interface ServedEpisode {
  /** Of its MCP endpoint. */
  readonly url: string;
  /** Null: none is asked for. */
  readonly token: string | null;
  stop(): Promise<void>;
}

const TOKEN_BYTES = 24;
const VARIABLES = { token: "MCP_BEARER_TOKEN", file: "MCP_BEARER_TOKEN_FILE" };

interface ServeOptions {
  /** Default: loopback. */
  readonly host?: string;
  /** Default: one that nobody can guess; null: none is asked for. */
  readonly token?: string | null;
  /** The names by which clients reach it, with commas; default: those of loopback. */
  readonly allowedHosts?: string;
}

/** `port`: 0 chooses a free one. Throws a one-line error if it can't listen. */
export function serveEpisodeHttp(
  { dispatcher, offers }: Pick<Episode, "dispatcher" | "offers">,
  port: number,
  { host, token = randomBytes(TOKEN_BYTES).toString("hex"), allowedHosts }: ServeOptions = {},
): ServedEpisode {
  const read = readConfiguration({
    MKT_HOST: "arena.invalid",
    MKT_USER_ID: dispatcher.services.configuration.backend.userId,
    MCP_HTTP_PORT: String(port),
    ...host !== undefined && { MCP_HTTP_HOST: host },
    ...allowedHosts !== undefined && { MCP_ALLOWED_HOSTS: allowedHosts },
    ...token === null ? { MCP_ALLOW_UNAUTHENTICATED: "1" } : { MCP_BEARER_TOKEN: token },
  });
  if (!read.ok) throw new Error(read.faults.map(({ variable, message }) => `${variable}: ${message}`).join("; "));
  if (read.configuration.http === null) throw new Error("the configuration of the endpoint is wrong");
  const server = serveHttp({
    configuration: read.configuration.http,
    dispatcher,
    offers,
    factory: mcpServerFactory(dispatcher, offers),
    metrics: new Metrics(),
    tokens: new TokenStore({ token, file: null, variables: VARIABLES, log: logger("tokens") }),
  });
  return { url: `${server.url}/mcp`, token, stop: () => server.stop() };
}
