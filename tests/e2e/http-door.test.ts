// The HTTP face as the specification's endpoints and design have it: body limit, token, Host and Origin, methods.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectHttp } from "../support/clients.ts";
import { runMkt, type RunningMkt, startHttpServer } from "../support/executable.ts";
import { headOf, raw } from "../support/raw-http.ts";

const BACKEND = { MKT_HOST: "127.0.0.1:1", MKT_BASE_URL: "http://127.0.0.1:1", MKT_USER_ID: "anna" };
const TOKEN = "correct-horse-battery";
const JSON_HEADERS = { "Content-Type": "application/json", "Accept": "application/json, text/event-stream" };
const LIST = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} });

let open: RunningMkt & { readonly url: string };
let guarded: RunningMkt & { readonly url: string };

beforeAll(async () => {
  open = await startHttpServer({ ...BACKEND, MAX_BODY_SIZE: "2000", MCP_BODY_TIMEOUT_MS: "300" });
  guarded = await startHttpServer({ ...BACKEND, MCP_BEARER_TOKEN: TOKEN, MCP_RATE_LIMIT: "3" });
});

afterAll(async () => {
  for (const server of [open, guarded]) expect(await server.stop()).toBe(0);
});

describe("GET /health", () => {
  test("answers status ok without a token", async () => {
    const response = await fetch(`${guarded.url}/health`);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ status: "ok" });
  });

  test("is exempt from the Host check, for probes, and from no other", async () => {
    const headers = { Host: "probe.cluster.example" };
    expect((await fetch(`${open.url}/health`, { headers })).status).toBe(200);
    expect((await fetch(`${open.url}/metrics`, { headers })).status).toBe(403);
  });
});

describe("POST /mcp body larger than MAX_BODY_SIZE", () => {
  test("is 413 from Content-Length alone, before any of the body is sent", async () => {
    const answer = await raw(
      open.url,
      (socket) => socket.write(headOf(open.url, ["Content-Length: 500000000"])),
      (text) => text.includes("payload_too_large"),
    );
    expect(answer).toStartWith("HTTP/1.1 413");
  });

  test("is 413 in the middle of a chunked body that never ends", async () => {
    const chunk = `400\r\n${"x".repeat(0x400)}\r\n`;
    const answer = await raw(open.url, (socket) => {
      socket.write(headOf(open.url, ["Transfer-Encoding: chunked"]));
      socket.write(chunk.repeat(3));
    }, (text) => text.includes("payload_too_large"));
    expect(answer).toStartWith("HTTP/1.1 413");
  });

  test("is not refused at exactly the limit", async () => {
    const body = LIST.padEnd(2000, " ");
    const at = await fetch(`${open.url}/mcp`, { method: "POST", headers: JSON_HEADERS, body });
    expect(at.status).toBe(200);
    const above = await fetch(`${open.url}/mcp`, { method: "POST", headers: JSON_HEADERS, body: `${body} ` });
    expect(above.status).toBe(413);
    expect(await above.json()).toMatchObject({ error: { code: "payload_too_large" } });
  });
});

