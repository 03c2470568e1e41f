// What a load run makes of the answers of an MCP server, here of one that the test scripts.

import { describe, expect, test } from "bun:test";
import { McpTarget } from "../../load/mcp-target.ts";
import type { Operation, Outcome } from "../../load/operation.ts";
import { atEnd } from "../support/at-end.ts";

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
  const confirmed = { kind: "confirmed", order: { id: "O-1", isOpen: true, averagePrice: null } };
  test.each<[string, Outcome, unknown]>([
    ["of success", confirmed as Outcome, result({ status: "success", orderDetails: ORDER })],
    ["about a filled order", {
      kind: "confirmed",
      order: { id: "O-1", isOpen: false, averagePrice: 31.5 },
    }, result({ status: "success", orderDetails: { ...ORDER, closeReason: "filled", averagePrice: 31.5 } })],
    [
      "with the engine's refusal",
      { kind: "refused", code: "market_closed" },
      result({
        status: "rejected",
        reason: "market_closed",
        error: { code: "rejected" },
        orderDetails: null,
      }, true),
    ],
    [
      "that comes too late for the order",
      { kind: "refused", code: "not_cancellable" },
      result({
        status: "not_cancellable",
        orderDetails: null,
      }, true),
    ],
    [
      "of a guardrail",
      { kind: "refused", code: "frozen" },
      result({
        status: "rejected",
        error: { code: "frozen", message: "x" },
        orderDetails: null,
      }, true),
    ],
    ["without the engine's confirmation", { kind: "unknown" }, result({ status: "timeout", orderDetails: null }, true)],
    [
      "of a fault",
      { kind: "failed", code: "internal" },
      result({
        status: "error",
        error: { code: "internal" },
        orderDetails: null,
      }, true),
    ],
    ["as text only", { kind: "failed", code: "tool_error" }, {
      content: [{ type: "text", text: '{"error":{"code":"x"}}' }],
      isError: true,
    }],
    ["that is no result", { kind: "failed", code: "unreadable_answer" }, undefined],
  ])("%s", async (_name, expected, toolResult) => {
    const asJson = serverThat(({ id }) => Response.json({ jsonrpc: "2.0", id, result: toolResult }));
    expect(await outcome(targetAt(asJson))).toEqual(expected);
    const asStream = serverThat(({ id }) =>
      new Response(`event: message\ndata: ${JSON.stringify({ jsonrpc: "2.0", id, result: toolResult })}\n\n`)
    );
    expect(await outcome(targetAt(asStream))).toEqual(expected);
  });

  test("with another HTTP status has the status as its code", async () => {
    const url = serverThat(() => new Response("too many", { status: 429 }));
    expect(await outcome(targetAt(url))).toEqual({ kind: "failed", code: "http_429" });
  });

  test("that is not JSON can't be read", async () => {
    const url = serverThat(() => new Response("{nonsense"));
    expect(await outcome(targetAt(url))).toEqual({ kind: "failed", code: "unreadable_answer" });
  });

  test("that never comes leaves the outcome unknown", async () => {
    const server = Bun.listen({
      hostname: "127.0.0.1",
      port: 0,
      socket: { data: (socket) => void socket.terminate() },
    });
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

test("a connection has one call under way, and others don't wait for it", async () => {
  const first = Promise.withResolvers<void>();
  let underWay = 0;
  let most = 0;
  const url = serverThat(async ({ id, params }) => {
    most = Math.max(most, ++underWay);
    if (params.arguments["orderId"] === "slow") await first.promise;
    underWay -= 1;
    return Response.json({ jsonrpc: "2.0", id, result: result({ status: "success", orderDetails: ORDER }) });
  });
  const target = targetAt(url, 2);
  const slow = outcome(target, { kind: "cancel", orderId: "slow" });
  const behind = outcome(target, { kind: "cancel", orderId: "behind" });
  expect((await outcome(target, SUBMIT, 1)).kind).toBe("confirmed");
  first.resolve();
  expect([(await slow).kind, (await behind).kind]).toEqual(["confirmed", "confirmed"]);
  expect(most).toBe(2);
});

test("a server that refuses to connect says why", async () => {
  const refused = { error: { code: "upstream_error", message: "nothing there" } };
  const url = serverThat(({ id }) => Response.json({ jsonrpc: "2.0", id, result: result(refused, true) }));
  await expect(targetAt(url).open()).rejects.toThrow("mkt_connect_pubsub at http");
  await expect(targetAt(url).open()).rejects.toThrow("nothing there");
});
