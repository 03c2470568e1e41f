// The HTTP app of an engine: routes each request, after the checks that every server of mkt makes.

import type { Hono } from "hono";
import type { Connection } from "../../../common/http/bearer-auth.ts";
import { httpApp } from "../../../common/http/http-app.ts";
import { hostAccess, type ServerAccess } from "../../../common/http/server-access.ts";
import type { Logger } from "../../../common/logger.ts";
import type { RouteHandler } from "../../embedded/simulator-host.ts";
import { PATHS, SIMULATOR_PATHS } from "../../../protocol/index.ts";
import { ACCESS_SETTINGS } from "../../../common/http/guards/engine-access.ts";
import { Refusal } from "../../../common/http/guards/route-refusal.ts";

interface EngineAppOptions {
  /** The address that the server listens on. */
  readonly hostname: string;
  readonly access: ServerAccess;
  readonly routes: RouteHandler;
  /** Null: no simulator is mounted. */
  readonly simulator: () => RouteHandler | null;
  readonly log: Logger;
}

interface EngineBindings extends Connection {
  /** How long the connection may be silent while it gets its answer. */
  readonly setIdleTimeout: (seconds: number) => void;
  /** Whether one more WebSocket may be opened. */
  readonly admitsAnother: () => boolean;
  /** Makes a WebSocket of the request's connection. False: the request does not allow it. */
  readonly upgrade: () => boolean;
}

type EngineApp = Hono<{ Bindings: EngineBindings }>;

export function engineApp({ hostname, access, routes, simulator, log }: EngineAppOptions): EngineApp {
  const app = httpApp<{ Bindings: EngineBindings }>({
    ...hostAccess(access, hostname),
    hostExempt: [PATHS.health],
    settings: ACCESS_SETTINGS,
    log,
  });
  app.all(PATHS.webSocket, (context) => {
    const isUpgrade = context.req.header("Upgrade")?.toLowerCase() === "websocket";
    if (isUpgrade && !context.env.admitsAnother()) {
      const message = "the engine has as many connections as it accepts";
      throw new Refusal(503, "too_many_connections", message, { "Retry-After": "1" });
    }
    // The runtime ignores the answer to an upgraded request.
    if (isUpgrade && context.env.upgrade()) return new Response(null);
    throw new Refusal(426, "upgrade_required", `${PATHS.webSocket} speaks WebSocket only`);
  });
  app.all("*", (context) => {
    const handler = isSimulatorPath(context.req.path) ? simulator() ?? routes : routes;
    return handler.fetch(context.req.raw, context.env);
  });
  return app;
}

function isSimulatorPath(path: string): boolean {
  return Object.values<string>(SIMULATOR_PATHS).includes(path);
}
