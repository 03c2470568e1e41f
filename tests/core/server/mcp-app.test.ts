// MCP over HTTP without a network: the order of the checks, their answers, and both sides of each limit.

import { afterEach, beforeEach, describe, expect, jest, test } from "bun:test";
import { definePack } from "../../../core/packs/pack.ts";
import { mcpApp, mostBodyBytes } from "../../../core/server/mcp-app.ts";
import type { SdkAnswer } from "../../../core/server/sdk/sdk-answer.ts";
import { testRoute } from "../support/declarations.ts";
import { httpParts } from "../support/http-parts.ts";
import { configurationFor } from "../support/services.ts";
import { until } from "../../support/until.ts";
import { tokenFile } from "../../support/temporary-directory.ts";

const [DESK, ROBOT] = ["token-of-the-desk-", "token-of-the-robot"];
const PING = { jsonrpc: "2.0", id: 1, method: "ping" };
const FILE = tokenFile(`desk ${DESK}`, `robot ${ROBOT}`);

afterEach(() => {
  jest.useRealTimers();
});

interface Given {
  readonly token?: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  readonly method?: string;
  readonly path?: string;
  readonly address?: string;
}

const PACK = definePack({
  name: "acme",
  description: "d",
  routes: [testRoute("/acme", () => Response.json("acme"))],
});

function serve(
  environment: Record<string, string> = {},
  { tokens = true, answer }: { readonly tokens?: boolean; readonly answer?: () => Promise<Response> } = {},
) {
  /** What the MCP server of each request would get. */
  const asked: { readonly body: unknown; readonly caller: string | null }[] = [];
  const silences: number[] = [];
  const configuration = configurationFor({
    MCP_HTTP_PORT: "0",
    MCP_UNAUTHORIZED_LIMIT: "1000000",
    ...(tokens && { MCP_BEARER_TOKEN_FILE: FILE }),
    ...environment,
  });
  const recorded: SdkAnswer = async (_request, { parsedBody, exchange }) => {
    asked.push({ body: parsedBody, caller: exchange.caller });
    return await (answer ?? (() => Promise.resolve(Response.json("answered"))))();
  };
  const app = mcpApp({ ...httpParts({ configuration, packs: [PACK] }), plain: null, sdk: recorded });
  const send = async (given: Given = {}): Promise<Response> => {
    const { token, body = PING, headers = {}, method = "POST", path = "/mcp", address = "10.0.0.1" } = given;
    const all = { Host: "localhost", "Content-Type": "application/json", ...headers };
    if (token !== undefined) Object.assign(all, { Authorization: `Bearer ${token}` });
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const init = { method, headers: all, body: method === "POST" ? text : null };
    const connection = { address, setIdleTimeout: (seconds: number) => void silences.push(seconds) };
    return await app.fetch(new Request(`http://localhost${path}`, init), connection);
  };
  const statusOf = async (given: Given = {}) => (await send(given)).status;
  return { send, statusOf, asked, silences };
}

const FOREIGN_HOST = { Host: "evil.example" };
const FOREIGN_ORIGIN = { Origin: "https://evil.example" };
const LARGE = "x".repeat(101);
const OTHER_TYPE = { "Content-Type": "text/plain" };
const batch = (size: number) => Array.from({ length: size }, (_, id) => ({ ...PING, id }));

