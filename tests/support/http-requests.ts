// Requests for the tests of the HTTP server, and an environment whose backend does not exist.

export const NO_BACKEND = { MKT_HOST: "127.0.0.1:1", MKT_BASE_URL: "http://127.0.0.1:1", MKT_USER_ID: "anna" };
export const JSON_HEADERS = {
  "Content-Type": "application/json",
  "Accept": "application/json, text/event-stream",
};
export const LIST = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} });

/** POSTs a body to /mcp of a server, JSON if it is no text. */
export function post(
  server: { readonly url: string },
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const init = { method: "POST", headers: { ...JSON_HEADERS, ...headers } };
  return fetch(`${server.url}/mcp`, { ...init, body: typeof body === "string" ? body : JSON.stringify(body) });
}
