// Reads the body of a request. Three limits apply: for one body (common/http/read-body.ts), for the bodies of one client,
// and for all bodies together.

import type { Context, Env, MiddlewareHandler } from "hono";
import { type BodyLimits, bodyRefusal, readBody } from "../../common/http/read-body.ts";
import { Capacity } from "../guardrails/capacity.ts";

interface RequestBodyOptions<Routes extends Env> extends BodyLimits {
  /** For all bodies that are being read or processed. */
  readonly maxTotalBytes: number;
  /** For the bodies of one client. */
  readonly maxClientBytes: () => number;
  readonly clientOf: (context: Context<Routes>) => string;
}

export interface WithBody {
  readonly bodyText: string;
}

/** Sets `bodyText`. Refuses a body above a limit, and closes its connection. */
export function requestBody<Routes extends { Variables: WithBody }>(
  options: RequestBodyOptions<Routes>,
): MiddlewareHandler<Routes> {
  const capacity = new Capacity(options.maxTotalBytes, options.maxClientBytes);
  return async function requestBody(context, next) {
    const client = options.clientOf(context);
    let held = 0;
    const hold = (bytes: number) => {
      if (capacity.take(client, bytes) !== "taken") return false;
      held += bytes;
      return true;
    };
    try {
      const body = await readBody(context.req.raw, options, hold);
      if (body.kind !== "whole") {
        const { status, code, message } = bodyRefusal(body.kind, options);
        context.header("Connection", "close");
        if (status === 503) context.header("Retry-After", "1");
        return context.json({ error: { code, message } }, status);
      }
      context.set("bodyText", body.text);
      await next();
    } finally {
      capacity.release(client, held);
    }
  };
}