describe("POST /mcp", () => {
  test("whose body is not there within MCP_BODY_TIMEOUT_MS is 408, however it trickles, and is cut off", async () => {
    for (const head of ["Content-Length: 1000", "Transfer-Encoding: chunked"]) {
      let trickle: Timer | undefined;
      const answer = await raw(open.url, (socket) => {
        socket.write(headOf(open.url, [head]));
        trickle = setInterval(() => socket.write("1\r\n \r\n"), 20);
      });
      clearInterval(trickle);
      expect(answer).toStartWith("HTTP/1.1 408");
      expect(answer).toContain("request_timeout");
    }
  });

  test("whose body is not UTF-8 is 400, and not read as something else", async () => {
    const body = new Uint8Array([0x22, 0xff, 0x22]);
    const response = await fetch(`${open.url}/mcp`, { method: "POST", headers: JSON_HEADERS, body });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { code: "invalid_body" } });
  });

  test("with a batch of more than 20 messages is 400: a request counts as one", async () => {
    const body = JSON.stringify(Array.from({ length: 21 }, (_, id) => ({ jsonrpc: "2.0", id, method: "ping" })));
    const response = await fetch(`${open.url}/mcp`, { method: "POST", headers: JSON_HEADERS, body });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { code: -32600 } });
  });

  test("with headers of more than 16 KiB is 431", async () => {
    const answer = await raw(open.url, (socket) => socket.write(headOf(open.url, [`X-Long: ${"x".repeat(20_000)}`])));
    expect(answer).toStartWith("HTTP/1.1 431");
  });

  test("above MCP_MAX_REQUESTS at once is 503 with Retry-After, and /health answers all the same", async () => {
    const server = await startHttpServer({ ...BACKEND, MCP_MAX_REQUESTS: "2", MCP_BODY_TIMEOUT_MS: "60000" });
    const post = () => fetch(`${server.url}/mcp`, { method: "POST", headers: JSON_HEADERS, body: LIST });
    const slow = [0, 1].map(() => {
      const { promise: sent, resolve } = Promise.withResolvers<() => void>();
      const ended = raw(server.url, (socket) => {
        socket.write(headOf(server.url, ["Content-Length: 1000"]), () => resolve(() => socket.destroy()));
      });
      return { sent, ended };
    });
    const cut = await Promise.all(slow.map(({ sent }) => sent));
    let refused = await post();
    while (refused.status === 200) refused = await post();
    expect(refused.status).toBe(503);
    expect(refused.headers.get("Retry-After")).toBe("1");
    expect((await fetch(`${server.url}/health`)).status).toBe(200);

    for (const close of cut) close();
    await Promise.all(slow.map(({ ended }) => ended));
    let served = await post();
    while (served.status === 503) served = await post();
    expect(served.status).toBe(200);
    expect(await server.stop()).toBe(0);
  });
});

