// The span of one HTTP request to an engine or a simulator, by OpenTelemetry's conventions for HTTP servers. The WebSocket has
// spans of its own (engine/server/publication/request-trace.ts), and the routes that are asked all the time have none.

import { parseTraceContext } from "../../telemetry/trace-context.ts";
import type { Tracer } from "../../telemetry/tracer.ts";
import { PATHS, routeOf } from "../../../protocol/index.ts";

const UNTRACED: ReadonlySet<string> = new Set([PATHS.webSocket, PATHS.health, "/metrics"]);
/** Others could be anything. */
const METHODS: ReadonlySet<string> = new Set(["GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH"]);

/** What `answer` gives. */
export function tracedRequest(
  tracer: Tracer | null,
  request: Request,
  answer: () => Response | Promise<Response>,
): Response | Promise<Response> {
  if (tracer === null) return answer();
  const { pathname } = new URL(request.url);
  return UNTRACED.has(pathname) ? answer() : traced(tracer, request, pathname, answer);
}

async function traced(
  tracer: Tracer,
  { headers, method: asked }: Request,
  pathname: string,
  answer: () => Response | Promise<Response>,
): Promise<Response> {
  const method = METHODS.has(asked) ? asked : "_OTHER";
  const route = routeOf(pathname);
  const span = tracer.start(route === null ? method : `${method} ${route}`, {
    kind: "server",
    parent: parseTraceContext(headers.get("traceparent"), headers.get("tracestate")),
    attributes: { "http.request.method": method, ...(route !== null && { "http.route": route }) },
  });
  try {
    const response = await answer();
    span.set("http.response.status_code", response.status);
    if (response.status >= 500) span.fail(String(response.status));
    return response;
  } catch (error) {
    span.fail("internal");
    throw error;
  } finally {
    span.end();
  }
}
