import { describe, expect, spyOn, test } from "bun:test";
import { healthAddress, probe } from "../../cli/server/health.ts";
import { atEnd } from "../support/at-end.ts";
import { runMktHere } from "../support/command-line-here.ts";
import { runMkt } from "../support/executable.ts";

function serverThatAnswers(answer: () => Response | Promise<Response>): string {
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: answer });
  atEnd(() => server.stop(true));
  return `http://127.0.0.1:${server.port}/health`;
}

describe("the address of a probe", () => {
  test.each([
    [undefined, undefined, "http://127.0.0.1:4087/health"],
    [undefined, "", "http://127.0.0.1:4087/health"],
    [undefined, "5000", "http://127.0.0.1:5000/health"],
    ["http://127.0.0.1:3001", "5000", "http://127.0.0.1:3001/health"],
    ["http://[::1]:3001/", undefined, "http://[::1]:3001/health"],
    ["https://mkt.example/base/health", undefined, "https://mkt.example/base/health"],
  ])("of %p with MCP_HTTP_PORT=%p is %s", (given, port, address) => {
    expect(healthAddress(given, port)).toBe(address);
  });

  test("must be of http", () => {
    expect(() => healthAddress("127.0.0.1:3001", undefined)).toThrow("[url]: 127.0.0.1:3001 is not an http URL");
    expect(() => healthAddress(undefined, "x")).toThrow("MCP_HTTP_PORT: x is not a port");
  });
});

describe("a probe", () => {
  test("says what a healthy server answers, in one line", async () => {
    const address = serverThatAnswers(() => new Response('{"status":"ok",\n"version":"1"}'));
    expect(await probe(address, 5000)).toBe(`${address}: {"status":"ok",\\n"version":"1"}`);
  });

  test("asks the server itself, also if there is a proxy for the internet", async () => {
    const address = serverThatAnswers(() => new Response("well"));
    const { exitCode, stdout } = await runMkt(["health", address], { HTTP_PROXY: "http://127.0.0.1:1" });
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: `${address}: well\n` });
  });

  test.each([[[], 3_000], [["--timeout-ms", "41"], 41]])("with %j waits at most %d ms", async (options, limitMs) => {
    const limits = spyOn(AbortSignal, "timeout");
    atEnd(() => limits.mockRestore());
    const address = serverThatAnswers(() => new Response("well"));
    limits.mockClear();
    await runMktHere(["health", address, ...options]);
    expect(limits.mock.calls).toContainEqual([limitMs]);
  });

  test("fails at another status, and at a redirect", async () => {
    const busy = serverThatAnswers(() => new Response("busy", { status: 503 }));
    await expect(probe(busy, 5000)).rejects.toThrow(`${busy}: status 503: busy`);
    const moved = serverThatAnswers(() => Response.redirect("http://127.0.0.1:1/", 302));
    await expect(probe(moved, 5000)).rejects.toThrow(`${moved}: status 302`);
  });

  test("fails if nobody listens, or nobody answers in time", async () => {
    await expect(probe("http://127.0.0.1:1/health", 5000)).rejects.toThrow("http://127.0.0.1:1/health: ");
    const silent = serverThatAnswers(() => new Promise<Response>(() => {}));
    await expect(probe(silent, 50)).rejects.toThrow(`${silent}: no answer within 50 ms`);
    const endless = serverThatAnswers(() =>
      new Response(new ReadableStream({ start: (body) => body.enqueue(new TextEncoder().encode("well")) }))
    );
    await expect(probe(endless, 50)).rejects.toThrow(`${endless}: no answer within 50 ms`);
  });
});
