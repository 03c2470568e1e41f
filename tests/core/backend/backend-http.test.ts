// What each request over HTTP has, and how it ends: with its caller, with its time, or with an answer.

import { afterEach, beforeEach, expect, jest, type Mock, mock, spyOn, test } from "bun:test";
import { z } from "zod";
import { BackendHttp, type BackendHttpOptions, type HttpRequest } from "../../../core/backend/backend-http.ts";
import { connectionError } from "../../../core/backend/connection-errors.ts";
import { NEUTRAL_ADVICE } from "../../../core/advice.ts";
import { isSettled } from "../../support/still-clock.ts";
import type { ToolError } from "../../../core/error.ts";
import { ACTING_USER_HEADER } from "../../../protocol/index.ts";
import type { LinkEnd } from "../../../protocol/client/engine-link.ts";

let fetched: Mock<typeof fetch>;
beforeEach(() => {
  fetched = spyOn(globalThis, "fetch");
});
afterEach(() => {
  mock.restore();
  jest.useRealTimers();
});

const OPTIONS: BackendHttpOptions = { baseUrl: "http://engine:1", token: "secret", actingUserId: () => "anna" };
const clientWith = (options: Partial<BackendHttpOptions> = {}) => new BackendHttp({ ...OPTIONS, ...options });
const answers = (body: string, status = 200) => void fetched.mockResolvedValue(new Response(body, { status }));
const failureOf = (asked: Promise<unknown>) => asked.then(() => expect.unreachable(), (error: ToolError) => error);

test.each<
  [string, Partial<BackendHttpOptions>, HttpRequest, string, object, Record<string, string | null>, string | null]
>([
  [
    "a question",
    {},
    { method: "GET", path: "/a", query: { x: "é&", n: 0, gone: undefined } },
    "/a?x=%C3%A9%26&n=0",
    {
      method: "GET",
      keepalive: true,
    },
    { Authorization: "Bearer secret", "Content-Type": null },
    null,
  ],
  ["a question without a token", { token: null }, { method: "GET", path: "/a" }, "/a", { keepalive: true }, {
    Authorization: null,
  }, null],
  ["a command", {}, { method: "POST", path: "/b", body: { a: 1 } }, "/b", { method: "POST", keepalive: false }, {
    "Content-Type": "application/json",
  }, '{"a":1}'],
])("%s has its address, the acting user and the token, and follows no redirect", async (
  _what,
  options,
  request,
  path,
  init,
  headers,
  body,
) => {
  answers("{}");
  const http = clientWith(options);
  expect(await http.ask(request)).toEqual({ request, status: 200, body: "{}" });
  const [url, given] = fetched.mock.calls[0]!;
  expect(url).toBe(`http://engine:1${path}`);
  expect(given).toMatchObject({ ...init, redirect: "manual", body });
  const sent = given!.headers as Headers;
  expect([sent.get("Accept"), sent.get(ACTING_USER_HEADER)]).toEqual(["application/json", "anna"]);
  for (const [name, value] of Object.entries(headers)) expect([name, sent.get(name)]).toEqual([name, value]);
});

/** A peer that never answers; the request ends with its signal. */
function silent() {
  const signals: AbortSignal[] = [];
  fetched.mockImplementation(
    ((_url: string, { signal }: RequestInit) => {
      signals.push(signal!);
      return new Promise((_resolve, reject) => signal!.addEventListener("abort", () => reject(signal!.reason)));
    }) as never,
  );
  return signals;
}

test.each([["GET", "backend_unavailable"], ["POST", "timeout"]] as const)(
  "a %s without an answer ends after its time as %s",
  async (method, code) => {
    const signals = silent();
    const timeout = spyOn(AbortSignal, "timeout");
    const limits: AbortController[] = [];
    timeout.mockImplementation(() => {
      limits.push(new AbortController());
      return limits.at(-1)!.signal;
    });
    for (const options of [{}, { timeoutMs: 70 }]) {
      const { signal } = new AbortController();
      const request = { method, path: "/a", afterUnknown: "Look.", ...("timeoutMs" in options && { signal }) };
      const asked = failureOf(clientWith(options).ask(request));
      limits.at(-1)!.abort(new DOMException("m", "TimeoutError"));
      expect(await isSettled(asked)).toBeTrue();
      const error = await asked;
      expect([error.code, signals.at(-1)!.aborted]).toEqual([code, true]);
      expect(error.message).toContain(`no answer within ${options.timeoutMs ?? 10_000} ms`);
      expect(error.message.includes("it is unknown whether")).toBe(method === "POST");
      expect(error.hint.startsWith("Look. ")).toBe(method === "POST");
    }
    expect(timeout.mock.calls).toEqual([[10_000], [70]]);
  },
);

test("a request ends with its caller, whose reason is thrown as it is", async () => {
  const signals = silent();
  const caller = new AbortController();
  const asked = failureOf(clientWith().get("/a", z.object({}), caller.signal));
  expect(signals[0]!.aborted).toBeFalse();
  const reason = new Error("gone");
  caller.abort(reason);
  expect([await asked, signals[0]!.aborted]).toEqual([reason as never, true]);
});