describe("the checks of POST /mcp", () => {
  test("run in order: each hides the later ones", async () => {
    const { send, asked } = serve({ MAX_BODY_SIZE: "100", MCP_RATE_LIMIT: "1", MCP_UNAUTHORIZED_LIMIT: "1" });
    const faults = { body: LARGE, headers: OTHER_TYPE };
    const requests: readonly [code: string, given: Given][] = [
      ["malformed_request", { headers: { ...OTHER_TYPE, ...FOREIGN_ORIGIN, Host: "a b" } }],
      ["forbidden_host", { headers: { ...OTHER_TYPE, ...FOREIGN_ORIGIN, ...FOREIGN_HOST } }],
      ["forbidden_origin", { headers: { ...OTHER_TYPE, ...FOREIGN_ORIGIN } }],
      ["unauthorized", {}],
      ["payload_too_large", { token: DESK }],
      ["rate_limited", { token: DESK }],
      ["unsupported_media_type", { token: ROBOT, body: "{" }],
    ];
    for (const [code, given] of requests) {
      expect(await (await send({ ...faults, ...given })).json()).toMatchObject({ error: { code } });
    }
    expect(asked).toEqual([]);
  });

  test("end with the body: JSON, size of a batch, valid params", async () => {
    const { send } = serve({ MCP_RATE_LIMIT: "1000" });
    const codeOf = async (body: unknown) => {
      const response = await send({ token: DESK, body });
      expect(response.status).toBe(400);
      return (await response.json()).error.code;
    };
    expect(await codeOf("{")).toBe(-32700);
    expect(await codeOf(batch(21))).toBe(-32600);
    expect(await codeOf([...batch(1), { ...PING, method: "resources/read", params: {} }])).toBe(-32602);
    expect((await send({ token: DESK, body: batch(20) })).status).toBe(200);
    // Only a single request has an id to answer to.
    const read = { ...PING, method: "resources/read", params: {} };
    for (const [body, id] of [[{ ...read, id: "seven" }, "seven"], [{ ...read, id: 7 }, 7], [[read], null]] as const) {
      expect((await (await send({ token: DESK, body })).json()).id).toBe(id);
    }
  });

  test("leave JSON that is no known message to the SDK", async () => {
    const { statusOf, asked } = serve();
    const bodies = ["1", "null", '"ping"', '[1, null, "x"]', '{"method": 7}', '{"method": "no/such"}'];
    for (const body of bodies) expect(await statusOf({ token: DESK, body })).toBe(200);
    expect(asked).toHaveLength(bodies.length);
  });

  test("refuse other content types", async () => {
    const { statusOf } = serve();
    expect(await statusOf({ token: DESK, headers: OTHER_TYPE })).toBe(415);
    expect(await statusOf({ token: DESK, headers: { "Content-Type": "application/json; charset=utf-8" } })).toBe(200);
  });

  test("pass a valid request on once, parsed, with the name of its token and without the token", async () => {
    const { send, asked, silences } = serve();
    const response = await send({ token: ROBOT });
    expect(await response.json()).toBe("answered");
    expect(asked).toEqual([{ body: PING, caller: "robot" }]);
    // The idle timeout is long while the call runs, and short again after the answer.
    expect(silences).toEqual([255, 10]);
  });

  test("keep the long idle timeout for an answer that is a stream", async () => {
    const init = { headers: { "Content-Type": "text/event-stream" } };
    const answer = () => Promise.resolve(new Response("data: 1\n\n", init));
    const { send, silences } = serve({}, { answer });
    await send({ token: DESK });
    expect(silences).toEqual([255]);
  });

  test("require no token if there is none, and pass no caller", async () => {
    const { statusOf, asked } = serve({}, { tokens: false });
    expect(await statusOf({ token: "whatever" })).toBe(200);
    expect(asked).toEqual([{ body: PING, caller: null }]);
  });
});

