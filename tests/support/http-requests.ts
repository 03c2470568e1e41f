// Requests for the tests of the HTTP server, and an environment whose backend does not exist.

import { modernCall, modernHeaders } from "./raw-request.ts";

export const NO_BACKEND = { MKT_HOST: "127.0.0.1:1", MKT_BASE_URL: "http://127.0.0.1:1", MKT_USER_ID: "anna" };
export const JSON_HEADERS = {
  "Content-Type": "application/json",
  "Accept": "application/json, text/event-stream",
};
export const LIST = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} });

interface CallAnswer {
  readonly result?: {
    readonly resultType?: string;
    readonly requestState?: string;
    readonly isError?: boolean;
    readonly structuredContent?: unknown;
    readonly content?: readonly { readonly text: string }[];
  };
  readonly error?: { readonly code: number };
}

/** Calls a tool on protocol 2026-07-28; `further` are parameters beside name and arguments. */
export async function postCall(
  server: { readonly url: string },
  name: string,
  input: Record<string, unknown> = {},
  further: Record<string, unknown> = {},
  token?: string,
): Promise<CallAnswer> {
  const authorization = token !== undefined && { Authorization: `Bearer ${token}` };
  const headers = { ...modernHeaders("tools/call", name), ...authorization };
  return await (await post(server, modernCall(name, input, further), headers)).json() as CallAnswer;
}

/** POSTs a body to /mcp of a server, JSON if it is no text. */
export function post(
  server: { readonly url: string },
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const init = { method: "POST", headers: { ...JSON_HEADERS, ...headers } };
  return fetch(`${server.url}/mcp`, { ...init, body: typeof body === "string" ? body : JSON.stringify(body) });
}
