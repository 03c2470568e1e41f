// Recognises the messages that can be answered before the SDK is loaded: initialize, ping, tools/list, server/discover and
// tools/call, in the forms that clients send, and notifications that go with them. Any other message waits for the SDK.

import {
  arePlainCapabilities,
  type Era,
  hasOnly,
  hasOnlyNotes,
  type Id,
  isId,
  isObject,
  isPlainClient,
  isPlainEnvelope,
  type Json,
  requestParts,
} from "../messages/plain-forms.ts";

export type PlainRequest =
  | { readonly method: "initialize"; readonly id: Id; readonly protocolVersion: string }
  | { readonly method: "ping"; readonly id: Id; readonly era: "legacy" }
  | { readonly method: "tools/list"; readonly id: Id; readonly era: Era }
  | { readonly method: "server/discover"; readonly id: Id; readonly era: "modern" };

export interface PlainCall {
  readonly id: Id;
  readonly era: Era;
  readonly name: string;
  readonly arguments: Json | undefined;
}

/** Null if the message is not plain. `message` is parsed JSON. */
export function plainRequest(message: unknown): PlainRequest | null {
  const parts = requestParts(message);
  if (parts === null) return null;
  const { id, method, params } = parts;
  if (method === "initialize") return plainInitialize(id, params);
  if (!hasOnly(params, ["_meta"])) return null;
  const meta = params["_meta"];
  if (meta === undefined) return method === "ping" || method === "tools/list" ? { method, id, era: "legacy" } : null;
  if (!isObject(meta) || !isPlainEnvelope(meta)) return null;
  return method === "server/discover" || method === "tools/list" ? { method, id, era: "modern" } : null;
}

/** Whether the message is notifications/initialized, which needs no answer. */
export function isPlainInitialized(message: unknown): boolean {
  if (!isObject(message) || !hasOnly(message, ["jsonrpc", "method", "params"])) return false;
  const { jsonrpc, method, params = {} } = message;
  return jsonrpc === "2.0" && method === "notifications/initialized" && isObject(params) && hasOnly(params, []);
}

/** Null if the message is no plain call. */
export function plainCall(message: unknown): PlainCall | null {
  const parts = requestParts(message);
  if (parts === null || parts.method !== "tools/call" || !hasOnly(parts.params, ["name", "arguments", "_meta"])) {
    return null;
  }
  const { name, arguments: given, _meta: meta = {} } = parts.params;
  if (typeof name !== "string" || !isObject(meta) || (given !== undefined && !isObject(given))) return null;
  const call = { id: parts.id, name, arguments: given };
  if (isPlainEnvelope(meta)) return { ...call, era: "modern" };
  return hasOnlyNotes(meta) ? { ...call, era: "legacy" } : null;
}

/** The id of the request that the message cancels; null if it is no notifications/cancelled. */
export function cancelledRequest(message: unknown): Id | null {
  if (!isObject(message) || message["method"] !== "notifications/cancelled" || "id" in message) return null;
  const id = isObject(message["params"]) ? message["params"]["requestId"] : null;
  return isId(id) ? id : null;
}

function plainInitialize(id: Id, params: Json): PlainRequest | null {
  if (!hasOnly(params, ["protocolVersion", "capabilities", "clientInfo"])) return null;
  const { protocolVersion, capabilities, clientInfo } = params;
  if (typeof protocolVersion !== "string" || !isPlainClient(clientInfo) || !arePlainCapabilities(capabilities)) {
    return null;
  }
  return { method: "initialize", id, protocolVersion };
}
