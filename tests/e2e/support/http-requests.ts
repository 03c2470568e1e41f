// What the tests of the HTTP door send, and the backend that none of them needs.

export const NO_BACKEND = { MKT_HOST: "127.0.0.1:1", MKT_BASE_URL: "http://127.0.0.1:1", MKT_USER_ID: "anna" };
export const JSON_HEADERS = {
  "Content-Type": "application/json",
  "Accept": "application/json, text/event-stream",
};
export const LIST = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} });
