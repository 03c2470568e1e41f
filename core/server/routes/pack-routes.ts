// The HTTP routes of packs. A handler runs after the checks of a tool (PackRequests); a public file needs none but those of
// every route, and has no line in the call log, because it reaches nothing. mcp-app.ts has checked Host, Origin, token and
// rate, and holds a place of MCP_MAX_REQUESTS until the answer begins.
//
// Invariant: whatever a handler gives or throws, the request ends in one answer, is recorded once, and gives back what it
// held.

import { refusalResponse } from "../../../common/http/refusal.ts";
import type { RequestBodies } from "../../../common/http/request-bodies.ts";
import type { Logger } from "../../../common/logger.ts";
import type { CallScope } from "../../dispatch/call-context.ts";
import type { Dispatcher } from "../../dispatch/dispatcher.ts";
import type { ObserveRequest, PackRequest, PackRequests } from "../../dispatch/pack-requests.ts";
import { ToolError } from "../../error.ts";
import { loggedParameters } from "../../guardrails/logged-parameters.ts";
import type { BrowserSession } from "../../routes/browser.ts";
import type { FoundRoute } from "../../routes/route-catalogue.ts";
import { type HandledRoute, type PublicRoute, type Route, routeName } from "../../routes/route.ts";
import { CALL_IDLE_SECONDS, type ClientConnection, IDLE_SECONDS } from "../limits/client-connection.ts";
import { PublicFiles } from "./public-files.ts";
import { routeBody } from "./route-body.ts";
import { routeContext } from "./route-context.ts";
import { errorResponse } from "./route-errors.ts";
import { allowedHeaders, STREAM_HEADERS } from "./route-headers.ts";
import { ReceivedRequest } from "./route-request.ts";
import type { Sender } from "./route-checks.ts";
import type { RouteStreams } from "./route-streams.ts";
import type { BrowserSessions } from "../sessions/browser-sessions.ts";
import { RequestBrowser } from "../sessions/request-browser.ts";
import type { RequestStates } from "../sdk/asking/request-states.ts";
import { disconnected } from "../sdk/exchange/accepted-type.ts";

/** What a route takes of its request, besides the request itself. */
interface RouteOrigin {
  readonly connection: ClientConnection;
  readonly sender: Sender;
  /** Whose limits apply. */
  readonly client: string;
  /** Gives back the place of MCP_MAX_REQUESTS. */
  readonly freeSlot: () => void;
}

interface PackRoutesOptions {
  readonly dispatcher: Dispatcher;
  readonly requests: PackRequests;
  readonly sessions: BrowserSessions;
  readonly states: RequestStates;
  readonly bodies: RequestBodies;
  readonly streams: RouteStreams;
  /** Records requests for public files. */
  readonly observe: ObserveRequest;
  readonly log: Logger;
}

/** One request on its way through its route. */
interface Exchange {
  readonly request: Request;
  readonly origin: RouteOrigin;
  /** The signal of the handler. */
  readonly stop: AbortController;
}

export class PackRoutes {
  readonly #files = new PublicFiles();

  constructor(private readonly options: PackRoutesOptions) {}

  async answer({ route, parameters }: FoundRoute, request: Request, origin: RouteOrigin): Promise<Response> {
    const { bodies, log } = this.options;
    const stop = new AbortController();
    const held = bodies.read(request, origin.client);
    try {
      const body = await held.body;
      if (body.kind !== "whole") return refusalResponse(bodies.refusal(body.kind));
      if (isPublic(route)) return await this.#file(route, request, origin.connection);
      return await this.#run(route, new ReceivedRequest(request, parameters, body.bytes), { request, origin, stop });
    } catch (error) {
      origin.connection.setIdleTimeout(IDLE_SECONDS);
      if (!(error instanceof ToolError) && request.signal.aborted) return disconnected();
      return errorResponse(error, routeName(route), log);
    } finally {
      held.release();
    }
  }

