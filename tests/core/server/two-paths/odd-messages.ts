// Oddities of a message: its id, method, params and `_meta`, batches, and what is no JSON-RPC message at all.

import { type Draft, type Json, objectIn, type Oddity, rawNumber, setOwn } from "./drafts.ts";
import type { Draw } from "./draw.ts";
import { CAPABILITIES_KEY, CLIENT_KEY, MODERN, VERSION_KEY } from "./usual-requests.ts";

const META = "io.modelcontextprotocol";

export const ODD_IDS: readonly unknown[] = [
  -1,
  1.5,
  0.1,
  rawNumber("-0"),
  rawNumber("1e2"),
  2 ** 53,
  2 ** 53 + 2,
  rawNumber("9007199254740993"),
  rawNumber("1e21"),
  rawNumber("1e999"),
  rawNumber("-1e999"),
  rawNumber("1e-400"),
  null,
  true,
  {},
  [],
  [1],
  { id: 1 },
  "",
  " ",
  "null",
  "\u0000",
  "\u2028\u2029",
  "\ud800",
  "\u{1f600}\u202e",
  '"\\/</script>',
  "__proto__",
  "x".repeat(3000),
];

const TOOL_NAMES: readonly unknown[] = [
  "mkt_pingg",
  "mkt_ping ",
  "MKT_PING",
  "mkt_nothing",
  "",
  "__proto__",
  "constructor",
  "toString",
  "\u202eevil\u0000",
  "\ud800",
  "=?base64?bWt0X3Bpbmc=?=",
  "x".repeat(500),
  null,
  7,
  true,
  {},
  ["mkt_ping"],
];

/** Values of a wrong type for nearly every member. */
const WRONG: readonly unknown[] = [
  null,
  0,
  7,
  "",
  "x",
  true,
  false,
  [],
  [{}],
  {},
  rawNumber("1e999"),
  rawNumber("-0"),
];

const ODD_ARGUMENTS: readonly unknown[] = [
  ...WRONG,
  { value: "\ud800" },
  { "\ud800": 1 },
  { limit: rawNumber("1e999") },
  { limit: rawNumber("-0") },
  { limit: rawNumber("5.0") },
  { limit: rawNumber("1E1") },
  { limit: rawNumber("123456789012345678901234567890") },
  { limit: "5" },
  { 0: 1, 1: 2 },
  { 10: "a", 2: "b", x: 1 },
  { constructor: { prototype: {} } },
  { toString: null, hasOwnProperty: 1 },
  { then: 1 },
  { toJSON: 1 },
  Array.from({ length: 20 }, (_, at) => at),
];

const METHODS: readonly unknown[] = [
  "tools/call ",
  "Tools/Call",
  "tools/list2",
  "tools",
  "rpc.discover",
  "",
  "__proto__",
  "constructor",
  "\ud800",
  "x".repeat(2000),
  null,
  7,
  {},
  [],
  "tasks/list",
  "tasks/get",
  "roots/list",
  "sampling/createMessage",
  "elicitation/create",
];

/** Other requests and notifications, with valid and invalid params. */
const OTHERS: readonly Json[] = [
  ...["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", MODERN, "1999-01-01", ""].map((protocolVersion) => ({
    id: 1,
    method: "initialize",
    params: { protocolVersion, capabilities: {}, clientInfo: { name: "mkt-test", version: "1" } },
  })),
  { id: 1, method: "initialize" },
  { id: 1, method: "initialize", params: { protocolVersion: 7 } },
  { id: 1, method: "initialize", params: { protocolVersion: "2025-11-25", capabilities: { elicitation: {} } } },
  { method: "notifications/initialized" },
  { method: "notifications/cancelled", params: { requestId: 123_456, reason: "no longer needed" } },
  { method: "notifications/cancelled", params: {} },
  { method: "notifications/progress", params: { progressToken: 1, progress: 1 } },
  { method: "notifications/roots/list_changed" },
  { method: "notifications/unknown", params: { x: 1 } },
  { method: "ping" },
  { method: "tools/call", params: { name: "mkt_ping", arguments: {} } },
  { id: 3, method: "resources/list" },
  { id: 3, method: "resources/list", params: { cursor: "x" } },
  { id: 3, method: "resources/read", params: { uri: "probe://text" } },
  { id: 3, method: "resources/read", params: { uri: "probe://broken" } },
  { id: 3, method: "resources/read", params: { uri: "probe://missing" } },
  { id: 3, method: "resources/read", params: {} },
  { id: 3, method: "resources/templates/list" },
  { id: 3, method: "resources/subscribe", params: { uri: "probe://text" } },
  { id: 3, method: "prompts/list" },
  { id: 3, method: "prompts/get", params: { name: "probe" } },
  { id: 3, method: "prompts/get", params: { name: 7 } },
  { id: 3, method: "completion/complete", params: { ref: { type: "ref/prompt", name: "p" }, argument: {} } },
  { id: 3, method: "logging/setLevel", params: { level: "debug" } },
  { id: 3, method: "logging/setLevel", params: { level: "loud" } },
  { id: 3, method: "subscriptions/listen", params: { notifications: { toolsListChanged: true } } },
  { id: 4, result: {} },
  { id: 4, result: { tools: [] } },
  { id: 4, error: { code: 1, message: "m" } },
  { error: { code: 1, message: "m" } },
];

