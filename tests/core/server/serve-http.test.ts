// What the server over HTTP asks of the runtime, and in which order and for how long it ends. hang-up.test.ts stops a real one.

import { afterEach, beforeEach, expect, mock, spyOn, test } from "bun:test";
import { McpServer } from "@modelcontextprotocol/server";
import { serveHttp } from "../../../core/server/http.ts";
import { isSettled } from "../../support/still-clock.ts";
import { httpParts } from "../support/http-parts.ts";
import { configurationFor } from "../support/services.ts";

let sleeps: { readonly milliseconds: number; readonly end: () => void }[];
beforeEach(() => {
  sleeps = [];
  spyOn(Bun, "sleep").mockImplementation((milliseconds) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    sleeps.push({ milliseconds: Number(milliseconds), end: resolve });
    return promise;
  });
});
afterEach(() => mock.restore());

function serving(environment: Record<string, string> = {}, options: { readonly drainMs?: number } = {}) {
  const steps: unknown[] = [];
  const drained = Promise.withResolvers<void>();
  const server = {
    port: 4087,
    pendingRequests: 1,
    timeout: (_request: Request, seconds: number) => void steps.push(seconds),
    requestIP: () => ({ address: "10.0.0.1" }),
    stop: (isForced: boolean) => {
      steps.push(isForced ? "closed" : "stopped");
      return isForced ? Promise.resolve() : drained.promise;
    },
  };
  let given!: { readonly fetch: (request: Request, server: object) => Promise<Response>; readonly idleTimeout: number };
  const serve = spyOn(Bun, "serve").mockImplementation(
    ((settings: typeof given) => {
      given = settings;
      return server;
    }) as never,
  );
  const parts = httpParts({ configuration: configurationFor({ MCP_HTTP_PORT: "4087", ...environment }) });
  const factory = () => new McpServer({ name: "t", version: "1" });
  const http = serveHttp({ ...parts, factory, ...options });
  expect(serve).toHaveBeenCalledTimes(1);
  return { http, steps, server, drained, given };
}

const ask = (path: string) => new Request(`http://localhost:4087${path}`, { headers: { Host: "localhost:4087" } });

test.each([["10000", 15], ["10", 10], ["4999", 10], ["5001", 11], ["240000", 245]])(
  "with %s ms for a body the runtime waits %d seconds for it, and ten otherwise",
  async (MCP_BODY_TIMEOUT_MS, seconds) => {
    const { http, steps, server, given } = serving({ MCP_BODY_TIMEOUT_MS });
    expect([http.url, given.idleTimeout]).toEqual(["http://127.0.0.1:4087", 10]);
    expect((await given.fetch(ask("/health"), server)).status).toBe(200);
    expect(steps).toEqual([seconds]);
  },
);

test("a stop ends when all requests have ended, and closes nothing by force", async () => {
  const { http, steps, drained } = serving();
  const stopped = http.stop();
  expect([await isSettled(stopped), steps]).toEqual([false, ["stopped"]]);
  drained.resolve();
  await stopped;
  expect(steps).toEqual(["stopped"]);
});

test.each<[number | undefined, number]>([[undefined, 10_000], [30, 30]])(
  "a stop with the limit %p waits %d ms, and then closes the connections that are left",
  async (drainMs, expected) => {
    const { http, steps } = serving({}, drainMs === undefined ? {} : { drainMs });
    const stopped = http.stop();
    await isSettled(stopped);
    expect(sleeps.map(({ milliseconds }) => milliseconds)).toEqual([expected, 500]);
    sleeps[0]!.end();
    await stopped;
    expect(steps).toEqual(["stopped", "closed"]);
  },
);

test("a stop looks twice a second whether only clients are left that don't read, and then waits no longer", async () => {
  const { http, steps, server } = serving();
  const stopped = http.stop();
  await isSettled(stopped);
  sleeps.at(-1)!.end();
  expect([await isSettled(stopped), sleeps.map(({ milliseconds }) => milliseconds)]).toEqual([
    false,
    [10_000, 500, 500],
  ]);
  server.pendingRequests = 0;
  sleeps.at(-1)!.end();
  await stopped;
  expect(steps).toEqual(["stopped", "closed"]);
});

test("a stop that has drained looks no more", async () => {
  const { http, drained } = serving();
  const stopped = http.stop();
  await isSettled(stopped);
  drained.resolve();
  await stopped;
  const { length } = sleeps;
  for (const { end } of sleeps) end();
  await new Promise(setImmediate);
  expect(sleeps).toHaveLength(length);
});
