// The handler of a connection's messages, with a host that answers only when it is flushed: in which order answers come.

import { describe, expect, test } from "bun:test";
import { DEFAULT_ENGINE_LIMITS, type EngineLimits } from "../../../../common/http/guards/engine-limits.ts";
import { UserRate } from "../../../../common/http/guards/user-rates.ts";
import { RequestHandler } from "../../../../engine/server/connections/request-handler.ts";
import type { EngineMessage } from "../../../../protocol/index.ts";
import { submission } from "../harness.ts";

const T0 = Date.parse("2026-01-14T13:00:00Z");
const ORDER = { contractId: "C", side: 0, price: 1, quantity: 1 };
const MALFORMED = { kind: "request", requestId: "bad", operationId: "op-bad", action: "no.action", payload: {} };

interface Given {
  readonly limits?: Partial<EngineLimits>;
  /** What an advance of the clock is refused with. */
  readonly busy?: string | null;
  readonly status?: "ok" | "rejected";
}

function handlerWith({ limits, busy = null, status = "ok" }: Given = {}) {
  const sent: string[] = [];
  const waiting: string[] = [];
  const noted: unknown[] = [];
  const moved: number[] = [];
  const refused: string[] = [];
  const said = (message: EngineMessage) => {
    if ("statePath" in message) return "state";
    if (message.kind !== "response") return message.kind;
    return [message.requestId, message.operationId, message.code ?? message.status].join(" ");
  };
  const subscription = {
    isClosed: false,
    user: { id: "u" },
    reply: (message: EngineMessage) => void sent.push(said(message)),
  };
  let time = T0;
  const host = {
    times: { engineTime: "", marketTime: "" },
    marketTime: () => time,
    flush: () => void sent.push(...waiting.splice(0)),
    execute: ({ operationId, action, payload }: Record<string, unknown>, { requestId }: { requestId: string }) => {
      waiting.push(`${requestId} ${operationId} ${status}`);
      if (action === "clock.advance" && status === "ok") time = Date.parse((payload as { to: string }).to);
      return { response: { status } };
    },
  };
  const all = { ...DEFAULT_ENGINE_LIMITS, ...limits };
  const options = {
    host,
    limits: all,
    unknown: { note: (kind: string) => void noted.push(kind) },
    rate: new UserRate(all, () => 0),
    subscription,
    advances: {
      refusal: () => busy,
      responseTo: () => subscription,
      moved: (milliseconds: number) => void moved.push(milliseconds),
    },
    counters: { refusedMessages: { add: (code: string) => void refused.push(code) } },
    tracer: null,
  };
  const handler = new RequestHandler(options as never);
  const take = (...messages: unknown[]) => handler.handleAll(messages, JSON.stringify(messages));
  return { take, sent, waiting, noted, moved, refused, subscription };
}

const advance = (to: number) => ({
  ...submission("move", { to: new Date(to).toISOString() }),
  action: "clock.advance",
});

describe("the answers to earlier requests come first", () => {
  test("if a request is malformed", () => {
    const { take, sent, waiting, refused } = handlerWith();
    expect(take(submission("1", ORDER), submission("2", ORDER), MALFORMED, submission("3", ORDER))).toBeNull();
    expect(sent).toEqual(["1 1 ok", "2 2 ok", "bad op-bad invalid_payload"]);
    expect([waiting, refused]).toEqual([["3 3 ok"], ["invalid_payload"]]);
  });

  test("if an advance of the clock is refused", () => {
    const { take, sent, moved } = handlerWith({ busy: "too many" });
    take(submission("1", ORDER), advance(T0 + 1));
    expect([sent, moved]).toEqual([["1 1 ok", "move move rate_limited"], []]);
  });

  test("if the user has sent as many as two seconds allow", () => {
    const { take, sent } = handlerWith({ limits: { requestsPerSecond: 1 } });
    expect(take(submission("1", ORDER), submission("2", ORDER), submission("3", ORDER))).toBeNull();
    expect(sent).toEqual(["1 1 ok", "2 2 ok", "3 3 rate_limited"]);
  });
});

test("an answer names the operation, or the request if the operation's id can't be read", () => {
  const { take, sent } = handlerWith();
  take({ ...MALFORMED, operationId: "x".repeat(201) }, { ...MALFORMED, operationId: undefined });
  expect(sent).toEqual(["bad bad invalid_payload", "bad bad invalid_payload"]);
});

test("a message that can't be answered ends the connection after the others; the first of them is the reason", () => {
  const { take, waiting } = handlerWith();
  const fault = take({ kind: "hello", protocol: 1, userId: "u" }, 7, submission("1", ORDER));
  expect(fault).toEqual({ code: "invalid_message", message: "a hello may only be the first message" });
  expect(waiting).toEqual(["1 1 ok"]);
});

test("a message of an unknown kind is noted, a ping is answered, and nothing is read after the connection's end", () => {
  const { take, sent, noted, waiting, subscription } = handlerWith();
  expect(take({ kind: "other" }, { kind: "ping" })).toBeNull();
  subscription.isClosed = true;
  expect(take(submission("1", ORDER))).toBeNull();
  expect([noted, sent, waiting]).toEqual([["other"], ["pong"], []]);
});

test.each([["ok", [60_000]], ["rejected", []]] as const)(
  "an advance that is %s has moved the time by %j",
  (status, expected) => {
    const { take, moved } = handlerWith({ status });
    take(advance(T0 + 60_000));
    expect(moved).toEqual([...expected]);
  },
);

test("as many messages again as two seconds allow are answered; one more is a flood and ends the connection at once", () => {
  const { take, sent } = handlerWith({ limits: { requestsPerSecond: 1 } });
  const messages = [1, 2, 3, 4, 5, 6].map((at) => submission(String(at), ORDER));
  expect(take(...messages.slice(0, 4))).toBeNull();
  expect(sent).toEqual(["1 1 ok", "2 2 ok", "3 3 rate_limited", "4 4 rate_limited"]);
  expect(take(...messages.slice(4))?.code).toBe("rate_limited");
  expect(sent).toHaveLength(4);
});

test.each([["rejected", 2], ["ok", 4]] as const)(
  "of four requests that are %s, %d are carried out if one may be rejected in a second",
  (status, count) => {
    const { take, sent, waiting } = handlerWith({ status, limits: { refusalsPerSecond: 1 } });
    expect(take(...[1, 2, 3, 4].map((at) => submission(String(at), ORDER)))).toBeNull();
    const carriedOut = [...sent, ...waiting].filter((answer) => answer.endsWith(status));
    expect(carriedOut).toHaveLength(count);
  },
);

test.each([["malformed", MALFORMED], ["unreadable", { kind: "request" }]])(
  "a message that is %s counts as a rejected request",
  (_, message) => {
    const { take, waiting, sent } = handlerWith({ limits: { refusalsPerSecond: 1 } });
    take(message, message, submission("1", ORDER));
    expect([waiting, sent.at(-1)]).toEqual([[], "1 1 rate_limited"]);
  },
);
