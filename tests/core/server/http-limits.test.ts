// Limits of the HTTP server on the bytes of a request, over sockets: size and time of bodies, size of headers. mcp-app.test.ts
// has the limits on the number of requests.

import { describe, expect, test } from "bun:test";
import type { Socket } from "node:net";
import { httpServerHere } from "../../support/in-process.ts";
import { headOf, raw } from "../../support/raw-http.ts";
import { JSON_HEADERS, LIST, NO_BACKEND, post } from "../../support/http-requests.ts";

const open = await httpServerHere({ ...NO_BACKEND, MAX_BODY_SIZE: "2000", MCP_BODY_TIMEOUT_MS: "1000" });

describe("POST /mcp body larger than MAX_BODY_SIZE", () => {
  const CHUNK = `400\r\n${"x".repeat(0x400)}\r\n`;

  test.each([
    ["is 413 from Content-Length alone, before any of the body is sent", "Content-Length: 500000000", ""],
    ["is 413 during a chunked body that never ends", "Transfer-Encoding: chunked", CHUNK.repeat(3)],
  ])("%s", async (_, header, body) => {
    const send = (socket: Socket) => socket.write(headOf(open.url, [header]) + body);
    const answer = await raw(open.url, send, (text) => text.includes("payload_too_large"));
    expect(answer).toStartWith("HTTP/1.1 413");
  });

  test("is not refused at exactly the limit", async () => {
    const body = LIST.padEnd(2000, " ");
    expect((await post(open, body)).status).toBe(200);
    const above = await post(open, `${body} `);
    expect([above.status, await above.json()]).toMatchObject([413, { error: { code: "payload_too_large" } }]);
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
    expect([response.status, await response.json()]).toMatchObject([400, { error: { code: "invalid_body" } }]);
  });

  test("with headers of more than 16 KiB is 431", async () => {
    const answer = await raw(open.url, (socket) => socket.write(headOf(open.url, [`X-Long: ${"x".repeat(20_000)}`])));
    expect(answer).toStartWith("HTTP/1.1 431");
  });
});