test.each<["GET" | "POST", string, string, boolean]>([
  ["GET", "ECONNREFUSED", "backend_unavailable", false],
  ["GET", "ECONNRESET", "backend_unavailable", false],
  ["POST", "ECONNREFUSED", "backend_unavailable", false],
  ["POST", "ENOTFOUND", "backend_unavailable", false],
  ["POST", "EHOSTUNREACH", "backend_unavailable", false],
  ["POST", "ENETUNREACH", "backend_unavailable", false],
  ["POST", "ECONNRESET", "timeout", true],
  ["POST", "EPIPE", "timeout", true],
])("a %s that meets %s ends as %s; the outcome is unknown: %p", async (method, code, expected, isUnknown) => {
  fetched.mockRejectedValue(Object.assign(new Error("m"), { code }));
  const peer = { name: "simulator", setting: "MKT_SIM_URL" };
  const error = await failureOf(clientWith({ peer }).ask({ method, path: "/a" }));
  expect([error.code, error.message.includes("unknown whether")]).toEqual([expected as never, isUnknown]);
  expect(error.message).toStartWith("There is no answer from the simulator at http://engine:1");
  expect(error.hint).toBe("Check that it is running and that MKT_SIM_URL names it.");
});

const refusal = (code: string) => JSON.stringify({ error: { code, message: "No." } });
test.each<[number, string, string, string | RegExp]>([
  [401, refusal("unauthorized"), "forbidden", "Set MKT_BEARER_TOKEN to a token that the backend accepts."],
  [403, refusal("unknown_user"), "forbidden", /^Set MKT_USER_ID .* The acting user is anna\.$/],
  [403, refusal("user_not_covered"), "forbidden", "Set MKT_BEARER_TOKEN to a token that may act as anna."],
  [403, refusal("forbidden_host"), "forbidden", /own host name/],
  [403, refusal("forbidden"), "forbidden", /^Act as a user who holds the permission: the acting user is anna\./],
  [429, refusal("rate_limited"), "rate_limited", "Wait a few seconds and call again."],
])("an answer of %d with %p is %s, with what to do", async (status, body, code, hint) => {
  answers(body, status);
  const error = await failureOf(clientWith().ask({ method: "GET", path: "/a" }));
  expect([error.code, error.message.includes("No.")]).toEqual([code as never, true]);
  if (typeof hint === "string") expect(error.hint).toBe(hint);
  else expect(error.hint).toMatch(hint);
});

test("a token that is set elsewhere is named there", async () => {
  answers("", 401);
  const error = await failureOf(clientWith({ tokenSetting: "--token" }).ask({ method: "GET", path: "/a" }));
  expect([error.hint, error.message]).toEqual([
    "Set --token to a token that the backend accepts.",
    "The backend refused: it gave no reason.",
  ]);
});

const END = { url: "ws://e", userId: "bob" };
test.each<[LinkEnd, Partial<Parameters<typeof connectionError>[1]>, string, string]>([
  [{ kind: "unreadable", reason: "r" }, {}, "backend_error", NEUTRAL_ADVICE.unreadableMessages],
  [{ kind: "lost", reason: "r" }, {}, "backend_unavailable", "MKT_WS_URL"],
  [{ kind: "refused", code: "wrong_engine", message: "m" }, {}, "backend_unavailable", "MKT_ENGINE_ID"],
  [{ kind: "refused", code: "shutting_down", message: "m" }, {}, "backend_unavailable", "Connect again in a while."],
  [{ kind: "refused", code: "unknown_user", message: "m" }, {}, "not_found", NEUTRAL_ADVICE.unknownUser],
  [
    { kind: "refused", code: "unknown_user", message: "m" },
    { configuredUserId: "bob" },
    "not_found",
    "Set MKT_USER_ID",
  ],
  [{ kind: "refused", code: "unknown_user", message: "m" }, { configuredUserId: "anna" }, "not_found", "userId"],
  [{ kind: "refused", code: "unauthorized", message: "m" }, {}, "forbidden", "Set MKT_BEARER_TOKEN to the token"],
  [{ kind: "refused", code: "unauthorized", message: "m" }, { tokenSetting: "--token" }, "forbidden", "Set --token to"],
  [
    { kind: "refused", code: "user_not_covered", message: "m" },
    { tokenSetting: "T" },
    "forbidden",
    "Set T to a token that may act as bob",
  ],
  [{ kind: "refused", code: "unsupported_protocol", message: "m" }, {}, "backend_error", "protocol of this version"],
])("a connection that ended as %j says so as %p", (end, own, code, hint) => {
  const error = connectionError(end, { ...END, ...own }, NEUTRAL_ADVICE);
  expect([error.code as string, error.hint]).toEqual([code, expect.stringContaining(hint)]);
  expect(error.message).toContain("engine at ws://e");
});
