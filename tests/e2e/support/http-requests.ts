// Requests for the tests of the HTTP server, and an environment whose backend does not exist.

export const NO_BACKEND = { MKT_HOST: "127.0.0.1:1", MKT_BASE_URL: "http://127.0.0.1:1", MKT_USER_ID: "anna" };
export const JSON_HEADERS = {
  "Content-Type": "application/json",
  "Accept": "application/json, text/event-stream",
};
export const LIST = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} });