const NO_MESSAGES: readonly unknown[] = [null, 7, "ping", true, [], {}, [[]], [null], [1, {}], { jsonrpc: "2.0" }];

const PROGRESS_TOKENS: readonly unknown[] = [1, 0, "a", "", 1.5, null, {}, true];

/** Members of `_meta` beside the envelope. */
const META_MEMBERS: readonly Json[] = [
  { progressToken: 1 },
  { traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01" },
  { tracestate: "a=b" },
  { baggage: "k=v" },
  { [`${META}/related-task`]: { taskId: "t" } },
  { [`${META}/related-task`]: 7 },
  { [`${META}/logLevel`]: "debug" },
  { [`${META}/logLevel`]: "loud" },
  { [`${META}/serverInfo`]: { name: "x", version: "1" } },
  { [`${META}/subscriptionId`]: "s" },
  { [`${META}/unknown`]: {} },
  { "acme.example/key": [1, 2, { a: null }] },
  { "": 1 },
  { 7: 7 },
  { constructor: 1 },
  { protocolVersion: MODERN },
];

const VERSIONS: readonly unknown[] = [
  "2025-11-25",
  "2025-03-26",
  "2026-07-29",
  "2027-01-01",
  "2026-07-28 ",
  " 2026-07-28",
  "DRAFT-2026-v1",
  "",
  null,
  7,
  {},
];

const CLIENT_INFOS: readonly unknown[] = [
  ...WRONG,
  { name: "x" },
  { version: "1" },
  { name: "", version: "" },
  { name: 7, version: "1" },
  { name: "x", version: "1", title: 7 },
  { name: "x", version: "1", icons: [{ src: "https://a.example/i.png", sizes: ["48x48"], mimeType: "image/png" }] },
  { name: "x", version: "1", icons: [{}] },
  { name: "x", version: "1", icons: "none" },
  { name: "x", version: "1", websiteUrl: 7 },
  { name: "x", version: "1", further: { a: [1] } },
  { name: "\ud800", version: "\u0000" },
];

const ODD_CAPABILITIES: readonly unknown[] = [
  ...WRONG,
  { elicitation: true },
  { elicitation: null },
  { elicitation: { form: null } },
  { elicitation: { form: { applyDefaults: true } } },
  { elicitation: { form: 7, url: {} } },
  { sampling: 7 },
  { sampling: { tools: {}, context: {} } },
  { roots: 7 },
  { roots: { listChanged: "yes" } },
  { experimental: 7 },
  { experimental: { x: 7 } },
  { extensions: { "a/b": 7 } },
  { tasks: { list: {}, cancel: {}, requests: {} } },
  { tasks: 7 },
  { unknown: { a: 1 } },
];

const ANSWERS: readonly Json[] = [
  { inputResponses: {} },
  { inputResponses: null },
  { inputResponses: [] },
  { inputResponses: { confirmation: {} } },
  { inputResponses: { confirmation: { action: "accept", content: { agree: true } } } },
  { requestState: "v1.x.y" },
  { requestState: "" },
  { requestState: 7 },
  { requestState: null },
  { inputResponses: { confirmation: { action: "accept", content: { agree: true } } }, requestState: "v1.x.y" },
];

const PARAM_MEMBERS: readonly Json[] = [
  { task: {} },
  { task: { ttl: 1000 } },
  { task: 7 },
  { cursor: "x" },
  { cursor: "" },
  { cursor: null },
  { cursor: 7 },
  { uri: "probe://text" },
  { level: "debug" },
  { unknown: 1 },
  { 0: "zero" },
  { constructor: 1 },
  { _Meta: {} },
  { then: 1 },
];

const TOP_MEMBERS: readonly Json[] = [
  { result: {} },
  { error: { code: 1, message: "m" } },
  { unknown: 1 },
  { params2: {} },
  { 0: 1 },
  { constructor: 1 },
  { _meta: {} },
  { then: 1 },
];

const params = (draft: Draft) => objectIn(draft.message, "params");
/** The message's `_meta`, which is added if there is none. */
function meta(draft: Draft): Json | undefined {
  const found = params(draft);
  if (found !== undefined && found["_meta"] === undefined) found["_meta"] = {};
  return objectIn(draft.message, "params", "_meta");
}

function assign(object: Json | undefined, members: Json): void {
  for (const [name, value] of Object.entries(members)) setOwn(object, name, value);
}

function oddity(name: string, weight: number, apply: Oddity["apply"]): Oddity {
  return { name, stage: "message", weight, apply };
}

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}

/** Puts a member at a random place among those that are there. */
function reordered(message: unknown, draw: Draw): unknown {
  const object = objectIn(message);
  return object === undefined ? message : Object.fromEntries(draw.shuffled(Object.entries(object)));
}

