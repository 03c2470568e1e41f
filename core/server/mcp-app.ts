// The HTTP routes of the MCP server: POST /mcp (mcp-endpoint.ts), GET /health, /ready and /metrics, and the routes of packs.
//
// Every route has the same checks, in the order of mcp-endpoint.ts. /health and /ready need no token and no allowed Host.
// Public files of packs and a browser's preflight need no token.

import type { Context } from "hono";
import { getPath } from "hono/utils/url";
import { Deadlines } from "../../common/deadlines.ts";
import { BearerAuthentication } from "../../common/http/bearer-auth.ts";
import { crossOrigin } from "../../common/http/cors.ts";
import { HostCheck } from "../../common/http/host-check.ts";
import { httpApp } from "../../common/http/http-app.ts";
import { RateLimit } from "../../common/http/rate-limit.ts";
import { refused } from "../../common/http/refusal.ts";
import { RequestBodies } from "../../common/http/request-bodies.ts";
import type { TokenStore } from "../../common/http/token-store.ts";
import type { HttpConfiguration } from "../config/configuration.ts";
import { Capacity, shareOf } from "../guardrails/capacity.ts";
import type { Dispatcher } from "../dispatch/dispatcher.ts";
import type { ObserveRequest } from "../dispatch/pack-requests.ts";
import type { Offers } from "../dispatch/offers.ts";
import type { ClientConnection } from "./limits/client-connection.ts";
import { McpEndpoint } from "./mcp-endpoint.ts";
import type { Metrics } from "./metrics.ts";
import { PackRoutes } from "./routes/pack-routes.ts";
import type { PlainPath } from "./plain/plain-path.ts";
import { RequestSlots } from "./limits/request-limit.ts";
import { clientOf, rateLimit, requestLimit, type Routes, senderCheck } from "./routes/route-checks.ts";
import { MAX_STREAMS, RouteStreams } from "./routes/route-streams.ts";
import { BrowserSessions } from "./sessions/browser-sessions.ts";
import { requestStatesOf } from "./sdk/asking/request-states.ts";
import type { SdkAnswer } from "./sdk/sdk-answer.ts";

const MEBIBYTE = 1 << 20;

export interface McpAppOptions {
  readonly configuration: Omit<HttpConfiguration, "host" | "port" | "bearerToken" | "tokenFile">;
  readonly offers: Offers;
  readonly dispatcher: Dispatcher;
  readonly metrics: Metrics;
  readonly tokens: TokenStore;
  /** Null: the SDK answers plain messages, too. */
  readonly plain: PlainPath | null;
  readonly sdk: SdkAnswer;
}

export interface McpApp {
  fetch(request: Request, connection: ClientConnection): Promise<Response>;
}

