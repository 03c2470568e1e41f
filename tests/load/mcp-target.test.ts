import { describe, expect, spyOn, test } from "bun:test";
import { McpTarget } from "../../load/mcp-target.ts";
import type { Operation, Outcome } from "../../load/operation.ts";
import { atEnd } from "../support/at-end.ts";
import { replaced } from "../support/replaced.ts";

const SUBMIT: Operation = { kind: "submit", contractId: "C", side: 1, price: -5, quantity: 2.5 };
const ORDER = { id: "O-1", closeReason: null, averagePrice: null };

interface ToolCall {
  readonly id: number;
  readonly params: { readonly name: string; readonly arguments: Record<string, unknown> };
}

function serverThat(answer: (call: ToolCall, request: Request) => Response | Promise<Response>): string {
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: async (request) => answer(await request.json() as ToolCall, request),
  });
  atEnd(() => server.stop(true));
  return `${server.url}mcp`;
}

function result(structuredContent: unknown, isError = false): Record<string, unknown> {
  return { content: [{ type: "text", text: JSON.stringify(structuredContent) }], structuredContent, isError };
}

function targetAt(url: string, connections = 1, token: string | null = null): McpTarget {
  return new McpTarget({ url, connections, token });
}

function outcome(target: McpTarget, operation: Operation = SUBMIT, connection = 0): Promise<Outcome> {
  return new Promise((settle) => target.send(connection, operation, settle));
}

describe("an answer", () => {
  const confirmed = (isOpen: boolean, averagePrice: number | null): Outcome => (
    { kind: "confirmed", order: { id: "O-1", isOpen, averagePrice } }
  );
  const success = (more = {}) => result({ status: "success", orderDetails: { ...ORDER, ...more } });
  const failure = (status: string, more = {}) => result({ status, orderDetails: null, ...more }, true);
  const asText = { content: [{ type: "text", text: '{"error":{"code":"x"}}' }], isError: true };
  const CLOSED = { reason: "market_closed", error: { code: "rejected" } };

  test.each<[string, Outcome, unknown]>([
    ["of success", confirmed(true, null), success()],
    ["about a filled order", confirmed(false, 31.5), success({ closeReason: "filled", averagePrice: 31.5 })],
    ["with the engine's refusal", { kind: "refused", code: "market_closed" }, failure("rejected", CLOSED)],
    ["too late for the order", { kind: "refused", code: "not_cancellable" }, failure("not_cancellable")],
    [
      "of a guardrail",
      { kind: "refused", code: "frozen" },
      failure("rejected", { error: { code: "frozen", message: "x" } }),
    ],
    ["without the engine's confirmation", { kind: "unknown" }, failure("timeout")],
    ["of a fault", { kind: "failed", code: "internal" }, failure("error", { error: { code: "internal" } })],
    ["as text only", { kind: "failed", code: "tool_error" }, asText],
    ["that is no result", { kind: "failed", code: "unreadable_answer" }, undefined],
  ])("%s", async (_name, expected, toolResult) => {
    const asJson = serverThat(({ id }) => Response.json({ jsonrpc: "2.0", id, result: toolResult }));
    expect(await outcome(targetAt(asJson))).toEqual(expected);
    const asStream = serverThat(({ id }) =>
      new Response(`event: message\ndata: ${JSON.stringify({ jsonrpc: "2.0", id, result: toolResult })}\n\n`)
    );
    expect(await outcome(targetAt(asStream))).toEqual(expected);
  });

  test.each<[string, string, Response]>([
    ["with another HTTP status", "http_429", new Response("too many", { status: 429 })],
    ["that is not JSON", "unreadable_answer", new Response("{nonsense")],
  ])("%s is a failure: %s", async (_name, code, response) => {
    expect(await outcome(targetAt(serverThat(() => response)))).toEqual({ kind: "failed", code });
  });

  test("that never comes leaves the outcome unknown", async () => {
    const socket = { data: (socket: { terminate(): void }) => socket.terminate() };
    const server = Bun.listen({ hostname: "127.0.0.1", port: 0, socket });
    atEnd(() => server.stop(true));
    expect(await outcome(targetAt(`http://127.0.0.1:${server.port}/mcp`))).toEqual({ kind: "unknown" });
  });
});

test("calls the tools of orders, with the token", async () => {
  const calls: unknown[] = [];
  const url = serverThat(({ id, params }, { headers }) => {
    calls.push([params.name, params.arguments, headers.get("authorization")]);
    return Response.json({ jsonrpc: "2.0", id, result: result({ status: "success", orderDetails: ORDER }) });
  });
  const target = targetAt(url, 1, "a-token");
  await target.open();
  await outcome(target);
  await outcome(target, { kind: "cancel", orderId: "O-1" });
  expect(calls).toEqual([
    ["mkt_connect_pubsub", {}, "Bearer a-token"],
    ["mkt_create_test_order", { contractId: "C", side: "SELL", price: -5, quantity: 2.5 }, "Bearer a-token"],
    ["mkt_cancel_order", { orderId: "O-1" }, "Bearer a-token"],
  ]);
});

