// Recognises the requests that can be answered before the SDK is loaded: initialize, ping, tools/list and server/discover, in
// the forms that clients send.
//
// Invariant: the SDK accepts every request that is plain. What is not surely plain is not plain, a broken request too, and
// waits for the SDK. A form that is missing here only costs time.

export type PlainRequest =
  | { readonly method: "initialize"; readonly id: Id; readonly protocolVersion: string }
  | { readonly method: "ping"; readonly id: Id; readonly era: "legacy" }
  | { readonly method: "tools/list"; readonly id: Id; readonly era: Era }
  | { readonly method: "server/discover"; readonly id: Id; readonly era: "modern" };

/** Protocol 2026-07-28, or an earlier one. */
type Era = "modern" | "legacy";
type Id = string | number;
type Json = Readonly<Record<string, unknown>>;

const MODERN_VERSION = "2026-07-28";
const VERSION_KEY = "io.modelcontextprotocol/protocolVersion";
const CLIENT_KEY = "io.modelcontextprotocol/clientInfo";
const CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities";

/** Null if the message is not plain. `message` is parsed JSON. */
export function plainRequest(message: unknown): PlainRequest | null {
  if (!isObject(message) || !hasOnly(message, ["jsonrpc", "id", "method", "params"])) return null;
  const { jsonrpc, id, method, params = {} } = message;
  if (jsonrpc !== "2.0" || !isId(id) || !isObject(params)) return null;
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

/** The `_meta` of a request of protocol 2026-07-28. */
function isPlainEnvelope(meta: Json): boolean {
  const { [VERSION_KEY]: version, [CLIENT_KEY]: client, [CAPABILITIES_KEY]: capabilities } = meta;
  return hasOnly(meta, [VERSION_KEY, CLIENT_KEY, CAPABILITIES_KEY]) && version === MODERN_VERSION &&
    (client === undefined || isPlainClient(client)) && arePlainCapabilities(capabilities);
}

function isPlainClient(info: unknown): boolean {
  return isObject(info) && hasOnly(info, ["name", "version", "title", "websiteUrl", "description"]) &&
    Object.values(info).every((value) => typeof value === "string") && "name" in info && "version" in info;
}

function arePlainCapabilities(capabilities: unknown): boolean {
  return isObject(capabilities) &&
    Object.entries(capabilities).every(([name, capability]) => isPlainCapability(name, capability));
}

/** A capability is an object that holds only such objects, besides the two flags that the protocol has. */
function isPlainCapability(name: string, capability: unknown): boolean {
  if (!isObject(capability) || name === "__proto__") return false;
  return Object.entries(capability).every(([key, value]) => {
    if (name === "roots" && key === "listChanged") return typeof value === "boolean";
    if (name === "elicitation" && key === "form" && isObject(value)) {
      const { applyDefaults = true, ...others } = value;
      return typeof applyDefaults === "boolean" && isPlainCapability(key, others);
    }
    return isPlainCapability(key, value);
  });
}

function isId(id: unknown): id is Id {
  return typeof id === "string" || Number.isSafeInteger(id);
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function hasOnly(value: Json, keys: readonly unknown[]): boolean {
  return Object.keys(value).every((key) => keys.includes(key));
}
