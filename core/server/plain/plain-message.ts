// Recognises plain messages over HTTP: one request of a known form, whose answer needs nothing of the SDK but its format. Its
// headers belong to the form: protocol 2026-07-28 repeats version, method and name there.

import { SUPPORTED_PROTOCOL_VERSIONS } from "@modelcontextprotocol/server";
import { isObject } from "../../../protocol/json.ts";
import {
  type Era,
  hasOnly,
  hasOnlyNotes,
  type Id,
  isPlainEnvelope,
  type Json,
  MODERN_VERSION,
  requestParts,
} from "../../messages/plain-forms.ts";

interface Plain {
  readonly era: Era;
  readonly id: Id;
}

export interface PlainCall extends Plain {
  readonly method: "tools/call";
  readonly name: string;
  readonly arguments: unknown;
  readonly meta: Json | undefined;
}

/** A request whose result is always the same. */
export interface PlainQuestion extends Plain {
  readonly method: "tools/list" | "ping" | "server/discover";
}

export type PlainMessage = PlainCall | PlainQuestion;

const LEGACY_VERSIONS: ReadonlySet<string> = new Set(SUPPORTED_PROTOCOL_VERSIONS);
const CALL_PARAMS = ["name", "arguments", "_meta"];
const QUESTION_PARAMS = ["_meta"];

/** Null if the message is not plain. `body` is parsed JSON. */
export function plainMessage(body: unknown, headers: Headers): PlainMessage | null {
  const parts = requestParts(body);
  if (parts === null) return null;
  const { id, method, params } = parts;
  const era = eraOf(params["_meta"], headers);
  if (era === null || (era === "modern" && headers.get("Mcp-Method") !== method)) return null;
  if (method === "tools/call") return plainCall({ era, id }, params, headers);
  return isQuestion(method, era) && hasOnly(params, QUESTION_PARAMS) ? { era, id, method } : null;
}

function plainCall(plain: Plain, params: Json, headers: Headers): PlainCall | null {
  const { name, arguments: given } = params;
  if (typeof name !== "string" || !hasOnly(params, CALL_PARAMS)) return null;
  if (given !== undefined && !isObject(given)) return null;
  if (plain.era === "modern" && headers.get("Mcp-Name") !== name) return null;
  return { ...plain, method: "tools/call", name, arguments: given, meta: params["_meta"] as Json | undefined };
}

function isQuestion(method: unknown, era: Era): method is PlainQuestion["method"] {
  return method === "tools/list" || method === (era === "modern" ? "server/discover" : "ping");
}

/** Null if `_meta` or the version header is of another form. */
function eraOf(meta: unknown, headers: Headers): Era | null {
  const version = headers.get("MCP-Protocol-Version");
  if (version === MODERN_VERSION) return isObject(meta) && isPlainEnvelope(meta) ? "modern" : null;
  if (version !== null && !LEGACY_VERSIONS.has(version)) return null;
  return meta === undefined || (isObject(meta) && hasOnlyNotes(meta)) ? "legacy" : null;
}