describe("other routes", () => {
  const paths = ["/metrics", "/acme", "/nowhere", "/mcp"];

  test.each(paths)("%s is behind Host, Origin, token and rate", async (path) => {
    const { statusOf } = serve({ MCP_RATE_LIMIT: "1" });
    const get = { method: "GET", path };
    expect(await statusOf({ ...get, headers: FOREIGN_HOST })).toBe(403);
    expect(await statusOf({ ...get, headers: FOREIGN_ORIGIN })).toBe(403);
    expect(await statusOf(get)).toBe(401);
    // On a busy machine a second request may come in the next second.
    expect(await Promise.all(Array.from({ length: 20 }, () => statusOf({ ...get, token: DESK })))).toContain(429);
  });

  test("/health needs no token and no allowed Host, and does not count for the rate", async () => {
    const { send, statusOf } = serve({ MCP_RATE_LIMIT: "1" });
    for (let count = 0; count < 3; count++) {
      const response = await send({ method: "GET", path: "/health", headers: FOREIGN_HOST });
      expect([response.status, await response.json()]).toEqual([200, { status: "ok", version: "1.2.3" }]);
    }
    expect(await statusOf({ method: "GET", path: "/health", headers: FOREIGN_ORIGIN })).toBe(403);
    expect(await statusOf({ token: DESK })).toBe(200);
  });

  test.each(["GET", "DELETE", "PUT", "HEAD"])("%s /mcp is 405 with Allow", async (method) => {
    const { status, headers } = await serve().send({ method, token: DESK });
    expect([status, headers.get("Allow")]).toEqual([405, "POST"]);
  });
});

describe("MCP_RATE_LIMIT", () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });

  test("admits that many requests a second for each token; one more is 429 with Retry-After", async () => {
    const { send, statusOf } = serve({ MCP_RATE_LIMIT: "2" });
    expect([await statusOf({ token: DESK }), await statusOf({ token: DESK })]).toEqual([200, 200]);
    const refused = await send({ token: DESK });
    expect([refused.status, refused.headers.get("Retry-After")]).toEqual([429, "1"]);
    // Requests are counted by token, whatever the address.
    expect(await statusOf({ token: ROBOT })).toBe(200);
    expect(await statusOf({ token: DESK, address: "10.0.0.2" })).toBe(429);
    jest.advanceTimersByTime(1000);
    expect(await statusOf({ token: DESK })).toBe(200);
  });

  test("counts by address if there are no tokens, whatever a request claims", async () => {
    const { statusOf } = serve({ MCP_RATE_LIMIT: "1" }, { tokens: false });
    expect(await statusOf({ token: "somebody" })).toBe(200);
    expect(await statusOf({ token: "somebody-else" })).toBe(429);
    expect(await statusOf({ address: "10.0.0.2" })).toBe(200);
  });

  test("counts each message of a batch, and runs none of them above the limit", async () => {
    const { send, statusOf, asked } = serve({ MCP_RATE_LIMIT: "5" });
    expect(await statusOf({ token: DESK, body: batch(5) })).toBe(200);
    expect(await statusOf({ token: DESK })).toBe(429);
    expect(await statusOf({ token: ROBOT, body: batch(3) })).toBe(200);
    const refused = await send({ token: ROBOT, body: batch(3) });
    expect([refused.status, refused.headers.get("Retry-After")]).toEqual([429, "1"]);
    expect((await refused.json()).error).toMatchObject({
      code: "rate_limited",
      message: expect.stringContaining("A batch of 3 counts as 3 requests"),
    });
    expect(asked.map(({ body }) => (body as unknown[]).length)).toEqual([5, 3]);
  });

  test.each([["two as two", batch(2), 1], ["one message as one", batch(1), 2], ["none as one", [], 2]])(
    "counts a batch of %s",
    async (_, body, left) => {
      const { statusOf } = serve({ MCP_RATE_LIMIT: "3" });
      expect(await statusOf({ token: DESK, body })).toBe(200);
      for (let count = 0; count < left; count++) expect(await statusOf({ token: DESK })).toBe(200);
      expect(await statusOf({ token: DESK })).toBe(429);
    },
  );

  test("sets no limit if it is not set", async () => {
    const { statusOf } = serve();
    for (let count = 0; count < 50; count++) expect(await statusOf({ token: DESK, body: batch(20) })).toBe(200);
  });
});

test("all bodies together may have 128 MiB, or the limit of one body if that is larger", () => {
  const mebibyte = 1024 * 1024;
  expect(mostBodyBytes(1)).toBe(128 * mebibyte);
  expect(mostBodyBytes(128 * mebibyte)).toBe(128 * mebibyte);
  expect(mostBodyBytes(128 * mebibyte + 1)).toBe(128 * mebibyte + 1);
});

