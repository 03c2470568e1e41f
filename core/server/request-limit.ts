// MCP_MAX_REQUESTS: the limit on concurrent requests, from reading the body until the answer begins, or until a call in it
// waits for an event. Further requests are refused at once.

import type { Context, Env, MiddlewareHandler } from "hono";
import { Capacity } from "../guardrails/capacity.ts";

interface RequestLimitOptions<Routes extends Env> {
  readonly most: number;
  /** The limit for one client. */
  readonly mostForOne: () => number;
  readonly clientOf: (context: Context<Routes>) => string;
}

const slotOf = new WeakMap<Request, () => void>();

/** Ends the count of a request before its answer, because it only waits. */
export function freeSlotOf(request: Request): void {
  slotOf.get(request)?.();
}

/** Answers 503 with Retry-After above the limit, and above the limit of one client. */
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
        ? `More than ${most} requests are running: try again.`
        : `More than ${mostForOne()} requests with your token are running: try again.`;
      return context.json({ error: { code: "busy", message } }, 503);
    }
    let isHeld = true;
    const free = () => {
      if (isHeld) slots.release(client, 1);
      isHeld = false;
    };
    slotOf.set(context.req.raw, free);
    try {
      await next();
    } finally {
      free();
    }
  };
}
