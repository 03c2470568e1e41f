// Routes of a pack from MKT_PLUGIN_DIR over real sockets: requests, answers, streams and how they end.

import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { startHttpServer } from "../support/executable.ts";
import { raw } from "../support/raw-http.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { until } from "../support/until.ts";
import { NO_BACKEND } from "../support/http-requests.ts";

const PACK = `
const json = (value, headers) => Response.json(value, { headers });
const read = (path, handler, more) => ({ method: "GET", path, description: "d", readOnlyHint: true, handler, ...more });

export default (mkt) => mkt.definePack({
  name: "acme",
  description: "d",
  routes: [
    read("/acme/zones/:zone", ({ parameters, url, headers }) => json({
      zone: parameters.zone,
      wide: url.searchParams.get("wide"),
      token: headers.get("Authorization"),
      cookie: headers.get("Cookie"),
    })),
    read("/acme/files/*", ({ parameters }) => json(parameters["*"])),
    read("/acme/headers", () => json(1, {
      "Set-Cookie": "a=b",
      "X-Frame-Options": "ALLOWALL",
      "X-Content-Type-Options": "",
      "Access-Control-Allow-Origin": "*",
      "Content-Security-Policy": "script-src 'self' 'unsafe-inline'; frame-ancestors *",
      "Cache-Control": "max-age=60",
      "Content-Length": "7",
      "X-Acme": "own",
    })),
    read("/acme/market", () => json(1), { requires: { connection: "read" } }),
    read("/acme/refused", () => { throw new mkt.ToolError("rejected", "The text was no\\u202e.", "Try another."); }),
    read("/acme/busy", () => { throw new mkt.ToolError("rate_limited", "Too much.", "Wait."); }),
    read("/acme/broken", () => { throw new Error("inside"); }),
    read("/acme/nothing", () => undefined),
    read("/acme/missing", () => new Response("no", { status: 404 })),
    read("/acme/live", (_, context) => {
      context.signal.addEventListener("abort", () => context.log.error("live has ended"));
      return mkt.eventStream((async function* () {
        for (let count = 0; ; count++) {
          yield { event: "count", data: { count, note: "a\\u202eb" } };
          if (count === 1) await new Promise((resolve) => context.signal.addEventListener("abort", resolve));
          if (context.signal.aborted) return;
        }
      })());
    }),
    read("/acme/flood", (_, context) => {
      let parts = 0;
      context.signal.addEventListener("abort", () => context.log.error("flood: " + parts + " parts"));
      const pull = (controller) => { parts += 1; controller.enqueue(new Uint8Array(65536).fill(65)); };
      return new Response(new ReadableStream({ pull }, { highWaterMark: 0 }));
    }),
    read("/acme/breaks", () => new Response(new ReadableStream({
      async pull(controller) {
        controller.enqueue("begin");
        await new Promise((resolve) => setTimeout(resolve, 1));
        controller.error(new Error("inside"));
      },
    }))),
    { method: "POST", path: "/acme/echo", description: "d", readOnlyHint: true,
      handler: (request) => json({ json: request.json(), text: request.text(), length: request.bytes().length }) },
    { method: "POST", path: "/acme/change", description: "d", readOnlyHint: false, handler: () => json("changed") },
    { method: "GET", path: "/acme/page", description: "d",
      publicFile: { content: "<title>acme</title>", contentType: "text/html; charset=utf-8" } },
    { method: "GET", path: "/acme/large", description: "d",
      publicFile: { content: "x".repeat(3_000_000), contentType: "text/plain" } },
  ],
});
`;

const folder = temporaryDirectory();
writeFileSync(join(folder, "acme.ts"), PACK);
const ENVIRONMENT = { ...NO_BACKEND, MKT_PLUGIN_DIR: folder, MKT_CALL_LOG: "stderr", LOG_LEVEL: "info" };
const TOKEN = "token-of-the-desk-at-acme";
const open = await startHttpServer({ ...ENVIRONMENT, MAX_BODY_SIZE: "1000", MCP_BODY_TIMEOUT_MS: "1000" });

const get = (path: string, init: RequestInit = {}, server = open) => fetch(`${server.url}${path}`, init);
const post = (path: string, body: BodyInit) => get(path, { method: "POST", body });

async function failureOf(answer: Promise<Response>) {
  const response = await answer;
  const { error } = await response.json() as { error: object };
  return { status: response.status, error, retryAfter: response.headers.get("Retry-After") };
}

