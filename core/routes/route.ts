// A route of a pack over HTTP, such as a web page or its data. core/server/routes/pack-routes.ts serves it.
//
// A handled route has the checks of every route (Host, Origin, token, rate), and those of a tool: connection, permissions,
// read-only mode, kill switch, call log. A browser sends no token when it loads a page, so a page and its scripts are public
// files: texts that are the same for everybody. They can't reach the market, because they have no handler.

import type { Browser } from "./browser.ts";
import type { ToolContext } from "../tools/context.ts";
import type { Requirements } from "../tools/tool.ts";

export const ROUTE_METHODS = ["GET", "POST", "PUT", "DELETE"] as const;

export type RouteMethod = (typeof ROUTE_METHODS)[number];

/** What the handler of a route gets besides its request. */
export interface RouteContext extends ToolContext {
  /**
   * Calls an offered tool with the checks, the log and the metrics of a call over MCP. `agreed`: the `state` of the question
   * that a person has agreed to; the sender's token must be a person's. Throws ToolError `not_found` if no such tool is
   * offered.
   */
  readonly callTool: (name: string, rawArguments: unknown, agreed?: string) => Promise<CalledTool>;
  /** Only of use to a route with `browser`. */
  readonly browser: Browser;
}

/** What a tool call of a route ended in. */
export type CalledTool =
  | { readonly kind: "result"; readonly isError: boolean; readonly result: Readonly<Record<string, unknown>> }
  /** Nothing was done: a person must agree to these words first. */
  | { readonly kind: "question"; readonly question: string; readonly state: string };

/** What the handler of a route gets of the request. */
export interface RouteRequest {
  readonly url: URL;
  /** Without Authorization, Cookie and X-Mkt-Request. */
  readonly headers: Headers;
  /**
   * The values of `:name` in the path, decoded, so they may contain any character; and the text that `*` stands for, which
   * never leaves its folder.
   */
  readonly parameters: Readonly<Record<string, string>>;
  /** The body, at most MAX_BODY_SIZE bytes; empty without one. */
  bytes(): Uint8Array;
  /** The body as text. Throws ToolError `invalid_input` if it is not UTF-8. */
  text(): string;
  /** The body as JSON. Throws ToolError `invalid_input` if it is no JSON, or nested deeper than 32 levels. */
  json(): unknown;
}

interface RouteBase {
  /** Absolute; `:name` stands for one segment, and `*` at the end for the rest. */
  readonly path: string;
  readonly description: string;
}

export interface HandledRoute extends RouteBase {
  readonly method: RouteMethod;
  readonly requires?: Requirements;
  /**
   * Changes nothing in the market or the server. Only such routes are served in read-only mode and while frozen. Must be true
   * for GET, since a link on any web page can make a browser send a GET request.
   */
  readonly readOnlyHint: boolean;
  /** Only for built-in packs: the kill switch does not apply. */
  readonly allowedWhenFrozen?: true;
  /**
   * Makes the route one for the pages of built-in packs: besides a token it accepts the session of a browser, by its cookie. A
   * session that only views, and an agent's token, are refused if `readOnlyHint` is false. `sign-in`: without a session, too.
   */
  readonly browser?: "session" | "sign-in";
  /**
   * Throws ToolError as a tool's handler does. An answer whose body is a stream is sent as it comes; its source should wait
   * until it is read from (`pull`). Until the end of the stream, `context.signal` aborts when the client is gone or too slow,
   * when its token is no longer valid, and when the process shuts down.
   */
  readonly handler: (request: RouteRequest, context: RouteContext) => Response | Promise<Response>;
  readonly publicFile?: never;
}

/** A file that is served without a token, and without a line in the call log. */
export interface PublicRoute extends RouteBase {
  readonly method: "GET";
  readonly publicFile: PublicFile;
}

export interface PublicFile {
  /** Made at the first request if it is a function. Sent compressed if that makes it shorter, and with an ETag. */
  readonly content: string | Uint8Array | (() => string | Uint8Array | Promise<string | Uint8Array>);
  /** Such as `text/html; charset=utf-8`. */
  readonly contentType: string;
  /** `no-store` if absent. */
  readonly cacheControl?: string;
  /** The scripts and styles of the page. If absent, only files of this server: `default-src 'self'`. */
  readonly contentSecurityPolicy?: string;
}

export type Route = HandledRoute | PublicRoute;

export function defineRoute(route: Route): Route {
  return route;
}

/** What log and metrics call the route. */
export function routeName({ method, path }: Route): string {
  return `${method} ${path}`;
}