  /** Throws what the file's own function throws. */
  async #file(route: PublicRoute, request: Request, connection: ClientConnection): Promise<Response> {
    const began = performance.now();
    let outcome = "internal";
    try {
      const file = await this.#files.answer(route.publicFile, request);
      outcome = "ok";
      connection.setIdleTimeout(IDLE_SECONDS);
      return file;
    } finally {
      const who = { caller: null, userId: null, arguments: {} };
      const durationMs = performance.now() - began;
      this.options.observe({ kind: "route", name: routeName(route), ...who, outcome, durationMs });
    }
  }

  /** Throws what a check or the handler throws. */
  async #run(route: HandledRoute, received: ReceivedRequest, exchange: Exchange): Promise<Response> {
    const { request: { signal }, origin, stop } = exchange;
    const { connection, freeSlot, sender: { caller, isPerson } } = origin;
    if (signal.aborted) stop.abort();
    signal.addEventListener("abort", () => stop.abort());
    connection.setIdleTimeout(CALL_IDLE_SECONDS);
    const asked: PackRequest = {
      kind: "route",
      name: routeName(route),
      arguments: loggedParameters(received.parameters),
      readOnlyHint: route.readOnlyHint,
      allowedWhenFrozen: route.allowedWhenFrozen === true,
      ...(route.requires && { requires: route.requires }),
    };
    const browser = route.browser !== undefined ? this.#browserOf(exchange) : null;
    // As of the request: a sign-in in it is for the next ones.
    const access = browser?.session?.access;
    const scope: CallScope = {
      signal: stop.signal,
      // The log also has who signed in.
      get caller() {
        return caller ?? browser?.session?.caller ?? null;
      },
      access,
      freeSlot,
      origin: { transport: "http", headers: exchange.request.headers },
    };
    return await this.options.requests.run(asked, scope, async (context) => {
      const { dispatcher, states } = this.options;
      const calling = { dispatcher, states, scope, browser, isPerson };
      const given = await route.handler(received, routeContext(context, calling));
      const sent = await this.#sent(given, asked.name, exchange);
      if (browser !== null && browser.cookie !== null) sent.headers.append("Set-Cookie", browser.cookie);
      return sent;
    }, outcomeOf);
  }

  #browserOf({ request, origin: { connection, sender: { caller, isPerson, session } } }: Exchange): RequestBrowser {
    const { sessions } = this.options;
    // A program may do what the holder of its token may do in a browser.
    const access = isPerson ? "control" : "view";
    const ofProgram: BrowserSession = { access, caller, requestToken: null, endsAt: null };
    return new RequestBrowser(sessions, request, connection, session === undefined ? ofProgram : session);
  }

  /** The handler's response as it is sent. */
  async #sent(given: Response, name: string, exchange: Exchange): Promise<Response> {
    if (!(given instanceof Response) || given.status < 200) throw new TypeError(`${name} gives no Response`);
    const { request, origin: { connection, client, sender: { session, isAllowed } }, stop } = exchange;
    const { status } = given;
    const headers = allowedHeaders(given.headers);
    const isEvents = headers.get("Content-Type")?.startsWith("text/event-stream") ?? false;
    const body = await routeBody(given);
    if (body.kind === "parts" && request.method !== "HEAD") {
      for (const [header, value] of Object.entries(STREAM_HEADERS)) {
        if (!headers.has(header)) headers.set(header, value);
      }
      const abort = () => stop.abort();
      // A client that does not read the rest must not keep the connection.
      const onEnd = () => connection.setIdleTimeout(IDLE_SECONDS);
      const { signal: gone } = request;
      const endsAt = session?.endsAt ?? null;
      const ends = { gone, isAllowed, endsAt, onEnd };
      const stream = this.options.streams.begin({ name, client, body, isEvents, abort, ...ends });
      return new Response(stream, { status, headers });
    }
    if (body.kind === "parts") {
      stop.abort();
      body.cancel();
    }
    connection.setIdleTimeout(IDLE_SECONDS);
    return new Response(body.kind === "whole" && body.bytes.byteLength > 0 ? body.bytes : null, { status, headers });
  }
}

function isPublic(route: Route): route is PublicRoute {
  return route.publicFile !== undefined;
}

/** For call log and metrics. */
function outcomeOf({ status }: Response): string {
  return status < 400 ? "ok" : `http_${status}`;
}
