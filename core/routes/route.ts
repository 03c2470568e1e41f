// A route of a pack over HTTP, such as a web page. It has the checks of every route (Host, Origin, token, rate), and those of
// a tool: connection, permissions, read-only mode, kill switch, call log.

import type { ToolContext } from "../tools/context.ts";
import type { Requirements } from "../tools/tool.ts";

/** What the route's handler gets of the request. */
export interface RouteRequest {
  readonly url: URL;
  readonly headers: Headers;
  /** The values of `:name` in the path, decoded. */
  readonly parameters: Readonly<Record<string, string>>;
  /** The body, at most MAX_BODY_SIZE bytes; "" without one. */
  readonly body: string;
}

export interface Route {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** Absolute; `:name` stands for one segment, and `*` at the end for the rest. */
  readonly path: string;
  readonly description: string;
  readonly requires?: Requirements;
  /** Changes nothing in the market or the server. Only such routes are served in read-only mode and while frozen. */
  readonly readOnlyHint: boolean;
  /** A body of the response that is a stream is sent as it comes; `context.signal` aborts when the client is gone. */
  readonly handler: (request: RouteRequest, context: ToolContext) => Response | Promise<Response>;
}

export function defineRoute(route: Route): Route {
  return route;
}
