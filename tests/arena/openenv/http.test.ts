// OpenEnv over HTTP: the checks that its command `openenv validate` makes of a running server, the routes of trainers, and
// the sessions of agents.

import { describe, expect, spyOn, test } from "bun:test";
import { Environments } from "../../../arena/openenv/environments.ts";
import { get, type Json, openEnvServer, post } from "./support.ts";

const MOST = 3;
const server = await openEnvServer({ maxSessions: MOST });
const production = await openEnvServer({ mode: "production" });
const CONTROL = ["/reset", "/step", "/state"];

describe.each([["simulation", server.url], ["production", production.url]])(
  "openenv validate, %s mode",
  (mode, url) => {
    test("the version of the API is a text, and its paths have the routes of trainers in simulation mode alone", async () => {
      const { info, paths } = await get(`${url}/openapi.json`);
      expect(info.version).toMatch(/^\d+\.\d+\.\d+/);
      for (const path of CONTROL) expect(path in paths).toBe(mode === "simulation");
      expect(Object.keys(paths)).toEqual(expect.arrayContaining(["/health", "/metadata", "/schema", "/mcp"]));
    });

    test("it is healthy, has metadata, and schemas of actions, observations and state", async () => {
      expect(await get(`${url}/health`)).toEqual({ status: "healthy" });
      expect(await get(`${url}/metadata`)).toMatchObject({ name: "mkt-arena", description: expect.any(String) });
      const { action, observation, state } = await get(`${url}/schema`);
      for (const schema of [action, observation, state]) expect(schema).toBeObject();
    });

    test("/mcp answers an empty object with status 200 and an error of JSON-RPC", async () => {
      const answer = await post(`${url}/mcp`, {});
      expect(answer).toMatchObject({ status: 200, jsonrpc: "2.0", error: { code: -32600 } });
    });

    test("the routes of trainers are there in simulation mode alone", async () => {
      const statuses = [
        (await post(`${url}/reset`, { seed: 1, episode_id: "there" })).status,
        // Alone, it needs no name.
        (await post(`${url}/step`, { action: { type: "list_tools" } })).status,
        (await get(`${url}/state?episode_id=there`)).status ?? 200,
      ];
      expect(statuses).toEqual(mode === "simulation" ? [200, 200, 200] : [404, 404, 404]);
    });
  },
);

describe("an episode", () => {
  const step = (action: Json, episode?: string, further: object = {}) =>
    post(`${server.url}/step`, { action, ...episode !== undefined && { episode_id: episode }, ...further });

  test("is begun by a reset, and each step names it", async () => {
    const begun = await post(`${server.url}/reset`, { seed: 7, episode_id: "one" });
    expect(begun).toMatchObject({
      status: 200,
      observation: { metadata: { episode_id: "one" } },
      reward: null,
      done: false,
    });
    await post(`${server.url}/reset`, { seed: 7, episode_id: "two" });
    const call = { type: "call_tool", tool_name: "mkt_arena_submit", arguments: {} };
    expect(await step(call, "one")).toMatchObject({ done: true, reward: expect.any(Number) });
    expect(await get(`${server.url}/state?episode_id=one`)).toMatchObject({ step_count: 1, done: true });
    expect(await get(`${server.url}/state?episode_id=two`)).toMatchObject({ step_count: 0, done: false });
  });

  test("must be named if several are open, and must be one of them", async () => {
    const list = { type: "list_tools" };
    expect((await step(list)).detail[0]).toMatchObject({ loc: ["body", "episode_id"], type: "missing" });
    expect((await step(list, "none")).detail[0]).toMatchObject({ type: "unknown" });
    expect((await get(`${server.url}/state`)).detail[0]).toMatchObject({ loc: ["query", "episode_id"] });
  });

  test("that is over gives way to a new one if there is no room", async () => {
    const { url } = server;
    const reset = (episode: string) => post(`${url}/reset`, { episode_id: episode, seed: 1 });
    // Of the three before, one is over.
    expect((await reset("old")).status).toBe(200);
    expect(await reset("new")).toMatchObject({ status: 503, active_sessions: MOST, max_sessions: MOST });
    const create = { jsonrpc: "2.0", id: 1, method: "openenv/session/create" };
    expect((await post(`${url}/mcp`, create)).error).toMatchObject({ code: -32000, data: { active_sessions: MOST } });
    const call = { type: "call_tool", tool_name: "mkt_arena_submit" };
    for (const episode of ["old", "two"]) expect(await step(call, episode)).toMatchObject({ done: true });
    expect((await reset("new")).status).toBe(200);
  });

  test("whose call takes longer than its limit is answered by an error, and goes on", async () => {
    await post(`${server.url}/reset`, { seed: 7, episode_id: "slow" });
    const call = { type: "call_tool", tool_name: "mkt_arena_submit", arguments: {} };
    const letGo = holdNextQuestion();
    const { observation, done } = await step(call, "slow", { timeout_s: 1e-9 });
    expect([observation.error.error_type, done]).toEqual(["timeout", false]);
    letGo();
    expect(await get(`${server.url}/state?episode_id=slow`)).toMatchObject({ done: true });
  });
});

