// What the load generator sends: the messages of the measured cases, and their bytes in the forms that clients use.
//
// The headers, their values and the order of the body's fields are those of the official client (generation 2).

import type { FilledMarket } from "./orders.ts";

export const TOKEN = "bench-token-0123456789abcdef";

export interface Message {
  readonly method: "tools/call" | "tools/list";
  readonly params?: { readonly name: string; readonly arguments: Record<string, unknown> };
}

export const LIST_TOOLS: Message = { method: "tools/list" };

/** The measured tools, with arguments that have a full answer. */
export function callsOf(
  { contractId, orderId }: Pick<FilledMarket, "contractId" | "orderId">,
): Record<string, Message> {
  const inputs = {
    mkt_get_order: { orderId },
    mkt_get_order_book: { contractId },
    mkt_watch_orders: { limit: 10 },
    mkt_list_orders: { limit: 10 },
  };
  return Object.fromEntries(
    Object.entries(inputs).map(([name, input]) => [name, { method: "tools/call", params: { name, arguments: input } }]),
  );
}

const LEGACY = "2025-11-25";
const MODERN = "2026-07-28";

export interface Form {
  readonly name: string;
  readonly protocol: typeof LEGACY | typeof MODERN;
  readonly accept: string;
}

const EITHER = "application/json, text/event-stream";

/** What an official client sends unless it is told otherwise. */
export const USUAL: Form = { name: LEGACY, protocol: LEGACY, accept: EITHER };

export const OTHER_FORMS: readonly Form[] = [
  { name: `${LEGACY}, JSON only`, protocol: LEGACY, accept: "application/json" },
  { name: MODERN, protocol: MODERN, accept: EITHER },
];

export function bodyOf({ method, params }: Message, { protocol }: Form): string {
  const isModern = protocol === MODERN;
  const sent = { ...params, ...(isModern && { _meta: MODERN_META }) };
  return JSON.stringify({ method, ...((params !== undefined || isModern) && { params: sent }), jsonrpc: "2.0", id: 7 });
}

/** The bytes of a request to `url`. `body` replaces the message's own body. */
export function requestOf(url: string, message: Message, form: Form, body = bodyOf(message, form)): Uint8Array {
  const { method, params } = message;
  const isModern = form.protocol === MODERN;
  const headers = {
    "Accept": form.accept,
    "Authorization": `Bearer ${TOKEN}`,
    "Content-Type": "application/json",
    ...(isModern && { "Mcp-Method": method }),
    ...(isModern && params !== undefined && { "Mcp-Name": params.name }),
    "Mcp-Protocol-Version": form.protocol,
    "Connection": "keep-alive",
    "User-Agent": `Bun/${Bun.version}`,
    "Host": new URL(url).host,
    "Accept-Encoding": "gzip, deflate, br, zstd",
    "Content-Length": Buffer.byteLength(body),
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return Buffer.from(["POST /mcp HTTP/1.1", ...lines, "", body].join("\r\n"));
}

const META = "io.modelcontextprotocol";
const MODERN_META = {
  [`${META}/protocolVersion`]: MODERN,
  [`${META}/clientInfo`]: { name: "bench", version: "1.0.0" },
  [`${META}/clientCapabilities`]: {},
};

/** The JSON-RPC message in the body of an answer, whether it is an event stream or JSON. */
export function messageIn(body: string): { readonly result?: Record<string, unknown> } {
  const data = /^data: (.*)$/m.exec(body)?.[1];
  return JSON.parse(data ?? body);
}
