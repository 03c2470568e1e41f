import { expect, test } from "bun:test";
import { RateLimiterMemory } from "rate-limiter-flexible";
import type { Replicas } from "../../../core/tools/replicas.ts";
import { mcpApp } from "../../../core/server/mcp-app.ts";
import { httpParts } from "../support/http-parts.ts";
import { configurationFor } from "../support/services.ts";
import { tokenFile } from "../../support/temporary-directory.ts";

const TOKEN = "token-of-the-desk-";

test("two servers that are replicas admit a client, and its wrong tokens, as often as one server does", async () => {
  // What replicas share, without Redis; a window does not end within this test.
  const counters = new Map<string, RateLimiterMemory>();
  const rateCounter = (name: string, points: number) =>
    counters.getOrInsertComputed(name, () => new RateLimiterMemory({ points, duration: 3_600 }));
  const replicas = { rateCounter, pendingStates: {}, facts: () => ({ status: "connected" }) } as unknown as Replicas;
  const configuration = configurationFor({
    MCP_HTTP_PORT: "0",
    MCP_BEARER_TOKEN_FILE: tokenFile(`desk ${TOKEN}`),
    MCP_RATE_LIMIT: "4",
    MCP_UNAUTHORIZED_LIMIT: "3",
  });
  const sdk = () => Promise.resolve(Response.json("answered"));
  const apps = [1, 2].map(() => mcpApp({ ...httpParts({ configuration, services: { replicas } }), plain: null, sdk }));
  const statuses = async (token: string, times: number) => {
    const answers = [];
    for (let at = 0; at < times; at += 1) {
      const headers = { Host: "localhost", "Content-Type": "application/json", Authorization: `Bearer ${token}` };
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" });
      const request = new Request("http://localhost/mcp", { method: "POST", headers, body });
      answers.push((await apps[at % 2]!.fetch(request, { address: "10.0.0.1", setIdleTimeout: () => {} })).status);
    }
    return answers;
  };
  expect(await statuses(TOKEN, 6)).toEqual([200, 200, 200, 200, 429, 429]);
  expect(await statuses("another-token-which-is-wrong", 5)).toEqual([401, 401, 401, 429, 429]);
});
