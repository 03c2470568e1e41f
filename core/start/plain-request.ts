// Recognises the messages that can be answered before the SDK is loaded: initialize, ping, tools/list and server/discover in
// the forms that clients send, and the notification that goes with them. Any other message waits for the SDK.

import { isObject } from "../../protocol/json.ts";
import {
  arePlainCapabilities,
  type Era,
  hasOnly,
  type Id,
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

function plainInitialize(id: Id, params: Json): PlainRequest | null {
  if (!hasOnly(params, ["protocolVersion", "capabilities", "clientInfo"])) return null;
  const { protocolVersion, capabilities, clientInfo } = params;
  if (typeof protocolVersion !== "string" || !isPlainClient(clientInfo) || !arePlainCapabilities(capabilities)) {
    return null;
  }
  return { method: "initialize", id, protocolVersion };
}
