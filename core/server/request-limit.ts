// MCP_MAX_REQUESTS: requests that are under way at once, from any client, while their bodies are read and their answers
// begun. More are turned away at once, so that those under way are served.

import type { MiddlewareHandler } from "hono";

export interface RequestLimitOptions {
  readonly most: number;
}

/** Answers 503 with Retry-After above the limit. */
export function requestLimit({ most }: RequestLimitOptions): MiddlewareHandler {
  let underWay = 0;
  return async function requestLimit(context, next) {
    if (underWay >= most) {
      context.header("Retry-After", "1");
      const message = `More than ${most} requests are under way: try again.`;
      return context.json({ error: { code: "busy", message } }, 503);
    }
    underWay++;
    try {
      await next();
    } finally {
      underWay--;
    }
  };
}
