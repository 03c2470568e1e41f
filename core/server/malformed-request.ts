// Bodies that are refused before any message is answered: no JSON, a batch that is too large, and requests with invalid params.
//
// The SDK would answer invalid params with an internal error (-32603) and its whole validation output, but they are the
// client's fault (-32602). tools/call is not checked here, because the dispatcher checks its arguments.

import { isSpecType, PROTOCOL_VERSION_META_KEY } from "@modelcontextprotocol/server";

/** In one JSON-RPC batch, which clients of old protocol revisions may send. */
const MAX_MESSAGES = 20;

const VALIDATORS: Readonly<Record<string, (message: unknown) => boolean>> = {
  "initialize": isSpecType.InitializeRequest,
  "ping": isSpecType.PingRequest,
  "completion/complete": isSpecType.CompleteRequest,
  "logging/setLevel": isSpecType.SetLevelRequest,
  "prompts/get": isSpecType.GetPromptRequest,
  "prompts/list": isSpecType.ListPromptsRequest,
  "resources/list": isSpecType.ListResourcesRequest,
  "resources/read": isSpecType.ReadResourceRequest,
  "resources/subscribe": isSpecType.SubscribeRequest,
  "resources/templates/list": isSpecType.ListResourceTemplatesRequest,
  "resources/unsubscribe": isSpecType.UnsubscribeRequest,
  "tools/list": isSpecType.ListToolsRequest,
};

/** Protocol 2026-07-28 has no such methods. The SDK says so, whatever the params are. */
const REMOVED: ReadonlySet<string> = new Set([
  "initialize",
  "ping",
  "logging/setLevel",
  "resources/subscribe",
  "resources/unsubscribe",
]);

/** What is wrong with the parsed body; null if it can be answered. */
export function bodyFault(body: unknown): Response | null {
  if (body === undefined) return rpcError(-32700, "The body is not JSON.");
  if (Array.isArray(body) && body.length > MAX_MESSAGES) {
    return rpcError(-32600, `A batch may hold ${MAX_MESSAGES} messages.`);
  }
  const method = methodWithInvalidParams(body);
  return method === null ? null : rpcError(-32602, `The params are invalid for ${method}.`, idOf(body));
}

/** Null for a batch. */
function idOf(body: unknown): string | number | null {
  const id = typeof body === "object" && body !== null ? Reflect.get(body, "id") : null;
  return typeof id === "string" || typeof id === "number" ? id : null;
}

function rpcError(code: number, message: string, id: string | number | null = null): Response {
  const error = { jsonrpc: "2.0", id, error: { code, message } };
  return Response.json(error, { status: 400, headers: { "Content-Type": "application/json" } });
}

/** The method of the first message with invalid params, in one message or a batch; null if all are valid. */
function methodWithInvalidParams(body: unknown): string | null {
  const messages: readonly unknown[] = Array.isArray(body) ? body : [body];
  for (const message of messages) {
    const method = typeof message === "object" && message !== null ? Reflect.get(message, "method") : undefined;
    if (typeof method !== "string" || !Object.hasOwn(VALIDATORS, method)) continue;
    if (!VALIDATORS[method]?.(message) && !(REMOVED.has(method) && namesItsVersion(message as object))) return method;
  }
  return null;
}

/** Whether the message says for which version of the protocol it is, as only those of 2026-07-28 and later do. */
function namesItsVersion(message: object): boolean {
  const meta: unknown = (Reflect.get(message, "params") as { _meta?: unknown } | null | undefined)?._meta;
  return typeof meta === "object" && meta !== null && PROTOCOL_VERSION_META_KEY in meta;
}
