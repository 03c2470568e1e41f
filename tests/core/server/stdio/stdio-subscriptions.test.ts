// Which messages of a client on stdio begin and end its subscriptions, what the SDK sees of them, and how much is written to a
// client that does not read. A stand-in of the SDK acknowledges what it is given.

import { afterEach, beforeEach, expect, jest, test } from "bun:test";
import type { Writable } from "node:stream";
import { type JSONRPCMessage, McpServer } from "@modelcontextprotocol/server";
import type { Logger } from "../../../../common/logger.ts";
import { ResourceCatalogue } from "../../../../core/resources/resource-catalogue.ts";
import { StdioSubscriptions } from "../../../../core/server/stdio/stdio-subscriptions.ts";
import { ROUND_MS } from "../../../../core/subscriptions/change-watch.ts";

const PROTOCOL = "io.modelcontextprotocol/protocolVersion";
const SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId";
const LISTEN = "subscriptions/listen";

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

/** A resource that changes in each round. */
function serving({ reads = true } = {}) {
  const state = { version: 0, reads, isClosed: 0 };
  const written: string[] = [];
  const taken: (() => void)[] = [];
  const stdout = {
    write: (text: string, done: () => void) => {
      written.push(text);
      if (state.reads) done();
      else taken.push(done);
    },
  } as unknown as Writable;
  const one = { name: "one", uri: "odd://one", title: "t", description: "d", read: () => "" };
  const two = { ...one, name: "two", uri: "odd://two" };
  const resources = new ResourceCatalogue([one, two].map((each) => ({ ...each, version: () => state.version++ })));
  const asked: unknown[] = [];
  const requests = {
    run: async (request: { readonly name: string }, scope: { readonly caller?: string }, work: () => unknown) => {
      asked.push([request.name, scope.caller]);
      return await work();
    },
    contextFor: () => ({}),
    recordUnknown: () => {},
  };
  const log = { debug() {}, warn: (...text: unknown[]) => asked.push(text), error() {} } as unknown as Logger;
  const subscriptions = new StdioSubscriptions({ offers: { resources, requests } as never, stdout, log });
  const passed: JSONRPCMessage[] = [];
  const sent: JSONRPCMessage[] = [];
  const transport = {
    onmessage: (message: JSONRPCMessage) => void passed.push(message),
    onclose: () => void (state.isClosed += 1),
    send: (message: JSONRPCMessage) => Promise.resolve(void sent.push(message)),
  };
  subscriptions.watch(transport);
  const receive = async (message: object) => {
    transport.onmessage({ jsonrpc: "2.0", ...message } as JSONRPCMessage);
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
  };
  const acknowledge = (id: number | string) =>
    transport.send({
      jsonrpc: "2.0",
      method: "notifications/subscriptions/acknowledged",
      params: { _meta: { [SUBSCRIPTION]: id } },
    });
  const listen = (id: number | string, resourceSubscriptions: readonly string[]) =>
    receive({
      id,
      method: LISTEN,
      params: { _meta: { [PROTOCOL]: "2026-07-28" }, notifications: { resourceSubscriptions } },
    });
  /** What the client was told in these rounds: each update, with the id of its subscription. */
  const told = (rounds = 1) => {
    written.length = 0;
    jest.advanceTimersByTime(rounds * ROUND_MS);
    return written.join("").split("\n").slice(0, -1).map((line) => {
      const { params } = JSON.parse(line);
      return [params?.uri, params?._meta?.[SUBSCRIPTION]];
    });
  };
  return { ...{ state, transport, passed, sent, receive, acknowledge, listen, told, taken, subscriptions }, asked };
}

test("the SDK sees what is honoured; updates begin with its acknowledgement, and have the id of the request", async () => {
  const { listen, acknowledge, passed, told, asked } = serving();
  await listen(7, ["odd://one", "odd://gone"]);
  expect(passed).toMatchObject([{ id: 7, params: { notifications: { resourceSubscriptions: ["odd://one"] } } }]);
  expect(asked).toEqual([[LISTEN, "stdio"]]);
  expect(told()).toEqual([]);
  await acknowledge(8);
  expect(told()).toEqual([]);
  await acknowledge(7);
  expect(told(2)).toEqual([["odd://one", 7], ["odd://one", 7]]);
});

test.each<[string, (world: ReturnType<typeof serving>) => unknown]>([
  ["a cancellation", ({ receive }) => receive({ method: "notifications/cancelled", params: { requestId: 7 } })],
  ["the SDK's result", ({ transport }) => transport.send({ jsonrpc: "2.0", id: 7, result: {} })],
  ["the SDK's refusal", ({ transport }) => transport.send({ jsonrpc: "2.0", id: 7, error: { code: 1, message: "m" } })],
  ["a request of the same id", ({ listen }) => listen(7, [])],
  ["the end of the connection", ({ transport }) => transport.onclose()],
])("%s ends the subscription, and no other", async (what, end) => {
  const world = serving();
  const { listen, acknowledge, told, state } = world;
  await listen(7, ["odd://one"]);
  await listen("7", ["odd://two"]);
  await acknowledge(7);
  await acknowledge("7");
  expect(told()).toEqual([["odd://one", 7], ["odd://two", "7"]]);
  await end(world);
  const isWhole = what === "the end of the connection";
  expect(told()).toEqual(isWhole ? [] : [["odd://two", "7"]]);
  expect(state.isClosed).toBe(Number(isWhole));
});

