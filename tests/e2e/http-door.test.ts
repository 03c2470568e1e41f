// Host and Origin checks and the security headers of the HTTP server, over a socket. The other checks of a request are in
// tests/core/server/mcp-app.test.ts, tokens in http-tokens.test.ts.

import { describe, expect, test } from "bun:test";
import { startHttpServer } from "../support/executable.ts";
import { raw } from "../support/raw-http.ts";
import { NO_BACKEND } from "../support/http-requests.ts";

const open = await startHttpServer(NO_BACKEND);

describe("every answer", () => {
  test.each(["/health", "/mcp", "/metrics", "/nowhere"])(
    "of %s has security headers for browsers",
    async (path) => {
      const { headers } = await fetch(`${open.url}${path}`);
      expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
      expect(headers.get("Cache-Control")).toBe("no-store");
      expect(headers.get("Content-Security-Policy")).toContain("frame-ancestors 'none'");
      expect(headers.get("Referrer-Policy")).toBe("no-referrer");
      expect(headers.get("X-Powered-By") ?? headers.get("Server")).toBeNull();
    },
  );
});

describe("Host and Origin", () => {
  test.each([
    ["evil.example", "403", "forbidden_host"],
    ["127.0.0.1.evil.example", "403", "forbidden_host"],
    ["localhost@evil.example", "400", "malformed_request"],
    ["evil@localhost", "400", "malformed_request"],
    ["localhost/mcp", "400", "malformed_request"],
    ["[::", "400", "malformed_request"],
    ["", "400", "malformed_request"],
  ])("Host %p is %s in JSON", async (host, status, code) => {
    const answer = await raw(
      open.url,
      (socket) => socket.write(`GET /mcp HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`),
    );
    expect(answer).toStartWith(`HTTP/1.1 ${status} `);
    expect(JSON.parse(answer.slice(answer.indexOf("\r\n\r\n")))).toMatchObject({ error: { code } });
  });

  test.each(["https://evil.example", "null", "http://localhost.evil.example"])(
    "Origin %s is 403, on every route",
    async (origin) => {
      for (const path of ["/mcp", "/health", "/metrics", "/nowhere"]) {
        expect((await fetch(`${open.url}${path}`, { headers: { Origin: origin } })).status).toBe(403);
      }
    },
  );
});
