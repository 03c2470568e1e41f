// The HTTP routes of packs: hono finds the route, and PackRequests runs its handler after the checks of a tool. A ToolError is
// answered as JSON, with a status of its own; any other error reaches the server's log and not the client.

import type { Context } from "hono";
import { safeJson } from "../../common/safe-json.ts";
import type { Offers } from "../dispatch/offers.ts";
import { type ErrorCode, ToolError } from "../error.ts";
import type { Route } from "../routes/route.ts";

/** What a route takes of its request, besides the request itself. */
export interface RouteOrigin {
  readonly caller: string | null;
  /** Reads the whole body. */
  readonly body: () => Promise<string>;
  readonly freeSlot: () => void;
}

const STATUSES: Partial<Record<ErrorCode, number>> = {
  not_connected: 503,
  forbidden: 403,
  not_found: 404,
  invalid_input: 400,
  invalid_filter: 400,
  backend_unavailable: 502,
  backend_error: 502,
  timeout: 504,
  read_only: 403,
  limit_exceeded: 422,
  rejected: 422,
  rate_limited: 429,
  frozen: 403,
  shutting_down: 503,
  not_configured: 501,
};

/** Answers a request to the route. */
export async function answerRoute(
  route: Route,
  context: Context,
  { requests }: Pick<Offers, "requests">,
  { caller, body, freeSlot }: RouteOrigin,
): Promise<Response> {
  const { method, path, requires, readOnlyHint } = route;
  const request = { kind: "route", name: `${method} ${path}`, readOnlyHint, ...(requires && { requires }) } as const;
  const { signal } = context.req.raw;
  const scope = { signal, caller, freeSlot };
  try {
    return await requests.run(request, scope, async (call) => {
      const given = {
        url: new URL(context.req.url),
        headers: context.req.raw.headers,
        parameters: context.req.param() as Record<string, string>,
        body: await body(),
      };
      return await route.handler(given, call);
    });
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    const status = STATUSES[error.code] ?? 500;
    return new Response(safeJson({ error: error.report() }).text, {
      status,
      headers: { "Content-Type": "application/json" },
    });
  }
}
