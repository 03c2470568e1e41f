// Unusual values for each member of a message. A message gets a copy.

import { type Json, rawNumber } from "./drafts.ts";
import { MODERN } from "./usual-requests.ts";

const META = "io.modelcontextprotocol";

export const ODD_IDS: readonly unknown[] = [
  [-1, 1.5, 0.1, rawNumber("-0"), rawNumber("1e2"), 2 ** 53, 2 ** 53 + 2],
  ["9007199254740993", "1e21", "1e999", "-1e999", "1e-400"].map(rawNumber),
  [null, true, {}, [], [1], { id: 1 }],
  ["", " ", "null", "\u0000", "\u2028\u2029", "\ud800", "\u{1f600}\u202e"],
  ['"\\/</script>', "__proto__", "x".repeat(3000)],
].flat();

export const TOOL_NAMES: readonly unknown[] = [
  ["mkt_pingg", "mkt_ping ", "MKT_PING", "mkt_nothing", "", "__proto__", "constructor", "toString"],
  ["\u202eevil\u0000", "\ud800", "=?base64?bWt0X3Bpbmc=?=", "x".repeat(500)],
  [null, 7, true, {}, ["mkt_ping"]],
].flat();

/** Values of a wrong type for nearly every member. */
export const WRONG: readonly unknown[] = [
  [null, 0, 7, "", "x", true, false],
  [[], [{}], {}],
  [rawNumber("1e999"), rawNumber("-0")],
].flat();

export const ODD_ARGUMENTS: readonly unknown[] = [
  ...WRONG,
  { value: "\ud800" },
  { "\ud800": 1 },
  ...["1e999", "-0", "5.0", "1E1", "123456789012345678901234567890"].map((digits) => ({ limit: rawNumber(digits) })),
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
  ["tools/call ", "Tools/Call", "tools/list2", "tools", "rpc.discover", "", "__proto__", "constructor"],
  ["\ud800", "x".repeat(2000), null, 7, {}, []],
  ["tasks/list", "tasks/get", "roots/list", "sampling/createMessage", "elicitation/create"],
].flat();

const initialize = (params: Json) => ({ id: 1, method: "initialize", params });
const request = (method: string, ...params: readonly Json[]): readonly Json[] =>
  params.map((params) => ({ id: 3, method, params }));

/** Other requests and notifications, with valid and invalid params. */
export const OTHERS: readonly Json[] = [
  ...["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", MODERN, "1999-01-01", ""].map((protocolVersion) =>
    initialize({ protocolVersion, capabilities: {}, clientInfo: { name: "mkt-test", version: "1" } })
  ),
  { id: 1, method: "initialize" },
  initialize({ protocolVersion: 7 }),
  initialize({ protocolVersion: "2025-11-25", capabilities: { elicitation: {} } }),
  { method: "notifications/initialized" },
  { method: "notifications/cancelled", params: { requestId: 123_456, reason: "no longer needed" } },
  { method: "notifications/cancelled", params: {} },
  { method: "notifications/progress", params: { progressToken: 1, progress: 1 } },
  { method: "notifications/roots/list_changed" },
  { method: "notifications/unknown", params: { x: 1 } },
  { method: "ping" },
  { method: "tools/call", params: { name: "mkt_ping", arguments: {} } },
  { id: 3, method: "resources/list" },
  ...request("resources/list", { cursor: "x" }),
  ...request("resources/read", ...["text", "broken", "missing"].map((name) => ({ uri: `probe://${name}` })), {}),
  { id: 3, method: "resources/templates/list" },
  ...request("resources/subscribe", { uri: "probe://text" }),
  { id: 3, method: "prompts/list" },
  ...request("prompts/get", { name: "probe" }, { name: 7 }),
  ...request("completion/complete", { ref: { type: "ref/prompt", name: "p" }, argument: {} }),
  ...request("logging/setLevel", { level: "debug" }, { level: "loud" }),
  ...request("subscriptions/listen", { notifications: { toolsListChanged: true } }),
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
  ...["x", ""].map((traceparent) => ({ traceparent })),
  ...["a=b", "\ud800"].map((tracestate) => ({ tracestate })),
  ...[META, `${META}/`].map((name) => ({ [name]: "x" })),
  { "IO.modelcontextprotocol/logLevel": "loud" },
  { "modelcontextprotocol.io/x": "x" },
  { progresstoken: "x" },
  { "acme.example/long": "x".repeat(2000) },
  { baggage: "k=v" },
  ...[{ taskId: "t" }, 7].map((task) => ({ [`${META}/related-task`]: task })),
  ...["debug", "loud"].map((level) => ({ [`${META}/logLevel`]: level })),
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
  ["2025-11-25", "2025-03-26", "2026-07-29", "2027-01-01", "2026-07-28 ", " 2026-07-28", "DRAFT-2026-v1"],
  ["", null, 7, {}],
].flat();

