// What the span of a request to the backend says, for each end that the request may have.

import { expect, test } from "bun:test";
import { tracedAction, tracedFetch } from "../../../core/backend/client-span.ts";
import { ToolError } from "../../../core/error.ts";

const PARENT = { traceId: "p", spanId: "q", isSampled: true, state: null };
const CONTEXT = { traceId: "1".repeat(32), spanId: "2".repeat(16), isSampled: true, state: "a=b" };
const SENT = { traceparent: `00-${"1".repeat(32)}-${"2".repeat(16)}-01`, tracestate: "a=b" };

/** A tracer that notes what is done with spans. */
function notes(parent: object | null = { context: PARENT }) {
  const noted: unknown[] = [];
  const span = {
    context: CONTEXT,
    set: (...given: unknown[]) => noted.push(["set", ...given]),
    fail: (...given: unknown[]) => noted.push(["fail", ...given]),
    end: () => noted.push("end"),
  };
  const start = (name: string, start: object) => {
    noted.push([name, start]);
    return span;
  };
  return { noted, tracer: { start, active: () => parent } as never };
}

test.each([
  [{ kind: "ok" }, []],
  [{ kind: "rejected", code: "not_found" }, ["not_found"]],
  [{ kind: "rejected", code: "any text of a stranger" }, ["rejected"]],
  [{ kind: "rejected", code: "x".repeat(64) }, ["x".repeat(64)]],
  [{ kind: "rejected", code: "x".repeat(65) }, ["rejected"]],
  [{ kind: "unknown" }, ["unknown"]],
])("an action with the outcome %p", async (outcome, failures) => {
  const { noted, tracer } = notes();
  const target = { action: "order.submit", url: "ws://engine:3001/ws" } as const;
  const sent: unknown[] = [];
  const given = await tracedAction(tracer, target, (trace) => {
    sent.push(trace);
    expect(noted).toHaveLength(1);
    return Promise.resolve(outcome as never);
  });
  expect(given).toEqual(outcome as never);
  expect(sent).toEqual([SENT]);
  expect(noted).toEqual([
    ["order.submit", {
      kind: "client",
      parent: PARENT,
      attributes: {
        "rpc.system": "mkt",
        "rpc.method": "order.submit",
        "server.address": "engine",
        "server.port": 3001,
      },
    }],
    ...failures.map((code) => ["fail", code]),
    "end",
  ]);
});

test.each([[200, []], [399, []], [400, ["400"]], [503, ["503"]]])(
  "an HTTP request answered %d",
  async (status, codes) => {
    const { noted, tracer } = notes(null);
    const target = { method: "POST", path: "/api/admin/orders/o-1/events", url: "https://engine" };
    const answer = { status };
    expect(
      await tracedFetch(tracer, target, (trace) => {
        expect(trace).toEqual(SENT);
        return Promise.resolve(answer);
      }),
    ).toBe(answer);
    expect(noted).toEqual([
      ["POST /api/admin/orders/{id}/events", {
        kind: "client",
        parent: null,
        attributes: {
          "http.request.method": "POST",
          "url.template": "/api/admin/orders/{id}/events",
          "server.address": "engine",
        },
      }],
      ["set", "http.response.status_code", status],
      ...codes.map((code) => ["fail", code]),
      "end",
    ]);
  },
);

test("a path that is no route of the protocol is not in the span", async () => {
  const { noted, tracer } = notes();
  await tracedFetch(
    tracer,
    { method: "GET", path: "/secret", url: "http://h:1" },
    () => Promise.resolve({ status: 200 }),
  );
  expect(noted[0]).toEqual(["GET", {
    kind: "client",
    parent: PARENT,
    attributes: { "http.request.method": "GET", "server.address": "h", "server.port": 1 },
  }]);
});

test.each([
  [new ToolError("timeout", "m", "h"), "timeout"],
  [new Error("the client went away"), "given_up"],
])("a request that ends with %p is thrown on, and its span ends once", async (error, code) => {
  const fail = () => Promise.reject(error);
  const target = { action: "order.submit", method: "GET", path: "/health", url: "http://h" } as const;
  for (const traced of [tracedAction<never>, tracedFetch<never>]) {
    const { noted, tracer } = notes();
    const asked: Promise<unknown> = traced(tracer, target, fail);
    expect(await asked.catch((thrown: unknown) => thrown)).toBe(error);
    expect(noted.slice(1)).toEqual([["fail", code], "end"]);
  }
});
