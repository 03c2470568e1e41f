// One request of the doctor, which goes past a proxy and ends in its time.

import { afterEach, beforeEach, describe, expect, spyOn, test } from "bun:test";
import { createServer, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { directRequest } from "../../../cli/doctor/direct-request.ts";
import { atEnd } from "../../support/at-end.ts";

const proxy = process.env["HTTP_PROXY"];
beforeEach(() => {
  process.env["HTTP_PROXY"] = "http://127.0.0.1:1";
});
afterEach(() => {
  if (proxy === undefined) delete process.env["HTTP_PROXY"];
  else process.env["HTTP_PROXY"] = proxy;
});

async function serverThat(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  atEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/path?x=1`;
}

/** The time limit of the next request, which is over when the test says so. */
function limit() {
  const over = new AbortController();
  const asked = spyOn(AbortSignal, "timeout").mockImplementation(() => over.signal);
  atEnd(() => asked.mockRestore());
  return { asked: asked.mock.calls, over: () => over.abort(new DOMException("too late", "TimeoutError")) };
}

test("a request has its method, headers and an empty body, and its answer is the status and the text", async () => {
  const seen: unknown[] = [];
  const url = await serverThat(({ method, url, headers }, response) => {
    seen.push([method, url, headers["x-own"], headers["content-length"]]);
    response.writeHead(503);
    response.write("bu");
    response.end("sy");
  });
  expect(await directRequest(url, { timeoutMs: 60_000 })).toEqual({ status: 503, text: "busy" });
  await directRequest(url, { method: "POST", headers: { "X-Own": "a" }, timeoutMs: 60_000 });
  expect(seen).toEqual([["GET", "/path?x=1", undefined, "0"], ["POST", "/path?x=1", "a", "0"]]);
});

test("of a long answer its beginning is kept", async () => {
  const url = await serverThat((_request, response) => {
    const more = (left: number) => {
      if (left === 0) return void response.end();
      response.write("x".repeat(8_192), () => more(left - 1));
    };
    more(40);
  });
  const { status, text } = await directRequest(url, { timeoutMs: 60_000 });
  expect([status, text.length >= 10_000, text.length < 300_000]).toEqual([200, true, true]);
});

describe("an answer that does not come", () => {
  test.each<[string, (response: ServerResponse) => void]>([
    ["at all", () => {}],
    ["to its end", (response) => void response.write("begun")],
  ])("%s is given up after the time limit, which the error names", async (_name, answer) => {
    const asked = Promise.withResolvers<void>();
    const url = await serverThat((_request, response) => {
      answer(response);
      asked.resolve();
    });
    const { asked: limits, over } = limit();
    const request = directRequest(url, { timeoutMs: 4_321 });
    await asked.promise;
    over();
    await expect(request).rejects.toThrow("no answer within 4321 ms");
    expect(limits).toEqual([[4_321]]);
  });

  test.each<[string, (response: ServerResponse) => void]>([
    ["before it begins", (response) => void response.socket!.destroy()],
    ["in its middle", (response) => void response.write("begun", () => response.socket!.destroy())],
  ])("because the connection breaks %s is a fault of one line", async (_name, answer) => {
    const url = await serverThat((_request, response) => answer(response));
    const error: unknown = await directRequest(url, { timeoutMs: 60_000 }).catch((error: unknown) => error);
    expect(error).toBeInstanceOf(Error);
    expect((error as Error).message).toMatch(/^(?!no answer).+$/);
  });

  test("because nobody listens is a fault that says so", async () => {
    await expect(directRequest("http://127.0.0.1:1/", { timeoutMs: 60_000 })).rejects.toThrow(/refused|connect/i);
  });
});
