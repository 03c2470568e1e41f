// Unusual values for each member of a message. A message gets a copy.

import { type Json, rawNumber } from "./drafts.ts";
import { MODERN } from "./usual-requests.ts";

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

export const TOOL_NAMES: readonly unknown[] = [
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
export const WRONG: readonly unknown[] = [
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

export const ODD_ARGUMENTS: readonly unknown[] = [
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

export const METHODS: readonly unknown[] = [
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
export const OTHERS: readonly Json[] = [
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

export const NO_MESSAGES: readonly unknown[] = [null, 7, "ping", true, [], {}, [[]], [null], [1, {}], {
  jsonrpc: "2.0",
}];

export const PROGRESS_TOKENS: readonly unknown[] = [1, 0, "a", "", 1.5, null, {}, true];

/** Members of `_meta` beside the envelope. */
export const META_MEMBERS: readonly Json[] = [
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

export const VERSIONS: readonly unknown[] = [
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

export const CLIENT_INFOS: readonly unknown[] = [
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

export const ODD_CAPABILITIES: readonly unknown[] = [
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

export const ANSWERS: readonly Json[] = [
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

export const PARAM_MEMBERS: readonly Json[] = [
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

export const TOP_MEMBERS: readonly Json[] = [
  { result: {} },
  { error: { code: 1, message: "m" } },
  { unknown: 1 },
  { params2: {} },
  { 0: 1 },
  { constructor: 1 },
  { _meta: {} },
  { then: 1 },
];
