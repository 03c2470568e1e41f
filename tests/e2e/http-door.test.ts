// The Origin check and the security headers of the HTTP server, on every route. The other checks of a request are in
// tests/core/server/mcp-app.test.ts and tests/common/http, tokens in http-tokens.test.ts.

import { describe, expect, test } from "bun:test";
import { startHttpServer } from "../support/executable.ts";
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

test.each(["https://evil.example", "null", "http://localhost.evil.example"])(
  "Origin %s is 403, on every route",
  async (origin) => {
    for (const path of ["/mcp", "/health", "/metrics", "/nowhere"]) {
      expect((await fetch(`${open.url}${path}`, { headers: { Origin: origin } })).status).toBe(403);
    }
  },
);
