// Requests as clients send them: every tool with arguments made from its schema, and the other methods, in each revision of
// the protocol, with headers that agree with the message.

import fc from "fast-check";
import { MODULE_TYPES } from "../../../../protocol/modules/registry.ts";
import type { Tool } from "../../../../core/tools/tool.ts";
import { MARKET } from "../../../plugins/support/market.ts";
import { inputsOf, type Schema, wholeInputSchema } from "../../../support/schema-inputs.ts";
import type { Draft, Era, Json } from "./drafts.ts";
import { Draw } from "./draw.ts";

const META = "io.modelcontextprotocol";
export const VERSION_KEY = `${META}/protocolVersion`;
export const CLIENT_KEY = `${META}/clientInfo`;
export const CAPABILITIES_KEY = `${META}/clientCapabilities`;
export const MODERN = "2026-07-28";

export const ERAS = [[3, "none"], [2, "2025-03-26"], [3, "2025-06-18"], [5, "2025-11-25"], [9, MODERN]] as const;

const ORDERS = Array.from({ length: 12 }, (_, at) => `ORD-${at + 1}`);

/** Texts that have a meaning in the market. */
const KNOWN = [
  ...[MARKET.markets, MARKET.products, MARKET.contracts, MARKET.entities, MARKET.users].flatMap((items) =>
    items.map(({ id }) => id)
  ),
  ...MODULE_TYPES,
  ...["new.order", "cancel.order", "new.fill", "BASE", "side", "price", "status", "value", "operator", "in", "gt"],
  ...["contains", "-1h", "-7d", "2030-01-01T00:00:00Z", "orderQueued"],
  ...ORDERS,
  ...["FIL-1", "FIL-2"],
];

/** By parameter: values with which calls succeed. A parameter that is not named here is left out if it is optional. */
const PLAUSIBLE: Readonly<Record<string, readonly unknown[]>> = {
  marketId: ["power"],
  contractId: ["base-1", "base-1", "peak-1"],
  orderId: ORDERS,
  fillId: ["FIL-1", "FIL-2", "FIL-3"],
  entityId: ["alpha"],
  counterpartyId: ["beta"],
  userId: ["alice"],
  productId: ["base", "peak"],
  productCode: ["BASE"],
  side: ["BUY", "SELL"],
  price: [4900, 5000, 5100, -100],
  quantity: [1, 5, 10],
  limit: [1, 5, 20],
  fields: [["id"], ["price", "quantity"]],
  moduleType: ["ORDER", "CONTRACT", "ENTITY"],
  status: ["working", "docs_in_place"],
  reason: ["a test"],
  confirm: [true],
  category: ["order", "market"],
  startTime: ["2030-06-01T00:00:00Z"],
  date: ["2030-06-01"],
  waitSeconds: [0, 1, 30],
  limitType: ["notional"],
  scope: ["total"],
  creditLimit: [100_000],
  type: ["heat_wave"],
  preset: ["calm"],
  idempotencyKey: ["key-1", "key-2", "key-3"],
  text: ["a text"],
};
const OFTEN_LEFT_OUT = ["waitSeconds", "idempotencyKey", "fields", "startTime", "date", "status"];

/** Arguments for each tool: half are plausible, a third fit the schema, the rest have a fault. */
export type ArgumentPool = ReadonlyMap<string, readonly unknown[]>;

export function argumentPool(tools: readonly Tool[], seed: number, size: number): ArgumentPool {
  return new Map(tools.map((tool, at) => {
    const schema = wholeInputSchema(tool);
    const drawn = fc.sample(inputsOf(schema, { known: KNOWN }), { numRuns: Math.ceil(size / 2), seed: seed + at });
    const draw = new Draw(seed, at);
    const plausible = Array.from({ length: Math.floor(size / 2) }, () => plausibleInput(schema, draw));
    return [tool.name, [...drawn, ...plausible]];
  }));
}

function plausibleInput(schema: Schema, draw: Draw): Json {
  const required = (schema["required"] ?? []) as readonly string[];
  const names = Object.keys((schema["properties"] ?? {}) as object).filter((name) =>
    name in PLAUSIBLE && (required.includes(name) || draw.chance(OFTEN_LEFT_OUT.includes(name) ? 0.1 : 0.5))
  );
  return Object.fromEntries(names.map((name) => [name, draw.of(PLAUSIBLE[name] ?? [])]));
}