test.each<[string, string, unknown, Json]>([
  ["/reset", "no JSON", "{", { loc: ["body"], type: "json_invalid" }],
  ["/reset", "a seed below 0", { seed: -1 }, { loc: ["body", "seed"] }],
  ["/step", "no action", {}, { loc: ["body", "action"] }],
  ["/step", "an action of no kind", { action: { type: "jump" } }, { loc: ["body", "action", "type"] }],
  ["/step", "a call without a tool", { action: { type: "call_tool" } }, { loc: ["body", "action", "tool_name"] }],
])("%s with %s is 422, with what is wrong", async (path, _, body, detail) => {
  const answer = await post(`${server.url}${path}`, body);
  expect(answer).toMatchObject({ status: 422 });
  expect(answer.detail[0]).toMatchObject(detail);
});

test("a reset to a scenario that the server does not offer is 422, and takes no room", async () => {
  const { url } = server;
  const submit = { type: "call_tool", tool_name: "mkt_arena_submit" };
  expect((await post(`${url}/step`, { action: submit, episode_id: "there" })).done).toBe(true);
  for (let times = 0; times < 2; times++) {
    const answer = await post(`${url}/reset`, { scenario: "none" });
    expect(answer).toMatchObject({ status: 422, detail: "There is no scenario none: use small." });
  }
  expect((await post(`${url}/reset`, { seed: 1 })).status).toBe(200);
  expect((await post(`${url}/reset`, { seed: 1 })).status).toBe(503);
});

describe("an agent", () => {
  const rpc = (method: string, params: object = {}) =>
    post(`${production.url}/mcp`, { jsonrpc: "2.0", id: 1, method, params });

  test("has an episode over several requests in a session, until it closes it", async () => {
    const { result: { session_id } } = await rpc("openenv/session/create");
    const call = (name: string) => rpc("tools/call", { name, arguments: {}, session_id });
    expect((await call("mkt_connect_pubsub")).result.structuredContent).toMatchObject({ status: "success" });
    expect((await call("mkt_list_products")).result.isError ?? false).toBe(false);
    expect((await rpc("openenv/session/close", { session_id })).result).toEqual({ session_id, closed: true });
    expect((await call("mkt_arena_brief")).error.code).toBe(-32602);
    expect((await rpc("openenv/session/close", { session_id })).error.code).toBe(-32602);
    expect((await rpc("openenv/session/close")).error.code).toBe(-32602);
  });

  test("without a session gets an episode for one request", async () => {
    expect((await rpc("tools/list")).result.tools.length).toBeGreaterThan(3);
    expect((await rpc("render")).error.code).toBe(-32601);
  });
});

test("a page in a browser reaches neither the routes nor a socket", async () => {
  const headers = { Origin: "https://evil.example" };
  expect((await fetch(`${server.url}/health`, { headers })).status).toBe(403);
  const upgrade = {
    ...headers,
    Connection: "Upgrade",
    Upgrade: "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
  };
  expect((await fetch(`${server.url}/ws`, { headers: upgrade })).status).toBe(403);
});

test("a body that is too large is refused", async () => {
  const answer = await post(`${server.url}/step`, { action: "x".repeat(1 << 20) });
  expect(answer.status).toBe(413);
});

/** The next question to an episode waits until the returned function is called. */
function holdNextQuestion(): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { ask } = Environments.prototype;
  const spy = spyOn(Environments.prototype, "ask").mockImplementation(async function (this: Environments, ...given) {
    spy.mockRestore();
    await promise;
    return await ask.apply(this, given);
  });
  return resolve;
}