test("MCP_UNAUTHORIZED_LIMIT: that many 401 a second for each address, then 429; a valid token is still accepted", async () => {
  jest.useFakeTimers();
  const { statusOf } = serve({ MCP_UNAUTHORIZED_LIMIT: "2" });
  const statuses = [await statusOf(), await statusOf({ token: "wrong" }), await statusOf()];
  expect([...statuses, await statusOf({ token: DESK })]).toEqual([401, 401, 429, 200]);
  expect(await statusOf({ address: "10.0.0.2" })).toBe(401);
});

describe("MCP_MAX_REQUESTS", () => {
  function holding(environment: Record<string, string>, tokens = true) {
    const releases: (() => void)[] = [];
    const answer = () => new Promise<Response>((resolve) => releases.push(() => resolve(Response.json(1))));
    const { send, statusOf } = serve(environment, { tokens, answer });
    const held: { readonly ended: Promise<Response>; readonly release: () => void }[] = [];
    const hold = async (given: Given = {}) => {
      const count = releases.length;
      const ended = send(given);
      await until(() => releases.length > count);
      held.push({ ended, release: releases[count] ?? expect.unreachable() });
    };
    const endAll = async () => {
      for (const { ended, release } of held) {
        release();
        expect((await ended).status).toBe(200);
      }
    };
    return { send, statusOf, hold, held, endAll };
  }

  test("admits that many requests at once; one more is 503 with Retry-After, until another ends", async () => {
    const { send, statusOf, hold, held, endAll } = holding({ MCP_MAX_REQUESTS: "2" }, false);
    await hold();
    await hold();
    const refused = await send();
    expect([refused.status, refused.headers.get("Retry-After")]).toEqual([503, "1"]);
    const error = { code: "busy", message: expect.stringContaining("More than 2 ") };
    expect((await refused.json()).error).toMatchObject(error);
    expect(await statusOf({ method: "GET", path: "/health" })).toBe(200);
    expect(await statusOf({ method: "GET", path: "/metrics" })).toBe(503);
    held[0]?.release();
    expect((await held[0]?.ended)?.status).toBe(200);
    expect(await statusOf({ method: "GET", path: "/metrics" })).toBe(200);
    await hold();
    expect(await statusOf()).toBe(503);
    await endAll();
  });

  test("gives one token three quarters if there are others, which leaves capacity for them", async () => {
    const { send, statusOf, hold, endAll } = holding({ MCP_MAX_REQUESTS: "4" });
    for (const token of [DESK, DESK, DESK]) await hold({ token });
    const refused = await send({ token: DESK });
    expect(refused.status).toBe(503);
    expect((await refused.json()).error.message).toContain("More than 3 requests with your token");
    await hold({ token: ROBOT });
    expect(await statusOf({ token: ROBOT })).toBe(503);
    await endAll();
  });

  test("gives a single token the whole capacity", async () => {
    const MCP_BEARER_TOKEN_FILE = tokenFile(`desk ${DESK}`, `desk ${ROBOT}`);
    const { statusOf, hold, endAll } = holding({ MCP_MAX_REQUESTS: "4", MCP_BEARER_TOKEN_FILE });
    for (const token of [DESK, DESK, ROBOT, ROBOT]) await hold({ token });
    expect(await statusOf({ token: DESK })).toBe(503);
    await endAll();
  });

  test("releases capacity after a request that fails", async () => {
    const { statusOf } = serve({ MCP_MAX_REQUESTS: "1" }, { answer: () => Promise.reject(new Error("inside")) });
    expect([await statusOf({ token: DESK }), await statusOf({ token: DESK })]).toEqual([500, 500]);
    expect(await statusOf({ token: DESK, body: "{" })).toBe(400);
  });
});
