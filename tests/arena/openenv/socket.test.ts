// OpenEnv over a WebSocket: every message, and every code of an error.

import { expect, spyOn, test } from "bun:test";
import { Environments } from "../../../arena/openenv/environments.ts";
import type { OpenEnvServer } from "../../../arena/openenv/serve-openenv.ts";
import { SMALL } from "../small-scenario.ts";
import { BROKEN, type Json, openEnvServer, SocketClient } from "./support.ts";

const server = await openEnvServer();
/** For one session, with the reward at the end, and a scenario that can't begin. Its thread fails, and at last it ends. */
const { server: narrow, threads } = await serverWithThreads({
  maxSessions: 1,
  rewards: "final",
  scenarios: [SMALL, BROKEN],
});

/** A server, and the threads that it starts. */
async function serverWithThreads(
  options: Parameters<typeof openEnvServer>[0],
): Promise<{ server: OpenEnvServer; threads: Worker[] }> {
  const threads: Worker[] = [];
  const RealWorker = globalThis.Worker;
  globalThis.Worker = class extends RealWorker {
    constructor(...options: ConstructorParameters<typeof RealWorker>) {
      super(...options);
      threads.push(this);
    }
  };
  try {
    return { server: await openEnvServer(options), threads };
  } finally {
    globalThis.Worker = RealWorker;
  }
}

async function withClient(work: (client: SocketClient) => Promise<void>, path = "/ws", to = server): Promise<void> {
  const client = await SocketClient.open(to.url, path);
  await work(client);
  client.close();
  await client.closed;
}

const ONE_EPISODE = { seed: 7, scenario: SMALL.name };
const withNarrowClient = (work: (client: SocketClient) => Promise<void>) => withClient(work, "/ws", narrow);

const codeOf = ({ type, data }: Json) => [type, data.code];

test("a reset begins an episode, whose brief comes first, without a reward", () =>
  withClient(async (client) => {
    const { type, data } = await client.reset({ seed: 7, episode_id: "first" });
    expect(type).toBe("observation");
    expect(data).toEqual({
      observation: { brief: expect.any(String), metadata: { episode_id: "first", scenario: "small" } },
      reward: null,
      done: false,
    });
  }));

test("a step lists the tools, or calls one, whose answer comes as a value and as MCP gives it", () =>
  withClient(async (client) => {
    await client.reset();
    const { data: { observation: { tools } } } = await client.ask({ type: "step", data: { type: "list_tools" } });
    expect(tools.map(({ name }: Json) => name)).toEqual(expect.arrayContaining([...SMALL.tools, "mkt_arena_wait"]));
    expect(tools[0]).toEqual({
      name: expect.any(String),
      description: expect.any(String),
      input_schema: expect.any(Object),
    });
    const { data } = await client.call("mkt_arena_brief");
    const { observation: { tool_name: name, result, error }, reward, done } = data;
    expect([name, error, reward, done]).toEqual(["mkt_arena_brief", null, 0, false]);
    expect(result).toMatchObject({ data: { scenario: "small" }, is_error: false });
    expect(JSON.parse(result.content[0].text)).toEqual(result.data);
  }));

test("a call that has not run says which kind of error it is; what a tool refuses is its result", () =>
  withClient(async (client) => {
    await client.reset();
    const errorOf = async (tool: string, input: object) => (await client.call(tool, input)).data.observation;
    expect(await errorOf("reset", {})).toMatchObject({ result: null, error: { error_type: "tool_not_found" } });
    const invalid = await errorOf("mkt_arena_wait", { minutes: "two" });
    expect(invalid).toMatchObject({ result: null, error: { error_type: "invalid_args" } });
    const refused = await errorOf("mkt_get_order_book", { contractId: "NONE" });
    expect(refused).toMatchObject({ result: { is_error: true, data: { error: {} } }, error: null });
  }));