export function mcpApp(options: McpAppOptions): McpApp {
  const { configuration, dispatcher, offers, metrics, tokens, plain, sdk } = options;
  const { services: { log, server, now, replicas, pubsub, configuration: { packs: { readOnly } } } } = dispatcher;
  const { allowedHosts, allowedOrigins, maxRequests, rateLimit: perSecond } = configuration;
  const settings = { hosts: "MCP_ALLOWED_HOSTS", origins: "MCP_ALLOWED_ORIGINS" };
  const hostCheck = { allowedHosts, allowedOrigins, hostExempt: ["/health", "/ready"], settings };
  const failures = new RateLimit(
    configuration.unauthorizedLimit,
    replicas?.rateCounter("unauthorized", configuration.unauthorizedLimit),
  );
  const authentication = new BearerAuthentication({ tokens, failures, setting: "MCP_BEARER_TOKEN" });
  const sessions = new BrowserSessions({ tokens, authentication, offersControl: !readOnly, now });
  const rate = perSecond === null ? null : new RateLimit(perSecond, replicas?.rateCounter("requests", perSecond));
  // A single client may use the whole capacity.
  const mostForOne = (most: number) => () => tokens.clients > 1 ? shareOf(most) : most;
  const slots = new RequestSlots(maxRequests, mostForOne(maxRequests));
  const bodies = requestBodies(configuration, mostForOne);
  const streams = new RouteStreams({
    mostForOne: mostForOne(MAX_STREAMS),
    ending: offers.ending,
    tokenChanges: () => tokens.changes(),
    now,
    log,
  });
  const answered = (response: Response) => {
    metrics.recordHttp(response.status);
    return response;
  };
  const endpoint = new McpEndpoint({
    answered,
    hosts: new HostCheck(hostCheck),
    authentication,
    rate,
    slots,
    bodies,
    plain,
    sdk,
    log,
  });

  const app = httpApp<Routes>({ ...hostCheck, log });
  app.use(crossOrigin());
  app.get(
    "/health",
    (context) =>
      context.json({ status: "ok", version: server.version, ...(replicas && { redis: replicas.facts().status }) }),
  );
  // For a balancer. Not for restarts, which bring no connection back.
  app.get("/ready", (context) => {
    const isReady = !pubsub.isWanted || pubsub.status === "connected";
    const body = { status: isReady ? "ready" : "not_ready", connection: pubsub.status, version: server.version };
    return context.json(body, isReady ? 200 : 503);
  });
  app.use(senderCheck({ routes: offers.routes, authentication, sessions }));
  if (rate !== null) app.use(rateLimit(rate));
  app.use(requestLimit(slots));
  app.get(
    "/metrics",
    async (context) => context.body(await metrics.text(), 200, { "Content-Type": metrics.contentType }),
  );
  app.all(
    "/mcp",
    (context) => otherMethod(context, "POST", "Only POST is supported, because the server is stateless."),
  );
  const observe: ObserveRequest = (record) => metrics.recordRequest(record);
  const states = requestStatesOf(dispatcher.services);
  const serving = { dispatcher, requests: offers.requests, sessions, states, bodies, streams, observe, log };
  app.all("*", packRoute(new PackRoutes(serving)));
  return {
    fetch: (request, connection) =>
      request.method === "POST" && getPath(request) === "/mcp"
        ? endpoint.answer(request, connection)
        : Promise.resolve(app.fetch(request, connection)).then(answered),
  };
}

function requestBodies(
  { maxBodyBytes: maxBytes, bodyTimeoutMs }: McpAppOptions["configuration"],
  mostForOne: (most: number) => () => number,
): RequestBodies {
  const maxTotalBytes = mostBodyBytes(maxBytes);
  const capacity = new Capacity(maxTotalBytes, () => Math.max(mostForOne(maxTotalBytes)(), maxBytes));
  return new RequestBodies({ maxBytes, deadlines: new Deadlines(bodyTimeoutMs), setting: "MAX_BODY_SIZE", capacity });
}

/** The limit on the bytes of all bodies in memory. One body of MAX_BODY_SIZE always fits. */
export function mostBodyBytes(maxBodyBytes: number): number {
  return Math.max(128 * MEBIBYTE, maxBodyBytes);
}

/** Answers 404 for an unknown path, and 405 with Allow for another method. */
function packRoute(packRoutes: PackRoutes) {
  return async function packRoute(context: Context<Routes>): Promise<Response> {
    const found = context.get("found");
    const request = context.req.raw;
    if (found === null) return await context.notFound();
    if ("allow" in found) {
      return otherMethod(context, found.allow, `${request.method} is not supported here: use ${found.allow}.`);
    }
    return await packRoutes.answer(found, request, {
      connection: context.env,
      sender: context.get("sender"),
      client: clientOf(context),
      freeSlot: () => context.get("slot").free(),
    });
  };
}

/** 405. `allow`: the methods that the path has. */
function otherMethod(context: Context, allow: string, message: string): Response {
  return refused(context, { status: 405, code: "method_not_allowed", message, headers: { Allow: allow } });
}
