// The HTTP face as the specification's endpoints and design have it: body limit, token, Host and Origin, methods.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { connect, type Socket } from "node:net";
import { connectHttp } from "../support/clients.ts";
import { type RunningMkt, startHttpServer } from "../support/executable.ts";

const BACKEND = { MKT_HOST: "127.0.0.1:1", MKT_BASE_URL: "http://127.0.0.1:1", MKT_USER_ID: "anna" };
const TOKEN = "correct-horse-battery";
const JSON_HEADERS = { "Content-Type": "application/json", "Accept": "application/json, text/event-stream" };
const LIST = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} });

let open: RunningMkt & { readonly url: string };
let guarded: RunningMkt & { readonly url: string };

beforeAll(async () => {
  open = await startHttpServer({ ...BACKEND, MAX_BODY_SIZE: "2000" });
  guarded = await startHttpServer({ ...BACKEND, MCP_BEARER_TOKEN: TOKEN, MCP_RATE_LIMIT: "3" });
});

afterAll(async () => {
  for (const server of [open, guarded]) expect(await server.stop()).toBe(0);
});

/** Writes raw bytes and gives what came back until the server closed, or until `enough` says so. */
async function raw(url: string, write: (socket: Socket) => void, enough: (text: string) => boolean): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const { promise, resolve } = Promise.withResolvers<string>();
  let text = "";
  socket.on("data", (chunk) => {
    text += chunk.toString();
    if (enough(text)) resolve(text);
  });
  socket.on("close", () => resolve(text));
  socket.on("error", () => resolve(text));
  socket.on("connect", () => write(socket));
  try {
    return await promise;
  } finally {
    socket.destroy();
  }
}

const headersOf = (url: string, lines: readonly string[]) =>
  [`POST /mcp HTTP/1.1`, `Host: ${new URL(url).host}`, "Content-Type: application/json", ...lines, "", ""].join("\r\n");

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
      (socket) => socket.write(headersOf(open.url, ["Content-Length: 500000000"])),
      (text) => text.includes("payload_too_large"),
    );
    expect(answer).toStartWith("HTTP/1.1 413");
  });

  test("is 413 in the middle of a chunked body that never ends", async () => {
    const chunk = `400\r\n${"x".repeat(0x400)}\r\n`;
    const answer = await raw(open.url, (socket) => {
      socket.write(headersOf(open.url, ["Transfer-Encoding: chunked"]));
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
    const responses = await Promise.all(
      Array.from({ length: 12 }, () => fetch(`${guarded.url}/mcp`, { method: "POST", headers, body: LIST })),
    );
    const refused = responses.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    expect(Number(refused[0]?.headers.get("Retry-After"))).toBeGreaterThanOrEqual(1);
    expect(responses.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
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
