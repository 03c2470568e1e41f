// The HTTP side of an engine: which route answers which request, behind the checks that every server of mkt has.

import type { Hono } from "hono";
import type { z } from "zod";
import type { Connection } from "../../../common/http/bearer-auth.ts";
import { httpApp } from "../../../common/http/http-app.ts";
import { hostAccess, type ServerAccess } from "../../../common/http/server-access.ts";
import type { Logger } from "../../../common/logger.ts";
import { type errorResponse, PATHS, SIMULATOR_PATHS } from "../../../protocol/index.ts";
import { ACCESS_SETTINGS } from "./engine-access.ts";

/** Answers HTTP requests. */
export interface RouteHandler {
  fetch(request: Request, connection: Connection): Response | Promise<Response>;
}

export interface EngineAppOptions {
  /** The address that it listens on. */
  readonly host: string;
  readonly access: ServerAccess;
  readonly routes: RouteHandler;
  /** Null while none is mounted. */
  readonly simulator: () => RouteHandler | null;
  readonly log: Logger;
}

export interface EngineBindings extends Connection {
  /** Whether one more connection may be made. */
  readonly admitsAnother: () => boolean;
  /** Makes a WebSocket of the request's connection; false if the request is none for that. */
  readonly upgrade: () => boolean;
}

export type EngineApp = Hono<{ Bindings: EngineBindings }>;

export function engineApp({ host, access, routes, simulator, log }: EngineAppOptions): EngineApp {
  const app = httpApp<{ Bindings: EngineBindings }>({
    ...hostAccess(access, host),
    hostExempt: [PATHS.health],
    settings: ACCESS_SETTINGS,
    log,
  });
  app.all(PATHS.webSocket, (context) => {
    const isUpgrade = context.req.header("Upgrade")?.toLowerCase() === "websocket";
    if (isUpgrade && !context.env.admitsAnother()) {
      const error = { code: "too_many_connections", message: "the engine has as many connections as it takes" };
      return context.json({ error } satisfies z.input<typeof errorResponse>, 503, { "Retry-After": "1" });
    }
    // The runtime passes over the answer to an upgraded request.
    if (isUpgrade && context.env.upgrade()) return new Response(null);
    const error = { code: "upgrade_required", message: `${PATHS.webSocket} speaks WebSocket only` };
    return context.json({ error } satisfies z.input<typeof errorResponse>, 426);
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
