// A page in a browser as the client: preflights, answers and refusals of the HTTP server.

import { describe, expect, test } from "bun:test";
import { httpServerHere } from "../../support/in-process.ts";
import { raw } from "../../support/raw-http.ts";
import { LIST, NO_BACKEND, post } from "../../support/http-requests.ts";

const PAGE = "http://localhost:6274";
const TOKEN = "a-token-of-enough-length-for-tests";
/** The request headers of the official Inspector's browser client, as its preflight lists them. */
const INSPECTOR = "authorization,content-type,mcp-method,mcp-name,mcp-protocol-version,mcp-session-id,last-event-id";

const guarded = await httpServerHere({
  ...NO_BACKEND,
  MCP_BEARER_TOKEN: TOKEN,
  MAX_BODY_SIZE: "2000",
  MCP_UNAUTHORIZED_LIMIT: "1",
});

function preflight(path: string, origin: string): Promise<string> {
  const lines = [
    `OPTIONS ${path} HTTP/1.1`,
    `Host: ${new URL(guarded.url).host}`,
    `Origin: ${origin}`,
    "Access-Control-Request-Method: POST",
    `Access-Control-Request-Headers: ${INSPECTOR}`,
    "Connection: close",
  ];
  return raw(guarded.url, (socket) => socket.write(`${lines.join("\r\n")}\r\n\r\n`));
}

describe("a page from an allowed origin", () => {
  test.each(["/mcp", "/health", "/metrics"])("gets its preflight of %s answered without a token", async (path) => {
    const answer = await preflight(path, PAGE);
    expect(answer).toStartWith("HTTP/1.1 204 ");
    expect(answer).toMatch(new RegExp(`^access-control-allow-origin: ${PAGE}\r$`, "im"));
    expect(answer).toMatch(new RegExp(`^access-control-allow-headers: ${INSPECTOR}\r$`, "im"));
    expect(answer).toMatch(/^access-control-allow-methods: [A-Z,]*POST/im);
    expect(answer).toMatch(/^vary: .*Origin/im);
  });

  test("may read answers and refusals: 200, 401, 429, 413, 405, 415", async () => {
    const token = { Authorization: `Bearer ${TOKEN}` };
    const answers = [
      await post(guarded, LIST, { Origin: PAGE, ...token }),
      await post(guarded, LIST, { Origin: PAGE }),
      await post(guarded, LIST, { Origin: PAGE }),
      await post(guarded, " ".repeat(2001), { Origin: PAGE, ...token }),
      await fetch(`${guarded.url}/mcp`, { headers: { Origin: PAGE, ...token } }),
      await post(guarded, LIST, { Origin: PAGE, ...token, "Content-Type": "text/plain" }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 401, 429, 413, 405, 415]);
    for (const { headers } of answers) {
      expect(headers.get("Access-Control-Allow-Origin")).toBe(PAGE);
      expect(headers.get("Access-Control-Expose-Headers")).toContain("WWW-Authenticate");
    }
  });
});

test("a page from a foreign origin gets 403 without CORS headers, for its preflight and its request", async () => {
  for (const origin of ["https://evil.example", "null", "http://localhost.evil.example"]) {
    const answer = await preflight("/mcp", origin);
    expect(answer).toStartWith("HTTP/1.1 403 ");
    expect(answer).not.toMatch(/access-control-/i);
    const response = await post(guarded, LIST, { Origin: origin, Authorization: `Bearer ${TOKEN}` });
    expect(response.status).toBe(403);
    expect(response.headers.get("Access-Control-Allow-Origin")).toBeNull();
  }
});
