// The spans of what MCP clients and browsers ask for, by OpenTelemetry's semantic conventions for MCP and HTTP servers.
//
// A span has names that packs have declared, and outcomes. It has no argument, no result, no URI with an id in it and no user.

import type { Span, SpanStart, Tracer } from "../../common/telemetry/tracer.ts";
import type { RequestKind } from "../guardrails/call-log.ts";
import { originAttributes, remoteTrace, type RequestOrigin } from "./request-origin.ts";

/** Kinds that have no span: a subscription is no call, and may last for days. */
type TracedKind = Exclude<RequestKind, "subscription">;

const METHODS: Readonly<Record<Exclude<TracedKind, "route">, string>> = {
  resource: "resources/read",
  prompt: "prompts/get",
  completion: "completion/complete",
};

/** The span of a tool call. `name`: null if no such tool is offered. */
export function toolSpan(tracer: Tracer, name: string | null, origin: RequestOrigin | undefined): Span {
  return tracer.start(name === null ? "tools/call" : `tools/call ${name}`, {
    ...startOf(tracer, origin),
    attributes: {
      "mcp.method.name": "tools/call",
      "gen_ai.operation.name": "execute_tool",
      ...(name !== null && { "gen_ai.tool.name": name }),
      ...(origin && originAttributes(origin)),
    },
  });
}

/** The span of another request, whose name is as RequestRecord has it; null if this kind has none. */
export function requestSpan(
  tracer: Tracer,
  { kind, name }: { readonly kind: RequestKind; readonly name: string },
  origin: RequestOrigin | undefined,
): Span | null {
  if (kind === "subscription") return null;
  const start = startOf(tracer, origin);
  if (kind === "route") {
    const [method = "", route = ""] = name.split(" ");
    return tracer.start(name, { ...start, attributes: { "http.request.method": method, "http.route": route } });
  }
  const method = METHODS[kind];
  const attributes = {
    "mcp.method.name": method,
    ...(kind === "prompt" && { "gen_ai.prompt.name": name }),
    ...(kind === "resource" && { "mcp.resource.uri": name }),
    ...(origin && originAttributes(origin)),
  };
  // The names of resources are templates, which are few.
  return tracer.start(kind === "completion" ? method : `${method} ${name}`, { ...start, attributes });
}

/** Ends the span of a tool call. `outcome` as CallRecord has it. */
export function endToolSpan(span: Span, outcome: string, { hasFailed }: { readonly hasFailed: boolean }): void {
  span.set("mkt.outcome", outcome);
  // A question to the person is an answer with an error only for clients that can't ask.
  if (hasFailed && outcome !== "asked") span.fail(outcome, "tool_error");
  span.end();
}

/** Ends the span of another request. `outcome` as RequestRecord has it. */
export function endRequestSpan(span: Span, outcome: string): void {
  span.set("mkt.outcome", outcome);
  if (outcome !== "ok" && outcome !== "asked") span.fail(outcome);
  span.end();
}

/** A request that is part of another one belongs to its span. */
function startOf(tracer: Tracer, origin: RequestOrigin | undefined): Omit<SpanStart, "attributes"> {
  const active = tracer.active();
  if (active !== null) return { kind: "internal", parent: active.context };
  return { kind: "server", ...(origin === undefined ? { parent: null } : remoteTrace(origin)) };
}
