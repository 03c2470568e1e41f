// What a transport knows of a request and its span shows: the trace that it belongs to, and the protocol that brought it.

import { parseTraceContext, type TraceContext } from "../../common/telemetry/trace-context.ts";
import type { Attributes } from "../../common/telemetry/tracer.ts";

export interface RequestOrigin {
  readonly transport: "http" | "stdio";
  /** `_meta` of an MCP request. */
  readonly meta?: Readonly<Record<string, unknown>> | undefined;
  /** Of the HTTP request. */
  readonly headers?: Headers | undefined;
  /** Of the JSON-RPC request. */
  readonly id?: string | number;
}

interface RemoteTrace {
  /** Null: the span begins a trace. */
  readonly parent: TraceContext | null;
  /** The context of the HTTP request, if the MCP request has one of its own. */
  readonly link: TraceContext | null;
}

/** The context in `_meta` belongs to the MCP request, so it comes before that of the HTTP request, which may carry several. */
export function remoteTrace({ meta, headers }: RequestOrigin): RemoteTrace {
  const ofRequest = parseTraceContext(meta?.["traceparent"], meta?.["tracestate"]);
  const ofTransport = headers ? parseTraceContext(headers.get("traceparent"), headers.get("tracestate")) : null;
  return ofRequest === null ? { parent: ofTransport, link: null } : { parent: ofRequest, link: ofTransport };
}

/** Ids that a program has made. Any other text could be a person's. */
const PLAIN_ID = /^[\w-]{1,64}$/;
const REVISION = /^\d{4}-\d\d-\d\d$/;

export function originAttributes({ transport, headers, id }: RequestOrigin): Attributes {
  const revision = headers?.get("MCP-Protocol-Version") ?? "";
  return {
    "network.transport": transport === "http" ? "tcp" : "pipe",
    ...(transport === "http" && { "network.protocol.name": "http" }),
    ...(id !== undefined && PLAIN_ID.test(String(id)) && { "jsonrpc.request.id": String(id) }),
    ...(REVISION.test(revision) && { "mcp.protocol.version": revision }),
  };
}