describe("a request", () => {
  test("reaches its route with parameters and query, without token and cookies", async () => {
    const headers = { Authorization: `Bearer ${TOKEN}`, Cookie: "a=b" };
    const answer = await get("/acme/zones/a%20b%2Fc?wide=1", { headers });
    expect(await answer.json()).toEqual({ zone: "a b/c", wide: "1", token: null, cookie: null });
    expect(await (await get("/acme/files/js/app.js")).json()).toBe("js/app.js");
  });

  test("has a body as JSON, text and bytes; a body that is none of it is 400", async () => {
    expect(await (await post("/acme/echo", '{"a":"é"}')).json())
      .toEqual({ json: { a: "é" }, text: '{"a":"é"}', length: 10 });
    const invalid: [BodyInit, string][] = [
      ["{", "The request body is not JSON."],
      [new Uint8Array([0xff]), "The request body is not UTF-8."],
      ["[".repeat(40) + "]".repeat(40), "The JSON of the request body is nested deeper than 32 levels."],
    ];
    for (const [body, message] of invalid) {
      const error = { code: "invalid_input", message, hint: expect.any(String) };
      expect(await failureOf(post("/acme/echo", body))).toEqual({ status: 400, error, retryAfter: null });
    }
  });

  test("has a body within the limits of POST /mcp, with the same refusals", async () => {
    const tooLarge = { status: 413, error: { code: "payload_too_large" } };
    expect(await failureOf(post("/acme/echo", "1".repeat(1001)))).toMatchObject(tooLarge);
    const head = `POST /acme/echo HTTP/1.1\r\nHost: ${new URL(open.url).host}\r\n`;
    const slow = await raw(open.url, (socket) => socket.write(`${head}Content-Length: 10\r\n\r\n1`));
    expect(slow).toStartWith("HTTP/1.1 408");
    expect(slow).toContain('"request_timeout"');
  });

  test("with another method is 405 with Allow, and HEAD is GET without a body", async () => {
    const others = [["PUT", "/acme/echo", "POST"], ["DELETE", "/acme/page", "GET, HEAD"]] as const;
    for (const [method, path, allow] of others) {
      const answer = await get(path, { method });
      expect([answer.status, answer.headers.get("Allow")]).toEqual([405, allow]);
      expect(await answer.json()).toMatchObject({ error: { code: "method_not_allowed" } });
    }
    const head = await get("/acme/zones/north", { method: "HEAD" });
    expect([head.status, head.headers.get("Content-Type")]).toEqual([200, "application/json;charset=utf-8"]);
    expect(await head.text()).toBe("");
  });
});

describe("an answer", () => {
  test("has the server's headers; a route sets its own only for content, policy and caching", async () => {
    const { headers } = await get("/acme/headers");
    expect(headers.get("Set-Cookie")).toBeNull();
    expect(headers.get("Access-Control-Allow-Origin")).toBeNull();
    expect(headers.get("X-Frame-Options")).toBe("DENY");
    expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
    expect(headers.get("Content-Security-Policy")).toBe(
      "script-src 'self' 'unsafe-inline'; frame-ancestors *, frame-ancestors 'none'",
    );
    expect([headers.get("Cache-Control"), headers.get("X-Acme")]).toEqual(["max-age=60", "own"]);
    expect(headers.get("Content-Length")).toBe("1");
  });

  test.each(
    [
      ["/acme/refused", 422, { code: "rejected", message: "The text was no\\u202e.", hint: "Try another." }, null],
      ["/acme/busy", 429, { code: "rate_limited", message: "Too much.", hint: "Wait." }, "1"],
      ["/acme/market", 503, { code: "not_connected", message: "There is no connection to the market." }, "1"],
      ["/acme/broken", 500, { code: "internal" }, null],
      ["/acme/nothing", 500, { code: "internal" }, null],
    ] as const,
  )("to %s that fails is %i in JSON", async (path, status, error, retryAfter) => {
    expect(await failureOf(get(path))).toMatchObject({ status, error, retryAfter });
  });

  test("with a public file is not stored unless the pack says so, whatever its size", async () => {
    for (const [path, length] of [["/acme/page", 19], ["/acme/large", 3_000_000]] as const) {
      const answer = await get(path);
      expect([answer.status, answer.headers.get("Cache-Control")]).toEqual([200, "no-store"]);
      expect(await answer.text()).toHaveLength(length);
    }
  });

  test("to a broken handler has a reference to the log, and no detail", async () => {
    const text = await (await get("/acme/broken")).text();
    const [reference] = /[0-9a-f-]{36}/.exec(text) ?? [""];
    expect(text).not.toContain("inside");
    await open.untilStderr(new RegExp(`inside[^\\n]*${reference}`));
  });

  test("that fails by its status is recorded with it, and a change by its outcome", async () => {
    expect((await get("/acme/missing")).status).toBe(404);
    await open.untilStderr(/"route":"GET \/acme\/missing","caller":null,.*"outcome":"http_404"/);
    const metrics = await (await get("/metrics")).text();
    expect(metrics).toContain('mkt_requests_total{kind="route",name="GET /acme/missing",outcome="http_404"} 1');
  });
});