/** A client, with odd members beside its name and version. */
const clients = (...odd: readonly Json[]) => odd.map((members) => ({ name: "x", version: "1", ...members }));

export const CLIENT_INFOS: readonly unknown[] = [
  ...WRONG,
  { name: "x" },
  { version: "1" },
  { name: "", version: "" },
  { name: 7, version: "1" },
  ...clients(
    { title: 7 },
    { icons: [{ src: "https://a.example/i.png", sizes: ["48x48"], mimeType: "image/png" }] },
    { icons: [{}] },
    { icons: "none" },
    { websiteUrl: 7 },
    { further: { a: [1] } },
  ),
  { name: "\ud800", version: "\u0000" },
  ...clients({ title: "" }, { websiteUrl: "no url", description: "" }, { description: 7 }, { title: null }),
];

export const ODD_CAPABILITIES: readonly unknown[] = [
  ...WRONG,
  ...[true, null, { form: null }, { form: { applyDefaults: true } }, { form: 7, url: {} }].map((elicitation) => ({
    elicitation,
  })),
  ...[7, { tools: {}, context: {} }].map((sampling) => ({ sampling })),
  ...[7, { listChanged: "yes" }].map((roots) => ({ roots })),
  ...[7, { x: 7 }].map((experimental) => ({ experimental })),
  { extensions: { "a/b": 7 } },
  ...[{ list: {}, cancel: {}, requests: {} }, 7].map((tasks) => ({ tasks })),
  { unknown: { a: 1 } },
  ...[{}, { tools: {} }].map((sampling) => ({ sampling })),
  { roots: {} },
  ...[{ form: {}, url: {} }, { form: {}, other: {} }].map((elicitation) => ({ elicitation })),
  { experimental: {} },
  ...[{}, { "io.modelcontextprotocol/ui": { mimeTypes: ["text/html"] } }].map((extensions) => ({ extensions })),
  { logging: {} },
];

const AGREED = { confirmation: { action: "accept", content: { agree: true } } };

export const ANSWERS: readonly Json[] = [
  ...[{}, null, [], { confirmation: {} }, AGREED].map((inputResponses) => ({ inputResponses })),
  ...["v1.x.y", "", 7, null].map((requestState) => ({ requestState })),
  { inputResponses: AGREED, requestState: "v1.x.y" },
];

export const PARAM_MEMBERS: readonly Json[] = [
  ...[{}, { ttl: 1000 }, 7].map((task) => ({ task })),
  ...["x", "", null, 7].map((cursor) => ({ cursor })),
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

/** Names that mean something in some place of the capabilities. */
export const CAPABILITY_NAMES: readonly string[] = [
  ..."sampling roots elicitation form url tasks requests tools create createMessage call".split(" "),
  ..."list cancel context experimental extensions listChanged applyDefaults logging completions".split(" "),
  ...["prompts", "resources", "subscribe", "settings", "x", "", "7", "constructor", "toString"],
];
