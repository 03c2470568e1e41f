// MCP_MAX_REQUESTS: requests that are under way at once, while their bodies are read and their answers begun. More are
// turned away at once, so that those under way are served.

import type { Context, Env, MiddlewareHandler } from "hono";
import { Capacity } from "./capacity.ts";

export interface RequestLimitOptions<Routes extends Env> {
  readonly most: number;
  /** The most of one client. */
  readonly mostForOne: () => number;
  readonly clientOf: (context: Context<Routes>) => string;
}

/** Answers 503 with Retry-After above the limit, and above one client's share of it. */
export function requestLimit<Routes extends Env>(
  { most, mostForOne, clientOf }: RequestLimitOptions<Routes>,
): MiddlewareHandler<Routes> {
  const slots = new Capacity(most, mostForOne);
  return async function requestLimit(context, next) {
    const client = clientOf(context);
    const taken = slots.take(client, 1);
    if (taken !== "taken") {
      context.header("Retry-After", "1");
      const message = taken === "full"
        ? `More than ${most} requests are under way: try again.`
        : `More than ${mostForOne()} requests with your token are under way: try again.`;
      return context.json({ error: { code: "busy", message } }, 503);
    }
    try {
      await next();
    } finally {
      slots.release(client, 1);
    }
  };
}