describe("a stream", () => {
  test("sends events as they come, and its signal aborts when the client is gone", async () => {
    const leave = new AbortController();
    const answer = await get("/acme/live", { signal: leave.signal });
    expect(answer.headers.get("Content-Type")).toBe("text/event-stream");
    const reader = answer.body!.getReader();
    let text = "";
    await until(async () => {
      text += new TextDecoder().decode((await reader.read()).value);
      return text.endsWith('event: count\ndata: {"count":1,"note":"a\\\\u202eb"}\n\n');
    });
    leave.abort();
    await open.untilStderr(/live has ended/);
  });

  test("to a client that reads nothing is held back", async () => {
    const socket = connect(Number(new URL(open.url).port), "127.0.0.1");
    socket.pause();
    socket.write(`GET /acme/flood HTTP/1.1\r\nHost: ${new URL(open.url).host}\r\n\r\n`);
    await open.untilStderr(/"route":"GET \/acme\/flood"/);
    // Other requests are served meanwhile, so the source had time to go on.
    for (let count = 0; count < 200; count++) await get("/acme/zones/north");
    socket.destroy();
    const [, parts] = await open.untilStderr(/flood: (\d+) parts/);
    // 64 MiB would be more than any buffer of the system.
    expect(Number(parts)).toBeLessThan(1024);
  });

  test("that fails breaks off, and the log says why", async () => {
    // If it fails before its head is sent, the answer is an error, after which the connection would stay open.
    const head = `GET /acme/breaks HTTP/1.1\r\nHost: ${new URL(open.url).host}\r\nConnection: close\r\n\r\n`;
    const answer = await raw(open.url, (socket) => socket.write(head));
    // The last chunk, which would make it whole, is missing.
    expect(answer.startsWith("HTTP/1.1 200") && answer.endsWith("0\r\n\r\n")).toBe(false);
    await open.untilStderr(/the stream of[^\n]*GET \/acme\/breaks[^\n]*inside/);
  });

  test("does not run on for HEAD, holds no place of MCP_MAX_REQUESTS, and ends when the server shuts down", async () => {
    const server = await startHttpServer({ ...ENVIRONMENT, MCP_MAX_REQUESTS: "1" });
    expect(await (await get("/acme/live", { method: "HEAD" }, server)).text()).toBe("");
    await server.untilStderr(/live has ended/);
    const streams: Response[] = [];
    for (let count = 0; count < 3; count++) streams.push(await get("/acme/live", {}, server));
    expect(streams.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await get("/acme/zones/north", {}, server)).status).toBe(200);
    const stopped = server.stop();
    for (const stream of streams) expect(await stream.text()).toContain('{"count":1,');
    expect(await stopped).toBe(0);
    expect(server.stderr().match(/live has ended/g)).toHaveLength(4);
  });
});

describe("if a token is set", () => {
  test("a public file needs none, and everything else does; no stranger learns of a stream", async () => {
    const server = await startHttpServer({ ...ENVIRONMENT, MCP_BEARER_TOKEN: TOKEN });
    const page = await get("/acme/page", {}, server);
    expect([page.status, await page.text()]).toEqual([200, "<title>acme</title>"]);
    expect(page.headers.get("Content-Security-Policy")).toStartWith("default-src 'self'");
    expect((await get("/acme/page", { headers: { Host: "evil.example" } }, server)).status).toBe(403);
    for (const path of ["/acme/zones/north", "/acme/live", "/acme/nowhere", "/acme/page/x"]) {
      expect((await get(path, {}, server)).status).toBe(401);
    }
    const headers = { Authorization: `Bearer ${TOKEN}` };
    expect((await get("/acme/zones/north", { headers }, server)).status).toBe(200);
    await server.untilStderr(/"route":"GET \/acme\/zones\/:zone","caller":"default",.*"arguments":\{"zone":"north"\}/);
    const metrics = await (await get("/metrics", { headers }, server)).text();
    expect(metrics).toContain('mkt_requests_total{kind="route",name="GET /acme/page",outcome="ok"} 1');
    // It reaches nothing, so it is only counted.
    expect(server.stderr()).not.toContain('"route":"GET /acme/page"');
  });
});