describe("every answer", () => {
  test.each(["/health", "/mcp", "/metrics", "/nowhere"])(
    "of %s tells a browser to do nothing with it",
    async (path) => {
      const { headers } = await fetch(`${open.url}${path}`);
      expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
      expect(headers.get("Cache-Control")).toBe("no-store");
      expect(headers.get("Content-Security-Policy")).toContain("frame-ancestors 'none'");
      expect(headers.get("Referrer-Policy")).toBe("no-referrer");
      expect(headers.get("X-Powered-By") ?? headers.get("Server")).toBeNull();
    },
  );

  test("says nothing of the inside when a route fails", async () => {
    const folder = mkdtempSync(join(tmpdir(), "mkt-routes-"));
    writeFileSync(
      join(folder, "acme.ts"),
      `export default (mkt) => mkt.definePack({ name: "acme", description: "d",
        tools: [mkt.defineTool({ name: "acme_read", title: "t", description: "d", input: mkt.z.strictObject({}),
          output: mkt.z.looseObject({}), annotations: mkt.READ_ONLY, handler: () => { throw new Error("inside"); } })],
        register: (server) => server.registerResource("r", "acme://r", { title: "r" }, () => { throw new Error("inside"); }),
        routes: (app) => app.get("/acme", () => { throw new Error("inside"); }) })`,
    );
    const server = await startHttpServer({ ...BACKEND, MKT_PLUGIN_DIR: folder });
    const post = (method: string, params: unknown) =>
      fetch(`${server.url}/mcp`, {
        method: "POST",
        headers: JSON_HEADERS,
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
      });
    const answers = [
      await fetch(`${server.url}/acme`),
      await post("tools/call", { name: "acme_read", arguments: {} }),
      await post("resources/read", { uri: "acme://r" }),
    ];
    expect(answers[0]?.status).toBe(500);
    for (const answer of answers) {
      const text = await answer.text();
      expect(text).toMatch(/the server's log tells/);
      expect(text).not.toContain("inside");
    }
    expect(server.stderr()).toContain("inside");
    expect(await server.stop()).toBe(0);
    rmSync(folder, { recursive: true });
  });
});

describe("MCP_BEARER_TOKEN_FILE", () => {
  const folder = mkdtempSync(join(tmpdir(), "mkt-tokens-"));
  const file = join(folder, "tokens");
  const callLog = join(folder, "calls");

  afterAll(() => rmSync(folder, { recursive: true }));

  test("lets in by name, changes without a restart, and no token is ever logged", async () => {
    writeFileSync(file, "desk old-secret-1\n");
    const server = await startHttpServer({
      ...BACKEND,
      MCP_BEARER_TOKEN_FILE: file,
      MCP_BEARER_TOKEN: TOKEN,
      MKT_CALL_LOG: callLog,
      LOG_LEVEL: "debug",
    });
    const statusOf = async (token: string) =>
      (await fetch(`${server.url}/metrics`, { headers: { Authorization: `Bearer ${token}` } })).status;

    writeFileSync(file, "desk old-secret-1\ndesk new-secret-2\nbroken-secret-3\n");
    expect(await Promise.all(["old-secret-1", "new-secret-2", TOKEN, "other"].map(statusOf))).toEqual([
      200,
      200,
      200,
      401,
    ]);
    const client = await connectHttp("v2", server.url, "new-secret-2");
    await client.call("mkt_get_entity", { entityId: "new-secret-2" });
    await client.close();
    writeFileSync(file, "desk new-secret-2\n");
    expect(await Promise.all(["old-secret-1", "new-secret-2"].map(statusOf))).toEqual([401, 200]);
    expect(await server.stop()).toBe(0);

    const lines = (await Bun.file(callLog).text()).trimEnd().split("\n").map((line) => JSON.parse(line));
    expect(lines).toMatchObject([{
      tool: "mkt_get_entity",
      caller: "desk",
      userId: null,
      arguments: { entityId: "[secret]" },
      outcome: "backend_unavailable",
    }]);
    expect(server.stderr()).toContain("line 3: must be a name and a token");
    const everything = server.stderr() + JSON.stringify(lines);
    for (const secret of ["old-secret-1", "new-secret-2", "broken-secret-3", TOKEN]) {
      expect(everything).not.toContain(secret);
    }
  });

  test("that is not right stops the start with exit 2, naming the lines and no token", async () => {
    writeFileSync(file, "just-a-secret\ndesk two secrets\n");
    const { exitCode, stderr } = await runMkt([], { ...BACKEND, MCP_HTTP_PORT: "0", MCP_BEARER_TOKEN_FILE: file });
    expect(exitCode).toBe(2);
    expect(stderr).toContain(`mkt: MCP_BEARER_TOKEN_FILE: ${file}: line 1: `);
    expect(stderr).toContain("line 2: ");
    expect(stderr).not.toContain("secret");
  });
});

describe("a missing or wrong token", () => {
  test.each([
    ["none", undefined],
    ["a wrong one", "Bearer wrong"],
    ["a prefix of the right one", `Bearer ${TOKEN.slice(0, -1)}`],
    ["another scheme", `Basic ${TOKEN}`],
    ["an empty one", "Bearer "],
  ])("%s is 401 with WWW-Authenticate and a JSON body", async (_name, authorization) => {
    for (const path of ["/mcp", "/metrics"]) {
      const headers = authorization === undefined ? JSON_HEADERS : { ...JSON_HEADERS, Authorization: authorization };
      const response = await fetch(`${guarded.url}${path}`, { method: "POST", headers, body: LIST });
      expect(response.status).toBe(401);
      expect(response.headers.get("WWW-Authenticate")).toBe("Bearer");
      expect(await response.json()).toMatchObject({ error: { code: "unauthorized" } });
    }
  });

  test.each(["v2", "v1"] as const)("the right one lets the official client %s in", async (generation) => {
    const server = await startHttpServer({ ...BACKEND, MCP_BEARER_TOKEN: TOKEN });
    const client = await connectHttp(generation, server.url, TOKEN);
    expect((await client.listTools()).length).toBeGreaterThan(30);
    await client.close();
    await expect(connectHttp(generation, server.url, "wrong")).rejects.toThrow();
    expect(await server.stop()).toBe(0);
  });
});

describe("Host and Origin", () => {
  test.each(["evil.example", "127.0.0.1.evil.example", "localhost@evil.example", ""])(
    "Host %p is 403",
    async (host) => {
      const answer = await raw(
        open.url,
        (socket) => socket.write(`GET /mcp HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`),
        () => false,
      );
      expect(answer).toMatch(/^HTTP\/1\.1 40[03]/);
      expect(answer).not.toContain("405");
    },
  );

  test.each(["https://evil.example", "null", "http://localhost.evil.example"])(
    "Origin %s is 403, on every route",
    async (origin) => {
      for (const path of ["/mcp", "/health", "/metrics", "/nowhere"]) {
        expect((await fetch(`${open.url}${path}`, { headers: { Origin: origin } })).status).toBe(403);
      }
    },
  );

  test("a loopback Origin is let in", async () => {
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
    const response = await fetch(`${open.url}/mcp`, { method: "POST", headers: JSON_HEADERS, body: "{not json" });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { code: -32700 } });
  });

  test("another content type is 415", async () => {
    const response = await fetch(`${open.url}/mcp`, {
      method: "POST",
      headers: { "Content-Type": "text/plain" },
      body: LIST,
    });
    expect(response.status).toBe(415);
  });

  test("an unknown path is 404", async () => {
    expect((await fetch(`${open.url}/mpc`)).status).toBe(404);
  });

  test("above MCP_RATE_LIMIT is 429 with Retry-After", async () => {
    const headers = { ...JSON_HEADERS, Authorization: `Bearer ${TOKEN}` };
    const post = () => fetch(`${guarded.url}/mcp`, { method: "POST", headers, body: LIST });
    const burst = () => Promise.all(Array.from({ length: 12 }, post));
    let responses = await burst();
    while (responses.every(({ status }) => status === 200)) responses = await burst();
    const refused = responses.find(({ status }) => status !== 200);
    expect(refused?.status).toBe(429);
    expect(Number(refused?.headers.get("Retry-After"))).toBeGreaterThanOrEqual(1);
  });

  test("above MCP_RATE_LIMIT is not escaped by claiming to be somebody else in each request", async () => {
    const server = await startHttpServer({ ...BACKEND, MCP_RATE_LIMIT: "1" });
    let requests = 0;
    const statusOf = async () => {
      const headers = { ...JSON_HEADERS, Authorization: `Bearer other-${requests++}` };
      return (await fetch(`${server.url}/mcp`, { method: "POST", headers, body: LIST })).status;
    };
    let statuses = [await statusOf()];
    while (!statuses.includes(429)) statuses = await Promise.all(Array.from({ length: 12 }, statusOf));
    expect(requests).toBeGreaterThan(1);
    expect(await server.stop()).toBe(0);
  });

  test("metrics count tool calls by outcome", async () => {
    const client = await connectHttp("v2", open.url);
    await client.call("mkt_ping");
    await client.call("mkt_list_orders");
    await client.close();
    const text = await (await fetch(`${open.url}/metrics`)).text();
    expect(text).toContain('mkt_tool_calls_total{tool="mkt_ping",outcome="ok"} 1');
    expect(text).toContain('mkt_tool_calls_total{tool="mkt_list_orders",outcome="not_connected"} 1');
    expect(text).toContain("mkt_pubsub_connected 0");
  });
});