const another = (draft: Draft, message: Json) => {
  draft.message = { jsonrpc: "2.0", ...structuredClone(message) };
  draft.kind = String(message["method"] ?? "response");
};

export const MESSAGE_ODDITIES: readonly Oddity[] = [
  oddity("odd id", 6, (draft, draw) => setOwn(objectIn(draft.message), "id", draw.of(ODD_IDS))),
  oddity("no id", 2, (draft) => delete objectIn(draft.message)?.["id"]),
  oddity("jsonrpc", 2, (draft, draw) => {
    const version = draw.of<unknown>([undefined, "1.0", "2", 2, null, "2.0 ", "", {}]);
    setOwn(objectIn(draft.message), "jsonrpc", version);
  }),
  oddity("member", 3, (draft, draw) => assign(objectIn(draft.message), draw.of(TOP_MEMBERS))),
  oddity("__proto__", 2, (draft, draw) => {
    const at = draw.of([[], ["params"], ["params", "arguments"], ["params", "_meta"]]);
    setOwn(objectIn(draft.message, ...at), "__proto__", draw.of<unknown>([{}, { id: 7, method: "ping" }, null, 7]));
  }),
  oddity("method", 3, (draft, draw) => {
    const method = draw.of(METHODS);
    setOwn(objectIn(draft.message), "method", method);
    draft.kind = "odd method";
  }),
  oddity("other method", 9, (draft, draw) => {
    const old = meta(draft);
    another(draft, draw.of(OTHERS));
    if (old !== undefined && draw.chance(0.8)) {
      const message = objectIn(draft.message) ?? {};
      message["params"] = { ...objectIn(message, "params"), _meta: old };
    }
  }),
  oddity("no message", 2, (draft, draw) => {
    draft.message = structuredClone(draw.of(NO_MESSAGES));
    draft.kind = "no message";
  }),
  oddity("params", 4, (draft, draw) => setOwn(objectIn(draft.message), "params", draw.of([...WRONG, undefined]))),
  oddity("params member", 5, (draft, draw) => assign(params(draft), draw.of(PARAM_MEMBERS))),
  oddity("tool name", 5, (draft, draw) => setOwn(params(draft), "name", draw.of(TOOL_NAMES))),
  oddity("arguments", 8, (draft, draw) => {
    const value = draw.chance(0.1) ? nested(draw.of([20, 60, 5000])) : draw.of([...ODD_ARGUMENTS, undefined]);
    setOwn(params(draft), "arguments", value);
  }),
  oddity("argument", 8, (draft, draw) => {
    const input = objectIn(draft.message, "params", "arguments");
    const name = draw.of([...Object.keys(input ?? {}), "limit", "cursor", "unknown", "", "7", "constructor"]);
    setOwn(input, name, draw.of(ODD_ARGUMENTS));
  }),
  oddity("_meta", 3, (draft, draw) => setOwn(params(draft), "_meta", draw.of([...WRONG, undefined]))),
  oddity("_meta member", 6, (draft, draw) => assign(meta(draft), draw.of(META_MEMBERS))),
  oddity("progress token", 4, (draft, draw) => setOwn(meta(draft), "progressToken", draw.of(PROGRESS_TOKENS))),
  oddity("envelope version", 5, (draft, draw) => setOwn(meta(draft), VERSION_KEY, draw.of(VERSIONS))),
  oddity("client info", 5, (draft, draw) => setOwn(meta(draft), CLIENT_KEY, draw.of(CLIENT_INFOS))),
  oddity("capabilities", 5, (draft, draw) => setOwn(meta(draft), CAPABILITIES_KEY, draw.of(ODD_CAPABILITIES))),
  oddity("envelope part", 4, (draft, draw) => {
    delete objectIn(draft.message, "params", "_meta")?.[draw.of([VERSION_KEY, CLIENT_KEY, CAPABILITIES_KEY])];
  }),
  oddity("input responses", 4, (draft, draw) => assign(params(draft), draw.of(ANSWERS))),
  oddity("order of members", 4, (draft, draw) => {
    draft.message = reordered(draft.message, draw);
    const message = objectIn(draft.message);
    if (message !== undefined && draw.chance(0.5)) message["params"] = reordered(message["params"], draw);
  }),
  oddity("batch", 5, (draft, draw) => {
    const count = draw.weighted([[1, 0], [4, 1], [5, 2], [3, 5], [1, 20], [1, 21], [1, 101]]);
    const items: unknown[] = Array.from({ length: count }, (_, at) => {
      const copy: unknown = structuredClone(draft.message);
      if (draw.chance(0.9)) setOwn(objectIn(copy), "id", at);
      return copy;
    });
    if (draw.chance(0.3)) {
      items.push(structuredClone(draw.of<unknown>([{ jsonrpc: "2.0", ...draw.of(OTHERS) }, ...NO_MESSAGES])));
    }
    draft.message = items;
    draft.kind = "batch";
  }),
];