test("the state has the episode, its seed and its steps, and the score when it is over", () =>
  withClient(async (client) => {
    const none = await client.ask({ type: "state" });
    expect(none).toMatchObject({ type: "state", data: { episode_id: null, step_count: 0, done: false, score: null } });
    await client.reset({ seed: 7, episode_id: "second" });
    await client.call("mkt_arena_brief");
    const { data } = await client.ask({ type: "state" });
    expect(data).toMatchObject({ episode_id: "second", step_count: 1, scenario: "small", seed: 7, done: false });
    expect(Date.parse(data.market_time)).toBe(Date.parse(SMALL.start));
    await client.call("mkt_arena_submit");
    expect((await client.ask({ type: "state" })).data).toMatchObject({ done: true, score: expect.any(Number) });
  }));

test("the rewards of an episode add up to its score; after it, nothing is called", () =>
  withClient(async (client) => {
    await client.reset();
    await client.call("mkt_connect_pubsub");
    const { data: { observation } } = await client.call("mkt_arena_brief");
    const { contracts: [{ contractId }] } = observation.result.data;
    const steps = [
      await client.call("mkt_create_test_order", { contractId, side: "BUY", price: 20_000, quantity: 5 }),
      await client.call("mkt_arena_wait", { minutes: 1 }),
      await client.call("mkt_arena_wait", { minutes: SMALL.minutes }),
    ];
    const rewards = steps.map(({ data }) => data.reward);
    expect(steps.map(({ data }) => data.done)).toEqual([false, false, true]);
    expect(rewards[0]).not.toBe(0);
    const { data: { score } } = await client.ask({ type: "state" });
    expect(rewards.reduce((sum, reward) => sum + reward, 0)).toBeCloseTo(score, 5);
    expect(codeOf(await client.call("mkt_arena_brief"))).toEqual(["error", "EXECUTION_ERROR"]);
  }));

test("the same seed and calls give the same answers", async () => {
  const play = async () => {
    const client = await SocketClient.open(server.url);
    const answers = [await client.reset({ seed: 3, episode_id: "same" })];
    for (const tool of ["mkt_connect_pubsub", "mkt_arena_wait", "mkt_list_products", "mkt_arena_submit"]) {
      answers.push(await client.call(tool, tool === "mkt_arena_wait" ? { minutes: 2 } : {}));
    }
    client.close();
    await client.closed;
    return answers;
  };
  expect(await play()).toEqual(await play());
});

test("an agent uses the tools of the episode by MCP, can't reset it, and sees no reward: the trainer's next step has it", () =>
  withClient(async (client) => {
    await client.reset();
    const rpc = async (method: string, params?: object) =>
      (await client.ask({ type: "mcp", data: { jsonrpc: "2.0", id: 5, method, params } })).data;
    const { result: { tools } } = await rpc("tools/list");
    expect(tools.map(({ name }: Json) => name)).not.toEqual(expect.arrayContaining(["reset"]));
    const brief = await rpc("tools/call", { name: "mkt_arena_brief" });
    expect(brief).toEqual({
      jsonrpc: "2.0",
      id: 5,
      result: expect.objectContaining({ structuredContent: expect.any(Object) }),
    });
    expect((await rpc("reset")).error.code).toBe(-32601);
    expect((await rpc("tools/call", { name: "reset" })).error.code).toBe(-32602);
    expect((await rpc("tools/call", {})).error.code).toBe(-32602);
    await rpc("tools/call", { name: "mkt_arena_submit" });
    expect((await rpc("tools/call", { name: "mkt_arena_brief" })).error.code).toBe(-32000);
    const { data } = await client.ask({ type: "step", data: { type: "list_tools" } });
    const { data: { score } } = await client.ask({ type: "state" });
    expect(data).toMatchObject({ reward: score, done: true });
  }));

test("a connection to /mcp speaks JSON-RPC alone, in an episode of its own", () =>
  withClient(async (client) => {
    expect((await client.ask("{")).error.code).toBe(-32700);
    expect((await client.ask({ id: 1 })).error.code).toBe(-32600);
    const call = { jsonrpc: "2.0", id: "a", method: "tools/call", params: { name: "mkt_arena_brief", arguments: {} } };
    expect((await client.ask(call)).result.structuredContent.scenario).toBe("small");
    const { result: { session_id: session } } = await client.ask({ ...call, method: "openenv/session/create" });
    const close = { ...call, method: "openenv/session/close", params: { session_id: session } };
    expect((await client.ask(close)).error.code).toBe(-32600);
  }, "/mcp"));

