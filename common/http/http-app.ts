// The base of every HTTP server of mkt: security headers, the checks of Host and Origin, and JSON answers for unknown routes
// and internal errors.

import { type Env, Hono } from "hono";
import { HTTPException } from "hono/http-exception";
import type { Logger } from "../logger.ts";
import { hostCheck, type HostCheckOptions } from "./host-check.ts";
import { internalError } from "./listen.ts";
import { securityHeaders } from "./security-headers.ts";

interface HttpAppOptions extends HostCheckOptions {
  readonly log: Logger;
}

export function httpApp<Routes extends Env>(options: HttpAppOptions): Hono<Routes> {
  const app = new Hono<Routes>();
  app.use(securityHeaders());
  app.use(hostCheck(options));
  return withJsonErrors(app, options.log);
}

/** Answers in JSON for unknown routes and internal errors; an HTTPException gives its own answer. */
export function withJsonErrors<Routes extends Env>(app: Hono<Routes>, log: Logger): Hono<Routes> {
  app.notFound((context) => context.json({ error: { code: "not_found", message: "There is no such route." } }, 404));
  app.onError((error, context) => {
    if (error instanceof HTTPException) return error.getResponse();
    log.error("{method} {path} failed: {error}", {
      method: context.req.method,
      path: context.req.path,
      error: error.stack ?? error.message,
    });
    return internalError();
  });
  return app;
}
