// The spans of requests to the backend: those over the WebSocket as remote procedure calls, those over HTTP by OpenTelemetry's
// conventions for HTTP clients. Each carries its context to the backend.

import { type TraceFields, traceFields } from "../../common/telemetry/trace-context.ts";
import type { Attributes, Span, Tracer } from "../../common/telemetry/tracer.ts";
import type { RequestOutcome } from "../../protocol/client/pending-requests.ts";
import { type Action, routeOf } from "../../protocol/index.ts";
import { ToolError } from "../error.ts";

/** `url`: address of the backend, which the operator has configured. */
export async function tracedAction<Outcome extends RequestOutcome<unknown>>(
  tracer: Tracer,
  { action, url }: { readonly action: Action; readonly url: string },
  request: (trace: TraceFields) => Promise<Outcome>,
): Promise<Outcome> {
  const span = clientSpan(tracer, action, { "rpc.system": "mkt", "rpc.method": action, ...addressOf(url) });
  return await ended(span, async () => {
    const outcome = await request(traceFields(span.context));
    if (outcome.kind !== "ok") span.fail(codeOf(outcome));
    return outcome;
  });
}

export async function tracedFetch<Answer extends { readonly status: number }>(
  tracer: Tracer,
  { method, path, url }: { readonly method: string; readonly path: string; readonly url: string },
  fetch: (trace: TraceFields) => Promise<Answer>,
): Promise<Answer> {
  const route = routeOf(path);
  const attributes = { "http.request.method": method, ...(route !== null && { "url.template": route }) };
  const name = route === null ? method : `${method} ${route}`;
  const span = clientSpan(tracer, name, { ...attributes, ...addressOf(url) });
  return await ended(span, async () => {
    const answer = await fetch(traceFields(span.context));
    span.set("http.response.status_code", answer.status);
    if (answer.status >= 400) span.fail(String(answer.status));
    return answer;
  });
}

/** An engine that is not mkt's could send any text as its code. */
const PLAIN_CODE = /^[\w.-]{1,64}$/;

function codeOf(outcome: RequestOutcome<unknown>): string {
  return "code" in outcome && PLAIN_CODE.test(outcome.code) ? outcome.code : outcome.kind;
}

function clientSpan(tracer: Tracer, name: string, attributes: Attributes): Span {
  return tracer.start(name, { kind: "client", parent: tracer.active()?.context ?? null, attributes });
}

/** What is thrown here that is no ToolError is the reason why the caller's wait was aborted. */
async function ended<Result>(span: Span, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    span.fail(error instanceof ToolError ? error.code : "given_up");
    throw error;
  } finally {
    span.end();
  }
}

function addressOf(url: string): Attributes {
  const { hostname, port } = new URL(url);
  return { "server.address": hostname, ...(port !== "" && { "server.port": Number(port) }) };
}