test.each<[string, unknown, string]>([
  ["no JSON", "{", "INVALID_JSON"],
  ["an unknown type", { type: "render" }, "UNKNOWN_TYPE"],
  ["no object", "7", "UNKNOWN_TYPE"],
  ["a seed below 0", { type: "reset", data: { seed: -1 } }, "VALIDATION_ERROR"],
  ["an unknown action", { type: "step", data: { type: "jump" } }, "VALIDATION_ERROR"],
  ["a call without a tool", { type: "step", data: { type: "call_tool" } }, "VALIDATION_ERROR"],
  ["a step before a reset", { type: "step", data: { type: "list_tools" } }, "EXECUTION_ERROR"],
  ["an unknown scenario", { type: "reset", data: { scenario: "none" } }, "EXECUTION_ERROR"],
])("%s is answered with an error, and the connection goes on", (_, message, code) =>
  withClient(async (client) => {
    expect(codeOf(await client.ask(message))).toEqual(["error", code]);
    expect((await client.ask({ type: "state" })).type).toBe("state");
  }));

test("a market that can't be made is FACTORY_ERROR", () =>
  withNarrowClient(async (client) => {
    const answer = await client.reset({ seed: 7, scenario: BROKEN.name });
    expect(codeOf(answer)).toEqual(["error", "FACTORY_ERROR"]);
    expect(answer.data.message).toContain(`the market has no user "nobody"`);
  }));

test("a connection beyond the limit is told so, and ended; when another has gone, there is room", async () => {
  const { url } = narrow;
  const first = await SocketClient.open(url);
  await first.reset(ONE_EPISODE);
  const second = await SocketClient.open(url);
  const { data } = await second.next();
  expect(data).toMatchObject({ code: "CAPACITY_REACHED", active_sessions: 1, max_sessions: 1 });
  await second.closed;
  const agent = await SocketClient.open(url, "/mcp");
  expect((await agent.next()).error).toMatchObject({ code: -32000, data: { max_sessions: 1 } });
  first.close();
  await first.closed;
  const third = await SocketClient.open(url);
  expect((await third.reset(ONE_EPISODE)).type).toBe("observation");
  third.close();
  await third.closed;
});

test("close ends the connection", () =>
  withClient(async (client) => {
    client.send({ type: "close" });
    expect((await client.closed).code).toBe(1000);
  }));

test("with the reward at the end, steps before have none", () =>
  withNarrowClient(async (client) => {
    await client.reset(ONE_EPISODE);
    expect((await client.call("mkt_arena_wait", { minutes: 1 })).data.reward).toBe(0);
    const { data: { reward } } = await client.call("mkt_arena_submit");
    expect(reward).toBe((await client.ask({ type: "state" })).data.score);
  }));

test("if a thread fails, the clients of its episodes are told that they are lost, and others can begin", () =>
  withNarrowClient(async (client) => {
    await client.reset(ONE_EPISODE);
    const asked = nextReset();
    client.send({ type: "reset", data: ONE_EPISODE });
    await asked;
    threads[0]!.onerror!(new ErrorEvent("error", { message: "out of memory" }));
    const { data } = await client.next();
    expect(data).toEqual({ code: "FACTORY_ERROR", message: "out of memory" });
    expect((await client.ask({ type: "state" })).data.message).toContain("The episode was lost");
    expect((await client.reset(ONE_EPISODE)).type).toBe("observation");
  }));

test("a server that ends answers what it was asked with SESSION_ERROR, and closes the connection", () =>
  withNarrowClient(async (client) => {
    const asked = nextReset();
    client.send({ type: "reset", data: ONE_EPISODE });
    await asked;
    await narrow.stop();
    expect(codeOf(await client.next())).toEqual(["error", "SESSION_ERROR"]);
    await client.closed;
  }));

/** Resolves when the server begins to carry out a reset. */
function nextReset(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { ask } = Environments.prototype;
  const spy = spyOn(Environments.prototype, "ask").mockImplementation(function (this: Environments, name, question) {
    spy.mockRestore();
    const answer = ask.call(this, name, question);
    resolve();
    return answer;
  });
  return promise;
}
