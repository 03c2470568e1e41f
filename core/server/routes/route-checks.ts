// The checks of GET /metrics and of the routes of packs after those of Host and Origin: token, rate, concurrent requests.
// mcp-endpoint.ts has the same ones for POST /mcp.

import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import type { BearerAuthentication, Caller } from "../../../common/http/bearer-auth.ts";
import type { RateLimit } from "../../../common/http/rate-limit.ts";
import { refused } from "../../../common/http/refusal.ts";
import type { TokenHolder } from "../../../common/http/token-store.ts";
import type { FoundRoute, OtherMethods, RouteCatalogue } from "../../routes/route-catalogue.ts";
import { beyond, type ClientConnection, clientName } from "../limits/client-connection.ts";
import { RequestSlot, type RequestSlots } from "../limits/request-limit.ts";

export interface Routes {
  Bindings: ClientConnection;
  Variables: Caller & {
    /** The route of a pack that the request means. */
    readonly found: FoundRoute | OtherMethods | null;
    readonly slot: RequestSlot;
  };
}

/** The holder of no token, for public files. */
const NOBODY: TokenHolder = { name: null, userIds: null };

/** Looks up the route of a pack, and asks for a token unless it is a public file. */
export function tokenUnlessPublic(routes: RouteCatalogue, authentication: BearerAuthentication) {
  return createMiddleware<Routes>(async function tokenUnlessPublic(context, next) {
    const request = context.req.raw;
    const found = routes.find(request.method, new URL(request.url).pathname);
    const isPublic = found !== null && "route" in found && found.route.publicFile !== undefined;
    const holder = isPublic ? NOBODY : authentication.holderOf(request);
    if (holder === null) return refused(context, await authentication.refusal(context.env.address));
    context.set("found", found);
    context.set("holder", holder);
    await next();
  });
}

/** Answers 429 with Retry-After above MCP_RATE_LIMIT. */
export function rateLimit(rate: RateLimit) {
  return createMiddleware<Routes>(async function rateLimit(context, next) {
    return await rate.admits(clientOf(context)) ? await next() : refused(context, beyond(rate));
  });
}

/** Takes a place of MCP_MAX_REQUESTS. It is given back once the answer begins, or before by the route itself. */
export function requestLimit(slots: RequestSlots) {
  return createMiddleware<Routes>(async function requestLimit(context, next) {
    const slot = slots.take(clientOf(context));
    if (!(slot instanceof RequestSlot)) return refused(context, slot);
    context.set("slot", slot);
    try {
      await next();
    } finally {
      slot.free();
    }
  });
}

export function clientOf(context: Context<Routes>): string {
  return clientName(context.get("holder").name, context.env);
}
