// Recognises plain messages: JSON-RPC requests in the forms that clients send, which mkt answers without the SDK, before the
// SDK is loaded (core/start/) and past it (core/server/plain/).
//
// Invariant: the SDK accepts every message that is plain. What is not surely plain is not plain, a broken message too, and is
// left to the SDK. A form that is missing here only costs time. Loads no library.

import { isObject } from "../../protocol/json.ts";

/** Protocol 2026-07-28, or an earlier one. */
export type Era = "modern" | "legacy";
type Id = string | number;
type Json = Readonly<Record<string, unknown>>;

interface Plain {
  readonly era: Era;
  readonly id: Id;
}

interface PlainInitialize extends Plain {
  readonly method: "initialize";
  readonly protocolVersion: string;
}

/** A request whose result is always the same. */
export interface PlainQuestion extends Plain {
  readonly method: "tools/list" | "ping" | "server/discover";
}

export interface PlainCall extends Plain {
  readonly method: "tools/call";
  readonly name: string;
  readonly arguments: Json | undefined;
  readonly meta: Json | undefined;
}

export type PlainMessage = PlainInitialize | PlainQuestion | PlainCall;

export const MODERN_VERSION = "2026-07-28";
/** Keys of `_meta` with this prefix mean something to the SDK. */
const RESERVED_PREFIX = "io.modelcontextprotocol/";
const VERSION_KEY = `${RESERVED_PREFIX}protocolVersion`;
const CLIENT_KEY = `${RESERVED_PREFIX}clientInfo`;
const CAPABILITIES_KEY = `${RESERVED_PREFIX}clientCapabilities`;

const MESSAGE_MEMBERS = ["jsonrpc", "id", "method", "params"];
const INITIALIZE_PARAMS = ["protocolVersion", "capabilities", "clientInfo"];
const CALL_PARAMS = ["name", "arguments", "_meta"];
const QUESTION_PARAMS = ["_meta"];
const CLIENT_MEMBERS = ["name", "version", "title", "websiteUrl", "description"];
/** Real capabilities are flat. */
const MAX_DEPTH = 8;
const NONE: Json = {};

/** Null if the message is not plain. `message` is parsed JSON. */
export function plainMessage(message: unknown): PlainMessage | null {
  if (!isObject(message) || !hasOnly(message, MESSAGE_MEMBERS) || message["jsonrpc"] !== "2.0") return null;
  const { id, method, params = NONE } = message;
  if (!isId(id) || !isObject(params)) return null;
  if (method === "initialize") return plainInitialize(id, params);
  const era = eraOf(params["_meta"]);
  if (era === null) return null;
  if (method === "tools/call") return plainCall({ era, id }, params);
  return isQuestion(method, era) && hasOnly(params, QUESTION_PARAMS) ? { era, id, method } : null;
}

function plainInitialize(id: Id, params: Json): PlainInitialize | null {
  const { protocolVersion, capabilities, clientInfo } = params;
  return typeof protocolVersion === "string" && hasOnly(params, INITIALIZE_PARAMS) && isPlainClient(clientInfo) &&
      arePlainCapabilities(capabilities)
    ? { method: "initialize", era: "legacy", id, protocolVersion }
    : null;
}

function plainCall(plain: Plain, params: Json): PlainCall | null {
  const { name, arguments: given, _meta: meta } = params;
  if (typeof name !== "string" || !hasOnly(params, CALL_PARAMS)) return null;
  if (given !== undefined && !isObject(given)) return null;
  return { ...plain, method: "tools/call", name, arguments: given, meta: meta as Json | undefined };
}

function isQuestion(method: unknown, era: Era): method is PlainQuestion["method"] {
  return method === "tools/list" || method === (era === "modern" ? "server/discover" : "ping");
}

/** Whether the message is notifications/initialized, which needs no answer. */
export function isPlainInitialized(message: unknown): boolean {
  if (!isObject(message) || !hasOnly(message, ["jsonrpc", "method", "params"])) return false;
  const { jsonrpc, method, params = NONE } = message;
  return jsonrpc === "2.0" && method === "notifications/initialized" && isObject(params) && hasOnly(params, []);
}

/** The protocol that a request's `_meta` belongs to; null if it is of another form. */
function eraOf(meta: unknown): Era | null {
  if (meta === undefined) return "legacy";
  if (!isObject(meta)) return null;
  if (isPlainEnvelope(meta)) return "modern";
  return hasOnlyNotes(meta) ? "legacy" : null;
}

/** The `_meta` of a request of protocol 2026-07-28. */
function isPlainEnvelope(meta: Json): boolean {
  if (meta[VERSION_KEY] !== MODERN_VERSION || !arePlainCapabilities(meta[CAPABILITIES_KEY])) return false;
  for (const key in meta) {
    const isKnown = key === VERSION_KEY || key === CAPABILITIES_KEY ||
      (key === CLIENT_KEY ? isPlainClient(meta[key]) : isNote(key, meta[key]));
    if (!isKnown) return false;
  }
  return true;
}

/** The `_meta` of a request of an earlier protocol: notes for other programs, such as `traceparent`. */
function hasOnlyNotes(meta: Json): boolean {
  for (const key in meta) {
    if (!isNote(key, meta[key])) return false;
  }
  return true;
}

function isNote(key: string, value: unknown): boolean {
  return typeof value === "string" && key !== "progressToken" && key !== "__proto__" &&
    !key.startsWith(RESERVED_PREFIX);
}

function isPlainClient(info: unknown): boolean {
  if (!isObject(info) || !hasOnly(info, CLIENT_MEMBERS) || !("name" in info && "version" in info)) return false;
  for (const key in info) {
    if (typeof info[key] !== "string") return false;
  }
  return true;
}

function arePlainCapabilities(capabilities: unknown): boolean {
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

function hasOnly(value: Json, members: readonly string[]): boolean {
  for (const key in value) {
    if (!members.includes(key)) return false;
  }
  return true;
}
