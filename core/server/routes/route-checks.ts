// The checks of GET /metrics and of the routes of packs after those of Host and Origin: token, rate, concurrent requests.
// mcp-endpoint.ts has the same ones for POST /mcp.

import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { type BearerAuthentication, bearerToken } from "../../../common/http/bearer-auth.ts";
import type { RateLimit } from "../../../common/http/rate-limit.ts";
import { type HttpRefusal, refused } from "../../../common/http/refusal.ts";
import type { FoundRoute, OtherMethods, RouteCatalogue } from "../../routes/route-catalogue.ts";
import type { BrowserSession } from "../../routes/browser.ts";
import type { BrowserSessions } from "../sessions/browser-sessions.ts";
import { beyond, type ClientConnection, clientName } from "../limits/client-connection.ts";
import { RequestSlot, type RequestSlots } from "../limits/request-limit.ts";

/** Who sent a request, after the check of its token or session. */
export interface Sender {
  /** The name of the token; null without one. */
  readonly caller: string | null;
  /** Whether the sender can be the person who agrees to a question. */
  readonly isPerson: boolean;
  /** What a browser may do; null if nobody has signed in in it. Absent: the sender is no browser with a session. */
  readonly session?: BrowserSession | null;
  /** Whether the token of the request is still valid. */
  readonly isAllowed: () => boolean;
}

export interface Routes {
  Bindings: ClientConnection;
  Variables: {
    readonly sender: Sender;
    /** The route of a pack that the request means. */
    readonly found: FoundRoute | OtherMethods | null;
    readonly slot: RequestSlot;
  };
}

/** For public files. */
const ANYBODY: Sender = { caller: null, isPerson: false, isAllowed: () => true };

interface SenderCheckOptions {
  readonly routes: RouteCatalogue;
  readonly authentication: BearerAuthentication;
  readonly sessions: BrowserSessions;
}

/** Looks up the route of a pack, and asks for a token, or the session of a browser, unless it is a public file. */
export function senderCheck(options: SenderCheckOptions) {
  return createMiddleware<Routes>(async function senderCheck(context, next) {
    const request = context.req.raw;
    const found = options.routes.find(request.method, new URL(request.url).pathname);
    const sender = await senderOf(request, found, context.env, options);
    if ("status" in sender) return refused(context, sender);
    context.set("found", found);
    context.set("sender", sender);
    await next();
  });
}

/**
 * A request with a bearer token is that of a program, whatever cookies it has. Any other Authorization may come from a browser
 * by itself, or from a proxy.
 */
async function senderOf(
  request: Request,
  found: FoundRoute | OtherMethods | null,
  connection: ClientConnection,
  { authentication, sessions }: SenderCheckOptions,
): Promise<Sender | HttpRefusal> {
  const route = found !== null && "route" in found ? found.route : null;
  if (route?.publicFile !== undefined) return ANYBODY;
  if (route?.browser === undefined || bearerToken(request.headers.get("Authorization")) !== null) {
    const holder = authentication.holderOf(request);
    if (holder === null) return await authentication.refusal(connection.address);
    const { name: caller, isPerson } = holder;
    return { caller, isPerson, isAllowed: () => authentication.holderOf(request)?.name === caller };
  }
  const admitted = await sessions.admit(request, connection, { needsSession: route.browser === "session" });
  if ("status" in admitted) return admitted;
  const { session } = admitted;
  const isPerson = session?.access === "control";
  return { caller: session?.caller ?? null, isPerson, session, isAllowed: () => sessions.isStillValid(session) };
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
  return clientName(context.get("sender").caller, context.env);
}
