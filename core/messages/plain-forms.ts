// The parts of a plain message: a JSON-RPC request in a form that clients send, which mkt answers without the SDK, before the
// SDK is loaded (core/start/) and past it (core/server/plain/).
//
// Invariant: the SDK accepts every part that is plain. What is not surely plain is not plain, a broken part too, and is left
// to the SDK. A form that is missing here only costs time. Loads no library.

import { isObject } from "../../protocol/json.ts";

/** Protocol 2026-07-28, or an earlier one. */
export type Era = "modern" | "legacy";
export type Id = string | number;
export type Json = Readonly<Record<string, unknown>>;

export const MODERN_VERSION = "2026-07-28";
/** Keys of `_meta` with this prefix mean something to the SDK. */
const RESERVED_PREFIX = "io.modelcontextprotocol/";
const VERSION_KEY = `${RESERVED_PREFIX}protocolVersion`;
const CLIENT_KEY = `${RESERVED_PREFIX}clientInfo`;
const CAPABILITIES_KEY = `${RESERVED_PREFIX}clientCapabilities`;

const MESSAGE_MEMBERS = ["jsonrpc", "id", "method", "params"];
const CLIENT_MEMBERS = ["name", "version", "title", "websiteUrl", "description"];
/** Real capabilities are flat. */
const MAX_DEPTH = 8;

/** Id, method and params of a request; null if it is not plain. `message` is parsed JSON. */
export function requestParts(
  message: unknown,
): { readonly id: Id; readonly method: unknown; readonly params: Json } | null {
  if (!isObject(message) || !hasOnly(message, MESSAGE_MEMBERS) || message["jsonrpc"] !== "2.0") return null;
  const { id, method, params = NONE } = message;
  return isId(id) && isObject(params) ? { id, method, params } : null;
}

const NONE: Json = {};

/** The `_meta` of a request of protocol 2026-07-28. */
export function isPlainEnvelope(meta: Json): boolean {
  if (meta[VERSION_KEY] !== MODERN_VERSION || !arePlainCapabilities(meta[CAPABILITIES_KEY])) return false;
  for (const key in meta) {
    const isKnown = key === VERSION_KEY || key === CAPABILITIES_KEY ||
      (key === CLIENT_KEY ? isPlainClient(meta[key]) : isNote(key, meta[key]));
    if (!isKnown) return false;
  }
  return true;
}

/** The `_meta` of a request of an earlier protocol: notes for other programs, such as `traceparent`. */
export function hasOnlyNotes(meta: Json): boolean {
  for (const key in meta) {
    if (!isNote(key, meta[key])) return false;
  }
  return true;
}

function isNote(key: string, value: unknown): boolean {
  return typeof value === "string" && key !== "progressToken" && key !== "__proto__" &&
    !key.startsWith(RESERVED_PREFIX);
}

export function isPlainClient(info: unknown): boolean {
  if (!isObject(info) || !hasOnly(info, CLIENT_MEMBERS) || !("name" in info && "version" in info)) return false;
  for (const key in info) {
    if (typeof info[key] !== "string") return false;
  }
  return true;
}

export function arePlainCapabilities(capabilities: unknown): boolean {
  if (!isObject(capabilities)) return false;
  for (const name in capabilities) {
    if (!isPlainCapability(name, capabilities[name], 0)) return false;
  }
  return true;
}

/** A capability is an object that holds only such objects, besides the two flags that the protocol has. */
function isPlainCapability(name: string, capability: unknown, depth: number): boolean {
  if (!isObject(capability) || name === "__proto__" || depth > MAX_DEPTH) return false;
  for (const key in capability) {
    const value = capability[key];
    const isFlag = (name === "roots" && key === "listChanged") || (name === "form" && key === "applyDefaults");
    if (isFlag ? typeof value !== "boolean" : !isPlainCapability(key, value, depth + 1)) return false;
  }
  return true;
}

export function isId(id: unknown): id is Id {
  return typeof id === "string" || Number.isSafeInteger(id);
}

export function hasOnly(value: Json, members: readonly string[]): boolean {
  for (const key in value) {
    if (!members.includes(key)) return false;
  }
  return true;
}
