// Serves episodes by OpenEnv (github.com/huggingface/OpenEnv), the interface by which trainers drive environments: over HTTP
// and WebSocket they reset, step and get rewards, and an agent calls its tools by MCP.

import { listen } from "../../common/http/listen.ts";
import { logger } from "../../common/logger.ts";
import { MINUTE_MS } from "../../protocol/time-units.ts";
import type { Scenario } from "../scenario/scenario.ts";
import { Environments } from "./environments.ts";
import { httpRoutes } from "./http-routes.ts";
import { HttpSessions } from "./http-sessions.ts";
import type { Mode } from "./openapi.ts";
import type { RewardKind } from "./rewards.ts";
import { Rpc } from "./rpc.ts";
import { newSocket, openEnvSockets, type SocketData } from "./sockets.ts";

interface OpenEnvOptions {
  readonly scenarios: readonly Scenario[];
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  /** The most sessions and episodes at a time. */
  readonly maxSessions: number;
  readonly mode: Mode;
  readonly rewards: RewardKind;
  /** Of mkt. */
  readonly version: string;
  /** Default: one for each processor. */
  readonly threads?: number;
}

export interface OpenEnvServer {
  readonly url: string;
  stop(): Promise<void>;
}

const LOOK_MS = MINUTE_MS;

/** Resolves when episodes can begin. Throws a one-line error if it can't listen. */
export async function serveOpenEnv(options: OpenEnvOptions): Promise<OpenEnvServer> {
  const { scenarios, host, port, maxSessions, mode, rewards, version, threads } = options;
  const log = logger("openenv");
  const environments = new Environments({ scenarios, rewards, version, most: maxSessions, threads });
  const sessions = new HttpSessions(environments);
  const rpc = new Rpc(environments, sessions);
  const routes = httpRoutes({ environments, sessions, rpc, mode, version, host, log });
  const sockets = openEnvSockets({ environments, rpc, mode });
  try {
    await environments.ready();
    const { server, address } = listen<SocketData>({
      host,
      port,
      log,
      websocket: sockets.handler,
      fetch: async (request, server) => {
        const { pathname } = new URL(request.url);
        const isSocket = request.headers.get("Upgrade")?.toLowerCase() === "websocket";
        if (!isSocket || (pathname !== "/ws" && pathname !== "/mcp")) {
          // A step may begin a market, or settle one.
          server.timeout(request, 0);
          return await routes.fetch(request);
        }
        // The same checks as for other requests: they refuse a page in a browser.
        const checked = await routes.fetch(new Request(new URL("/health", request.url), { headers: request.headers }));
        if (!checked.ok) return checked;
        const data = newSocket(pathname === "/ws" ? "ws" : "mcp");
        return server.upgrade(request, { data })
          ? new Response(null)
          : Response.json({ detail: "Not a WebSocket" }, { status: 400 });
      },
    });
    const look = setInterval(() => sessions.closeIdle(), LOOK_MS);
    return {
      url: `http://${address}`,
      stop: async () => {
        clearInterval(look);
        environments.stop();
        await sockets.answered();
        await server.stop(true);
      },
    };
  } catch (error) {
    environments.stop();
    throw error;
  }
}
