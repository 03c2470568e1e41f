// Recognises plain messages: one request of a known form, whose answer needs nothing of the SDK but its format.
//
// Invariant: the SDK accepts every message that is plain. A message of any other form, a broken one too, is not plain, so the
// SDK answers it. The forms are those that clients send; a form that is missing here only costs time.

import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  SUPPORTED_PROTOCOL_VERSIONS,
} from "@modelcontextprotocol/server";

/** Protocol 2026-07-28, or an earlier one. */
export type Era = "modern" | "legacy";

interface Plain {
  readonly era: Era;
  readonly id: string | number;
}

export interface PlainCall extends Plain {
  readonly method: "tools/call";
  readonly name: string;
  readonly arguments: unknown;
}

export interface PlainQuestion extends Plain {
  readonly method: "tools/list" | "ping" | "server/discover";
}

export type PlainMessage = PlainCall | PlainQuestion;

export const MODERN_VERSION = "2026-07-28";
/** All later keys with this prefix mean something to the SDK. */
const RESERVED = "io.modelcontextprotocol/";
const LEGACY_VERSIONS: ReadonlySet<string> = new Set(SUPPORTED_PROTOCOL_VERSIONS);

type Json = Readonly<Record<string, unknown>>;

/** Null if the message is not plain. `body` is parsed JSON. */
export function plainMessage(body: unknown, headers: Headers): PlainMessage | null {
  if (!isObject(body) || !hasOnly(body, MESSAGE_MEMBERS) || body["jsonrpc"] !== "2.0") return null;
  const { id, method, params = NONE } = body;
  if (typeof id !== "string" && !Number.isSafeInteger(id)) return null;
  if (typeof method !== "string" || !isObject(params)) return null;
  const era = eraOf(params["_meta"], headers);
  if (era === null) return null;
  const plain: Plain = { era, id: id as string | number };
  if (method === "tools/call") return plainCall(plain, params, headers);
  const isKnown = method === "tools/list" || method === (era === "modern" ? "server/discover" : "ping");
  if (!isKnown || !hasOnly(params, QUESTION_PARAMS)) return null;
  if (era === "modern" && headers.get("Mcp-Method") !== method) return null;
  return { ...plain, method };
}

const NONE: Json = {};
const MESSAGE_MEMBERS: ReadonlySet<string> = new Set(["jsonrpc", "id", "method", "params"]);
const CALL_PARAMS: ReadonlySet<string> = new Set(["name", "arguments", "_meta"]);
const QUESTION_PARAMS: ReadonlySet<string> = new Set(["_meta"]);

function plainCall(plain: Plain, params: Json, headers: Headers): PlainCall | null {
  const { name, arguments: given } = params;
  if (typeof name !== "string" || !hasOnly(params, CALL_PARAMS)) return null;
  if (given !== undefined && !isObject(given)) return null;
  if (plain.era === "modern" && (headers.get("Mcp-Method") !== "tools/call" || headers.get("Mcp-Name") !== name)) {
    return null;
  }
  return { era: plain.era, id: plain.id, method: "tools/call", name, arguments: given };
}

/** Null if `_meta` or the version header is of another form. */
function eraOf(meta: unknown, headers: Headers): Era | null {
  const version = headers.get("MCP-Protocol-Version");
  if (meta === undefined) return version === null || LEGACY_VERSIONS.has(version) ? "legacy" : null;
  if (!isObject(meta)) return null;
  if (version === MODERN_VERSION) return isPlainEnvelope(meta) ? "modern" : null;
  return (version === null || LEGACY_VERSIONS.has(version)) && hasOnlyNotes(meta) ? "legacy" : null;
}

/** Whether every member is a text that only other programs read, such as `traceparent`. */
function hasOnlyNotes(meta: Json): boolean {
  for (const key in meta) {
    if (!isNote(key, meta[key])) return false;
  }
  return true;
}

function isNote(key: string, value: unknown): boolean {
  return typeof value === "string" && key !== "progressToken" && key !== "__proto__" && !key.startsWith(RESERVED);
}

function isPlainEnvelope(meta: Json): boolean {
  if (meta[PROTOCOL_VERSION_META_KEY] !== MODERN_VERSION || meta[CLIENT_CAPABILITIES_META_KEY] === undefined) {
    return false;
  }
  for (const key in meta) {
    const value = meta[key];
    const isPlain = key === PROTOCOL_VERSION_META_KEY || isNote(key, value) ||
      (key === CLIENT_INFO_META_KEY && isPlainClientInfo(value)) ||
      (key === CLIENT_CAPABILITIES_META_KEY && arePlainCapabilities(value));
    if (!isPlain) return false;
  }
  return true;
}

const CLIENT_INFO_MEMBERS: ReadonlySet<string> = new Set(["name", "version", "title"]);

function isPlainClientInfo(info: unknown): boolean {
  if (!isObject(info) || !hasOnly(info, CLIENT_INFO_MEMBERS)) return false;
  const { name, version, title = "" } = info;
  return typeof name === "string" && typeof version === "string" && typeof title === "string";
}

function arePlainCapabilities(capabilities: unknown): boolean {
  if (!isObject(capabilities)) return false;
  for (const name in capabilities) {
    const value = capabilities[name];
    if (!isObject(value) || !isPlainCapability(name, value)) return false;
  }
  return true;
}

const MODES: ReadonlySet<string> = new Set(["form", "url"]);
const LIST_CHANGED: ReadonlySet<string> = new Set(["listChanged"]);

function isPlainCapability(name: string, value: Json): boolean {
  switch (name) {
    case "sampling":
      return isEmpty(value);
    case "roots":
      return hasOnly(value, LIST_CHANGED) && typeof (value["listChanged"] ?? true) === "boolean";
    case "elicitation":
      return hasOnly(value, MODES) && Object.values(value).every((mode) => isObject(mode) && isEmpty(mode));
    default:
      return false;
  }
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isEmpty(value: Json): boolean {
  return hasOnly(value, NO_MEMBERS);
}

const NO_MEMBERS: ReadonlySet<string> = new Set();

function hasOnly(value: Json, members: ReadonlySet<string>): boolean {
  for (const key in value) {
    if (!members.has(key)) return false;
  }
  return true;
}
