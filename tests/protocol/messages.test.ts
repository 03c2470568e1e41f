// Which messages each side takes: every field, and both sides of its limit.

import { expect, test } from "bun:test";
import { ACTION_NAMES } from "../../protocol/actions.ts";
import { clientMessage, engineMessage } from "../../protocol/messages.ts";
import * as http from "../../protocol/http.ts";

const TIME = "2026-01-01T00:00:00.000Z";
const CLOCK = { mode: "fast", speed: 2 };
const TIMES = { time: TIME, marketTime: TIME, clock: CLOCK };
type Message = Record<string, unknown>;
/** Each message with every field, the fields that may be absent, and wrong values. */
const MESSAGES: [typeof clientMessage | typeof engineMessage, Message, string[], Message][] = [
  [
    clientMessage,
    {
      kind: "hello",
      protocol: 1,
      userId: "u",
      token: "t",
      resume: { epoch: 0, sequence: 0 },
      cancelOnDisconnect: true,
    },
    ["token", "resume", "cancelOnDisconnect"],
    { protocol: 0.5, userId: "", resume: { epoch: -1, sequence: 0 }, cancelOnDisconnect: 1 },
  ],
  [
    clientMessage,
    {
      kind: "request",
      requestId: "r",
      operationId: "o",
      action: "order.cancel",
      payload: { a: 1 },
      validUntil: TIME,
      traceparent: "p",
      tracestate: "s",
    },
    ["validUntil", "traceparent", "tracestate"],
    {
      requestId: "",
      operationId: "x".repeat(201),
      action: "order.none",
      validUntil: `2026-01-01T00:00:00.${"0".repeat(20)}Z`,
    },
  ],
  [clientMessage, { kind: "ping" }, [], {}],
  [engineMessage, { statePath: "/ORDER/o", state: { id: "o", more: 1 } }, [], { statePath: 1, state: {} }],
  [engineMessage, { statePath: "/ORDER/o", state: null }, [], {}],
  [
    engineMessage,
    {
      kind: "welcome",
      engineId: "e",
      userId: "u",
      entityId: null,
      capabilities: ["Market.View", "Other"],
      epoch: 0,
      sequence: 3,
      traceContext: false,
      ...TIMES,
    },
    ["traceContext", "marketTime", "clock"],
    {
      engineId: "",
      entityId: "",
      capabilities: [1],
      epoch: -1,
      sequence: -1,
      time: "now",
      clock: { mode: "slow", speed: 1 },
    },
  ],
  [engineMessage, { kind: "snapshotEnd", sequence: 0 }, [], { sequence: 0.5 }],
  [
    engineMessage,
    { kind: "event", sequence: 0, type: "new.order", time: TIME, data: { a: 1 } },
    [],
    { sequence: -1, type: "", time: "now", data: [] },
  ],
  [engineMessage, { kind: "gap", from: 0, to: 1 }, [], { from: -1, to: -1 }],
  [
    engineMessage,
    { kind: "response", requestId: "r", operationId: "o", status: "ok", code: "c", message: "m", result: { a: 1 } },
    ["code", "message", "result"],
    { requestId: "", operationId: "", status: "done", message: "x".repeat(1001), result: 3 },
  ],
  [engineMessage, { kind: "refused", code: "c", message: "m" }, [], { code: 1, message: null }],
  [engineMessage, { kind: "pong", ...TIMES }, ["marketTime", "clock"], {
    time: "",
    clock: { mode: "real", speed: -1 },
  }],
];

test.each(MESSAGES)("a message %#", (schema, full, absent, wrong) => {
  expect(schema.safeParse(full)).toEqual({ success: true, data: full as never });
  for (const name of Object.keys(full)) {
    const { [name]: _, ...rest } = full;
    expect({ name, success: schema.safeParse(rest).success }).toEqual({ name, success: absent.includes(name) });
  }
  for (const [name, value] of Object.entries(wrong)) {
    expect({ name, success: schema.safeParse({ ...full, [name]: value }).success }).toEqual({ name, success: false });
  }
});

test("a trace that is no text counts as absent, and every action may be asked for", () => {
  const request = { kind: "request", requestId: "r", operationId: "o", payload: 1 };
  for (const action of ACTION_NAMES) {
    const parsed = clientMessage.parse({ ...request, action, traceparent: 3, tracestate: {} });
    expect(parsed).toEqual({ ...request, action, traceparent: undefined, tracestate: undefined } as never);
  }
});

test("the query of an audit search: its defaults and limits", () => {
  const days = { from: "2026-01-01", to: "2026-01-02" };
  expect(http.auditRequest.parse(days)).toEqual({ ...days, limit: 50 });
  expect(http.orderEventsRequest.parse({})).toEqual({ limit: 1000 });
  const takes = (schema: typeof http.auditRequest | typeof http.orderEventsRequest, limit: unknown) =>
    schema.safeParse({ ...days, limit }).success;
  expect(["1", "200", "0", "201", "1.5", ""].map((limit) => takes(http.auditRequest, limit)))
    .toEqual([true, true, false, false, false, false]);
  expect(["1", "1000", "0", "1001"].map((limit) => takes(http.orderEventsRequest, limit)))
    .toEqual([true, true, false, false]);
  const all = { moduleType: "T", moduleId: "m", event: "e", search: "s", ...days, limit: 7, cursor: "c" };
  expect(http.auditRequest.parse({ ...all, limit: "7" })).toEqual(all);
  expect(http.orderEventsRequest.parse({ date: "2026-01-01", limit: 7, cursor: "c" })).toEqual(
    { date: "2026-01-01", limit: 7, cursor: "c" },
  );
  expect(http.auditRequest.safeParse({ from: days.from }).success).toBe(false);
});