function usualId(draw: Draw): unknown {
  return draw.weighted<unknown>([
    [8, draw.integer(0, 9999)],
    [1, 2 ** 40 + draw.integer(0, 9)],
    [2, draw.of(["a", "req-1", "7", "00000000-0000-4000-8000-000000000000"])],
  ]);
}

const CLIENTS: readonly Json[] = [
  { name: "mkt-test", version: "1.0.0" },
  { name: "desk", version: "0", title: "Desk" },
  { name: "full", version: "2.1", title: "t", websiteUrl: "https://desk.example", description: "d", icons: [] },
];

const CAPABILITIES: readonly Json[] = [
  {},
  { elicitation: {} },
  { elicitation: { form: {} } },
  { elicitation: { url: {} } },
  { sampling: {}, roots: { listChanged: true } },
  { experimental: { x: { y: 1 } }, extensions: { "a/b": {} } },
];

/** The `_meta` of a request; undefined if it has none. */
function usualMeta(era: Era, draw: Draw): Json | undefined {
  if (era !== MODERN) return draw.weighted<Json | undefined>([[6, undefined], [1, {}], [1, { "acme/trace": "1" }]]);
  const [client, capabilities] = [draw.of(CLIENTS), draw.of(CAPABILITIES)];
  return structuredClone({ [VERSION_KEY]: MODERN, [CLIENT_KEY]: client, [CAPABILITIES_KEY]: capabilities });
}

/** Tools that ask a person first, if they are told to. */
const QUESTIONS = ["mkt_halt_market", "mkt_flush_order_book", "mkt_flush_all_orders"];

const METHODS = [[40, "tools/call"], [2, "tools/list"], [3, "ping"], [3, "server/discover"]] as const;

function usualMessage(era: Era, pool: ArgumentPool, draw: Draw): Json {
  const method = draw.weighted<string>(METHODS);
  const meta = usualMeta(era, draw);
  const base = { jsonrpc: "2.0", id: usualId(draw), method };
  const withMeta = meta === undefined ? {} : { _meta: meta };
  if (method !== "tools/call") {
    return meta === undefined && draw.chance(0.5) ? base : { ...base, params: { ...withMeta } };
  }
  const name = draw.of(draw.chance(0.1) ? QUESTIONS.filter((tool) => pool.has(tool)) : []) ?? draw.of([...pool.keys()]);
  const inputs = pool.get(name) ?? [];
  const input = structuredClone(draw.of(inputs));
  const isFollowed = name === "probe_progress" && draw.chance(0.7);
  const token = { _meta: { ...meta, progressToken: draw.of(["p", 7]) } };
  const params = { name, ...(input !== undefined && { arguments: input }), ...(isFollowed ? token : withMeta) };
  return { ...base, params };
}

const ACCEPT = [[5, "application/json, text/event-stream"], [2, "application/json"], [1, "*/*"], [1, null]] as const;

/** `authorization`: of a setting with tokens. */
export function usualRequest(pool: ArgumentPool, authorization: string | null, draw: Draw): Draft {
  const era = draw.weighted<Era>(ERAS);
  const message = usualMessage(era, pool, draw);
  const method = String(message["method"]);
  const headers: [string, string][] = [
    ["Host", draw.weighted([[5, "localhost"], [1, "localhost:8080"], [1, "127.0.0.1:4087"], [1, "[::1]"]])],
    ["Content-Type", draw.weighted([[6, "application/json"], [1, "application/json; charset=utf-8"]])],
  ];
  const accept = draw.weighted<string | null>(ACCEPT);
  if (accept !== null) headers.push(["Accept", accept]);
  if (authorization !== null) headers.push(["Authorization", authorization]);
  if (era !== "none") headers.push(["MCP-Protocol-Version", era]);
  if (era === MODERN) headers.push(["Mcp-Method", method]);
  if (era === MODERN && method === "tools/call") {
    headers.push(["Mcp-Name", String((message["params"] as Json)["name"])]);
  }
  return {
    era,
    kind: method,
    message,
    text: "",
    bytes: new Uint8Array(),
    headers,
    method: "POST",
    target: "/mcp",
    address: draw.weighted([[6, "10.0.0.1"], [1, "10.0.0.2"], [1, "unknown"]]),
  };
}
