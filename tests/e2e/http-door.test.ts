// The HTTP API: routes, methods, Host and Origin checks, and the security headers of every response. Limits and tokens are
// in http-limits.test.ts and http-tokens.test.ts.

import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { connectHttp } from "../support/clients.ts";
import { startHttpServer } from "../support/executable.ts";
import { raw } from "../support/raw-http.ts";
import { LIST, NO_BACKEND, post } from "../support/http-requests.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const open = await startHttpServer(NO_BACKEND);

describe("GET /health", () => {
  test("is exempt from the Host check for probes; other routes are not", async () => {
    const headers = { Host: "probe.cluster.example" };
    expect((await fetch(`${open.url}/health`, { headers })).status).toBe(200);
    expect((await fetch(`${open.url}/metrics`, { headers })).status).toBe(403);
  });
});

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

  test("reveals no internal detail when a route fails", async () => {
    const folder = temporaryDirectory();
    writeFileSync(
      join(folder, "acme.ts"),
      `export default (mkt) => mkt.definePack({ name: "acme", description: "d",
        tools: [mkt.defineTool({ name: "acme_read", title: "t", description: "d", input: mkt.z.strictObject({}),
          output: mkt.z.looseObject({}), annotations: mkt.READ_ONLY, handler: () => { throw new Error("inside"); } })],
        resources: [mkt.defineResource({ name: "r", uri: "acme://r", title: "r", description: "d",
          read: () => { throw new Error("inside"); } })],
        prompts: [mkt.definePrompt({ name: "acme", title: "p", description: "d",
          messages: () => { throw new Error("inside"); } })],
        routes: [mkt.defineRoute({ method: "GET", path: "/acme", description: "d", readOnlyHint: true,
          handler: () => { throw new Error("inside"); } })] })`,
    );
    const server = await startHttpServer({ ...NO_BACKEND, MKT_PLUGIN_DIR: folder });
    const send = (method: string, params: unknown) => post(server, { jsonrpc: "2.0", id: 1, method, params });
    const answers = [
      await fetch(`${server.url}/acme`),
      await send("tools/call", { name: "acme_read", arguments: {} }),
      await send("resources/read", { uri: "acme://r" }),
      await send("prompts/get", { name: "acme" }),
    ];
    expect(answers[0]?.status).toBe(500);
    for (const answer of answers) {
      const text = await answer.text();
      expect(text).toMatch(/the server's log has details/);
      expect(text).not.toContain("inside");
    }
    expect(server.stderr()).toContain("inside");
  });
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

  test("a loopback Origin is accepted", async () => {
    expect((await fetch(`${open.url}/health`, { headers: { Origin: "http://localhost:5173" } })).status).toBe(200);
  });
});

describe("other requests", () => {
  test.each(["GET", "DELETE", "PUT"])("%s /mcp is 405 with Allow", async (method) => {
    const response = await fetch(`${open.url}/mcp`, { method });
    expect(response.status).toBe(405);
    expect(response.headers.get("Allow")).toBe("POST");
  });

  test("a body that is not JSON is 400, a JSON-RPC parse error", async () => {
    const response = await post(open, "{not json");
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { code: -32700 } });
  });

  test("another content type is 415", async () => {
    expect((await post(open, LIST, { "Content-Type": "text/plain" })).status).toBe(415);
  });

  test("an unknown path is 404", async () => {
    expect((await fetch(`${open.url}/mpc`)).status).toBe(404);
  });

  test("metrics count tool calls by outcome", async () => {
    const client = await connectHttp("v2", open.url);
    await client.call("mkt_ping");
    await client.call("mkt_list_orders");
    await client.close();
    const text = await (await fetch(`${open.url}/metrics`)).text();
    expect(text).toContain('mkt_tool_calls_total{tool="mkt_ping",outcome="ok"} 1');
    expect(text).toContain('mkt_tool_calls_total{tool="mkt_list_orders",outcome="not_connected"} 1');
    expect(text).toContain('mkt_pubsub_status{status="connected"} 0');
  });
});