test.each<[string, object]>([
  ["a cancellation of another request", { method: "notifications/cancelled", params: { requestId: 8 } }],
  ["a cancellation without an id", { method: "notifications/cancelled", params: {} }],
  ["a request that is named like one", { id: 9, method: "notifications/cancelled", params: { requestId: 7 } }],
  ["another notification", { method: "notifications/progress", params: { requestId: 7 } }],
])("%s goes to the SDK and ends nothing", async (_what, message) => {
  const { listen, acknowledge, told, receive, passed } = serving();
  await listen(7, ["odd://one"]);
  await acknowledge(7);
  await receive(message);
  expect(passed.at(-1)).toEqual({ jsonrpc: "2.0", ...message } as JSONRPCMessage);
  expect(told()).toEqual([["odd://one", 7]]);
});

test("a request that names too many resources is refused here, and nothing of it stays", async () => {
  const { listen, passed, sent } = serving();
  await listen(7, Array.from({ length: 201 }, (_, at) => `odd://${at}`));
  expect(passed).toEqual([]);
  expect(sent).toEqual([
    { jsonrpc: "2.0", id: 7, error: expect.objectContaining({ code: expect.any(Number) }) } as never,
  ]);
  expect(jest.getTimerCount()).toBe(0);
});

test("a client that does not read holds one update; the next comes in the round after it has read", async () => {
  const { listen, acknowledge, told, state, taken } = serving({ reads: false });
  await listen(7, ["odd://one", "odd://two"]);
  await acknowledge(7);
  expect(told(4)).toEqual([["odd://one", 7], ["odd://two", 7]]);
  expect(told(4)).toEqual([]);
  state.reads = true;
  taken[0]!();
  expect(told(1)).toEqual([["odd://one", 7], ["odd://two", 7]]);
});

/** The handlers of the subscriptions that an older client gets. */
async function older(world: ReturnType<typeof serving>, era: "legacy" | "modern" = "legacy") {
  const handlers = new Map<string, (request: object, context: object) => Promise<unknown>>();
  const server = new McpServer({ name: "t", version: "1" });
  server.server.setRequestHandler = ((method: string, handler: never) => handlers.set(method, handler)) as never;
  const made = await world.subscriptions.serving(() => Promise.resolve(server))({ era } as never);
  expect(made).toBe(server);
  const context = { mcpReq: { signal: new AbortController().signal, id: 1 } };
  const call = async (method: string, uri: string) =>
    await handlers.get(`resources/${method}`)!({ params: { uri } }, context);
  return { handlers, call };
}

test("an older client has one subscription, without an id, as long as it follows anything", async () => {
  const world = serving();
  const { call } = await older(world);
  expect(jest.getTimerCount()).toBe(0);
  await call("subscribe", "odd://one");
  await call("subscribe", "odd://two");
  expect(world.told()).toEqual([["odd://one", undefined], ["odd://two", undefined]]);
  await call("unsubscribe", "odd://one");
  expect(world.told()).toEqual([["odd://two", undefined]]);
  await call("unsubscribe", "odd://two");
  expect([world.told(), jest.getTimerCount()]).toEqual([[], 0]);
  await call("unsubscribe", "odd://two");
  await call("subscribe", "odd://one");
  expect(world.told()).toEqual([["odd://one", undefined]]);
});

test("only an older client's servers get the handlers", async () => {
  expect((await older(serving(), "modern")).handlers.size).toBe(0);
  expect([...(await older(serving())).handlers.keys()]).toEqual(["resources/subscribe", "resources/unsubscribe"]);
});

test("an older client that has asked for the list of resources follows it, and a new one does not", async () => {
  const { receive, passed, asked, subscriptions } = serving();
  await receive({ id: 1, method: "resources/list", params: { _meta: { [PROTOCOL]: "2026-07-28" } } });
  expect(jest.getTimerCount()).toBe(0);
  await receive({ id: 2, method: "resources/templates/list" });
  expect(jest.getTimerCount()).toBe(0);
  await receive({ id: 3, method: "resources/list" });
  await receive({ id: 4, method: "resources/list", params: { _meta: { progressToken: 1 } } });
  expect([jest.getTimerCount(), passed.length, asked]).toEqual([1, 4, []]);
  // Of a connection that has ended: the list is answered all the same.
  const ended = serving();
  ended.transport.onclose();
  await ended.receive({ id: 5, method: "resources/list" });
  expect([ended.passed.length, ended.asked]).toEqual([
    1,
    [["changes of resources/list are not told: {error}", { error: expect.stringContaining("shutting down") }]],
  ]);
  expect(subscriptions).toBeDefined();
});
