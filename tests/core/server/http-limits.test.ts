// Limits of the HTTP server: size, time and number of requests, and the response to a request above each limit.

import { describe, expect, test } from "bun:test";
import { httpServerHere } from "../../support/in-process.ts";
import { headOf, raw } from "../../support/raw-http.ts";
import { JSON_HEADERS, LIST, NO_BACKEND, post } from "../../support/http-requests.ts";

const open = await httpServerHere({ ...NO_BACKEND, MAX_BODY_SIZE: "2000", MCP_BODY_TIMEOUT_MS: "1000" });

/** A batch of this size. */
const pings = (size: number) => Array.from({ length: size }, (_, id) => ({ jsonrpc: "2.0", id, method: "ping" }));

describe("POST /mcp body larger than MAX_BODY_SIZE", () => {
  test("is 413 from Content-Length alone, before any of the body is sent", async () => {
    const answer = await raw(
      open.url,
      (socket) => socket.write(headOf(open.url, ["Content-Length: 500000000"])),
      (text) => text.includes("payload_too_large"),
    );
    expect(answer).toStartWith("HTTP/1.1 413");
  });

  test("is 413 during a chunked body that never ends", async () => {
    const chunk = `400\r\n${"x".repeat(0x400)}\r\n`;
    const answer = await raw(open.url, (socket) => {
      socket.write(headOf(open.url, ["Transfer-Encoding: chunked"]));
      socket.write(chunk.repeat(3));
    }, (text) => text.includes("payload_too_large"));
    expect(answer).toStartWith("HTTP/1.1 413");
  });

  test("is not refused at exactly the limit", async () => {
    const body = LIST.padEnd(2000, " ");
    const at = await post(open, body);
    expect(at.status).toBe(200);
    const above = await post(open, `${body} `);
    expect(above.status).toBe(413);
    expect(await above.json()).toMatchObject({ error: { code: "payload_too_large" } });
  });
});

describe("POST /mcp", () => {
  test("whose body takes longer than MCP_BODY_TIMEOUT_MS is 408, and the connection ends", async () => {
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

  test("whose body is not UTF-8 is 400", async () => {
    const body = new Uint8Array([0x22, 0xff, 0x22]);
    const response = await fetch(`${open.url}/mcp`, { method: "POST", headers: JSON_HEADERS, body });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { code: "invalid_body" } });
  });

  test("with a batch of more than 20 messages is 400", async () => {
    const body = pings(21);
    const response = await post(open, body);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { code: -32600 } });
  });

  test("with headers of more than 16 KiB is 431", async () => {
    const answer = await raw(open.url, (socket) => socket.write(headOf(open.url, [`X-Long: ${"x".repeat(20_000)}`])));
    expect(answer).toStartWith("HTTP/1.1 431");
  });

  test("above MCP_MAX_REQUESTS at once is 503 with Retry-After, and /health still answers", async () => {
    const server = await httpServerHere({ ...NO_BACKEND, MCP_MAX_REQUESTS: "2", MCP_BODY_TIMEOUT_MS: "60000" });
    const slow = [0, 1].map(() => {
      const { promise: sent, resolve } = Promise.withResolvers<() => void>();
      const ended = raw(server.url, (socket) => {
        socket.write(headOf(server.url, ["Content-Length: 1000"]), () => resolve(() => socket.destroy()));
      });
      return { sent, ended };
    });
    const cut = await Promise.all(slow.map(({ sent }) => sent));
    let refused = await post(server, LIST);
    while (refused.status === 200) refused = await post(server, LIST);
    expect(refused.status).toBe(503);
    expect(refused.headers.get("Retry-After")).toBe("1");
    expect((await fetch(`${server.url}/health`)).status).toBe(200);

    for (const close of cut) close();
    await Promise.all(slow.map(({ ended }) => ended));
    let served = await post(server, LIST);
    while (served.status === 503) served = await post(server, LIST);
    expect(served.status).toBe(200);
  });
});

describe("a client", () => {
  test("above MCP_RATE_LIMIT gets 429 with Retry-After", async () => {
    const server = await httpServerHere({ ...NO_BACKEND, MCP_RATE_LIMIT: "3" });
    const burst = () => Promise.all(Array.from({ length: 12 }, () => post(server, LIST)));
    let responses = await burst();
    while (responses.every(({ status }) => status === 200)) responses = await burst();
    const refused = responses.find(({ status }) => status !== 200);
    expect(refused?.status).toBe(429);
    expect(Number(refused?.headers.get("Retry-After"))).toBeGreaterThanOrEqual(1);
  });

  test("is limited by MCP_RATE_LIMIT in a batch: each message counts", async () => {
    const server = await httpServerHere({ ...NO_BACKEND, MCP_RATE_LIMIT: "3" });
    const statusOf = async (size: number) => (await post(server, pings(size))).status;
    expect(await statusOf(3)).toBe(200);
    // A batch above the limit never fits, even after a pause.
    for (let count = 0; count < 5; count++) expect(await statusOf(4)).toBe(429);
  });

  test("is limited by MCP_RATE_LIMIT even if each request has another token", async () => {
    const server = await httpServerHere({ ...NO_BACKEND, MCP_RATE_LIMIT: "1" });
    let requests = 0;
    const statusOf = async () => (await post(server, LIST, { Authorization: `Bearer other-${requests++}` })).status;
    let statuses = [await statusOf()];
    while (!statuses.includes(429)) statuses = await Promise.all(Array.from({ length: 12 }, statusOf));
    expect(requests).toBeGreaterThan(1);
  });
});