test("a connection has one call under way, in the order of sending, and others don't wait for it", async () => {
  const first = Promise.withResolvers<void>();
  const steps: unknown[] = [];
  const url = serverThat(async ({ id, params }) => {
    const name = params.arguments["orderId"] ?? "submit";
    steps.push(name);
    if (name === "slow") await first.promise;
    steps.push(`${name} is done`);
    return Response.json({ jsonrpc: "2.0", id, result: result({ status: "success", orderDetails: ORDER }) });
  });
  const target = targetAt(url, 2);
  const [slow, behind, last] = ["slow", "behind", "last"].map((orderId) =>
    outcome(target, { kind: "cancel", orderId })
  );
  expect((await outcome(target, SUBMIT, 1)).kind).toBe("confirmed");
  expect(steps.toSorted()).toEqual(["slow", "submit", "submit is done"]);
  steps.length = 0;
  first.resolve();
  expect([(await slow)?.kind, (await behind)?.kind, (await last)?.kind]).toEqual(Array(3).fill("confirmed"));
  expect(steps).toEqual(["slow is done", "behind", "behind is done", "last", "last is done"]);
  // The connection is free again.
  expect((await outcome(target)).kind).toBe("confirmed");
});

test("a server that refuses to connect says why", async () => {
  const refused = { error: { code: "upstream_error", message: "nothing there" } };
  const url = serverThat(({ id }) => Response.json({ jsonrpc: "2.0", id, result: result(refused, true) }));
  await expect(targetAt(url).open()).rejects.toThrow(/^mkt_connect_pubsub at http.*nothing there/);
});

describe("the time of a call", () => {
  /** Time passes only as a test says. Each call waits for its answer; the limits are those of its signal. */
  function still() {
    const clock = { now: 1_000.5 };
    const limits: number[] = [];
    const asked: { readonly init: RequestInit; readonly answer: () => void; readonly fail: (error: Error) => void }[] =
      [];
    const spied = spyOn(performance, "now").mockImplementation(() => clock.now);
    atEnd(() => spied.mockRestore());
    replaced(AbortSignal, "timeout", (ms: number) => {
      limits.push(ms);
      return new AbortController().signal;
    });
    const answer = () =>
      Response.json({ jsonrpc: "2.0", id: 1, result: result({ status: "success", orderDetails: ORDER }) });
    replaced(globalThis, "fetch", (_url: unknown, init: RequestInit | undefined) => {
      const { promise, resolve, reject } = Promise.withResolvers<Response>();
      asked.push({ init: init!, answer: () => resolve(answer()), fail: reject });
      return promise;
    });
    return { clock, limits, asked };
  }

  test("is at most 15 s from when it was due, its wait for the connection included; what is left is its limit", async () => {
    const { clock, limits, asked } = still();
    const target = targetAt("http://server/mcp");
    const first = outcome(target);
    const second = outcome(target);
    clock.now += 100;
    const third = outcome(target);
    clock.now += 14_899.25;
    asked[0]!.answer();
    await first;
    clock.now += 0.75;
    asked[1]!.answer();
    await second;
    // The third was due 100 ms later.
    clock.now += 100;
    const late = outcome(target);
    asked[2]!.answer();
    expect([(await first).kind, (await second).kind, (await third).kind]).toEqual(Array(3).fill("confirmed"));
    asked[3]!.answer();
    await late;
    expect(limits).toEqual([15_000, 1, 100, 15_000]);
  });

  test("that is over before the connection is free leaves it unsent, and the next one is sent", async () => {
    const { clock, asked } = still();
    const target = targetAt("http://server/mcp");
    const [first, second] = [outcome(target), outcome(target)];
    clock.now += 15_000;
    const third = outcome(target);
    asked[0]!.answer();
    expect([(await first).kind, (await second).kind]).toEqual(["confirmed", "not_sent"]);
    asked[1]!.answer();
    expect([(await third).kind, asked.length]).toEqual(["confirmed", 2]);
  });

  test.each([
    ["ECONNREFUSED", { kind: "failed", code: "connection_refused" }],
    ["ECONNRESET", { kind: "unknown" }],
    ["a time that is over", { kind: "unknown" }],
  ])("that ends with %s has the outcome %j", async (code, expected) => {
    const { asked } = still();
    const sent = outcome(targetAt("http://server/mcp"));
    asked[0]!.fail(Object.assign(new Error("failed"), { code }));
    expect(await sent).toEqual(expected as Outcome);
  });

  test("has its own number, and no token if there is none", async () => {
    const { asked } = still();
    const target = targetAt("http://server/mcp", 3);
    const all = [0, 1, 2].map((connection) => outcome(target, SUBMIT, connection));
    for (const { answer } of asked) answer();
    await Promise.all(all);
    expect(asked.map(({ init }) => (JSON.parse(String(init.body)) as ToolCall).id)).toEqual([1, 2, 3]);
    expect(asked[0]!.init).toMatchObject({ method: "POST", signal: expect.any(AbortSignal) });
    expect(asked[0]!.init.headers).toEqual({
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2025-11-25",
    });
  });

  test.each([
    "ECONNREFUSED",
    "ECONNRESET",
  ])("before a run: a server that answers with %s ends it, and the reason names it", async (code) => {
    const { asked, limits } = still();
    const opened = targetAt("http://server/mcp").open();
    asked[0]!.fail(Object.assign(new Error("failed"), { code }));
    await expect(opened).rejects.toThrow(/^mkt_connect_pubsub at http:\/\/server\/mcp: ./);
    expect(limits).toEqual([15_000]);
  });
});
