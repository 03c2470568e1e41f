// How long a connection may be silent while a route answers, and afterwards.

import { expect, test } from "bun:test";
import { definePack } from "../../../../core/packs/pack.ts";
import type { HandledRoute } from "../../../../core/routes/route.ts";
import { errorResponse } from "../../../../core/server/routes/route-errors.ts";
import { PackRoutes } from "../../../../core/server/routes/pack-routes.ts";
import { mcpApp } from "../../../../core/server/mcp-app.ts";
import { logger } from "../../../../common/logger.ts";
import { ToolError } from "../../../../core/error.ts";
import { failing, testRoute } from "../../support/declarations.ts";
import { httpParts } from "../../support/http-parts.ts";

const [SHORT, LONG] = [10, 255];

/** `answered` resolves once the route's answer has begun. */
type Give = (answered: Promise<void>) => Response;

/** Asks a route, reads the answer, and says which limits its connection got until the answer began, and until its end. */
async function limitsOf(give: Give, further: Partial<HandledRoute> = {}, method = "GET") {
  const { promise, resolve } = Promise.withResolvers<void>();
  const routes = [testRoute("/acme", () => give(promise), further)];
  const packs = [definePack({ name: "acme", description: "d", routes })];
  const sdk = () => Promise.reject(new Error("not asked"));
  const app = mcpApp({ ...httpParts({ packs }), plain: null, sdk });
  const limits: number[] = [];
  const connection = { address: "::1", setIdleTimeout: (seconds: number) => void limits.push(seconds) };
  const request = new Request("http://localhost/acme", { method, headers: { Host: "localhost" } });
  const response = await app.fetch(request, connection);
  const begun = [...limits];
  resolve();
  await response.text();
  return { status: response.status, begun, ended: limits };
}

/** A stream that does not end before the answer has begun. */
function stream(answered: Promise<void>): Response {
  const pull = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
    controller.enqueue(new TextEncoder().encode("one"));
    await answered;
    controller.close();
  };
  return new Response(new ReadableStream<Uint8Array>({ pull }, { highWaterMark: 0 }));
}

test.each(
  [
    ["gives a whole answer", () => Response.json("acme"), "GET", 200],
    ["gives an empty answer", () => new Response(null, { status: 204 }), "GET", 204],
    ["gives no response", () => "acme" as never, "GET", 500],
    ["gives a response without a status", () => Response.error(), "GET", 500],
    ["fails", failing(new Error("inside")), "GET", 500],
    ["is asked for the head of a stream", stream, "HEAD", 200],
  ] as const,
)("a route that %s has long for it, and its connection as long as others afterwards", async (_, ...given) => {
  const [give, method, status] = given;
  const limits = [LONG, SHORT];
  expect(await limitsOf(give, {}, method)).toEqual({ status, begun: limits, ended: limits });
});

test("a stream of a route has long until it ends", async () => {
  expect(await limitsOf(stream)).toEqual({ status: 200, begun: [LONG], ended: [LONG, SHORT] });
});

test("a route that is refused leaves its connection as long as others have", async () => {
  const { status, ended } = await limitsOf(stream, { requires: { connection: "session" } });
  expect([status, ended]).toEqual([503, [LONG, SHORT]]);
});

test("a request for the head of a stream ends the stream's source, and tells its handler", async () => {
  let signal: AbortSignal | undefined;
  let cancelled = 0;
  const handler: HandledRoute["handler"] = (_request, context) => {
    signal = context.signal;
    return new Response(new ReadableStream({ pull: () => new Promise(() => {}), cancel: () => void (cancelled += 1) }));
  };
  const packs = [definePack({ name: "acme", description: "d", routes: [testRoute("/acme", handler)] })];
  const app = mcpApp({ ...httpParts({ packs }), plain: null, sdk: () => Promise.reject(new Error("not asked")) });
  const request = new Request("http://localhost/acme", { method: "HEAD", headers: { Host: "localhost" } });
  const response = await app.fetch(request, { address: "::1", setIdleTimeout: () => {} });
  expect([response.status, await response.text(), signal?.aborted, cancelled]).toEqual([200, "", true, 1]);
});

test.each<[string, object, () => string, number, string[]]>([
  ["that is whole", { kind: "whole", bytes: new Uint8Array() }, () => "page", 200, ["ok"]],
  ["that is whole, for a file that fails", { kind: "whole", bytes: new Uint8Array() }, failing(new Error("odd")), 500, [
    "internal",
  ]],
  ["that is too large", { kind: "too_large" }, () => "page", 413, []],
  ["that is not whole in time", { kind: "too_slow" }, () => "page", 413, []],
])("a request gives back what its body held: one %s", async (_what, body, content, status, outcomes) => {
  const held = { body: Promise.resolve(body), release: () => void (released += 1) };
  const refusal = () => ({ status: 413, code: "payload_too_large", message: "m" });
  let released = 0;
  const observed: string[] = [];
  const observe = ({ outcome }: { readonly outcome: string }) => void observed.push(outcome);
  const parts = { bodies: { read: () => held, refusal }, observe, log: logger("test") };
  const route = { method: "GET", path: "/acme", publicFile: { content, contentType: "text/plain" } };
  const origin = { connection: { address: "::1", setIdleTimeout: () => {} }, client: "c", freeSlot: () => {} };
  const routes = new PackRoutes(parts as never);
  const response = await routes.answer(
    { route, parameters: {} } as never,
    new Request("http://x/acme"),
    origin as never,
  );
  expect([response.status, released, observed]).toEqual([status, 1, outcomes]);
});

test.each(
  [
    ["rate_limited", 429, "1"],
    ["shutting_down", 503, "1"],
    ["not_connected", 503, "1"],
    ["timeout", 504, null],
    ["forbidden", 403, null],
    ["rejected", 422, null],
    ["already_connected", 409, null],
    ["not_configured", 501, null],
  ] as const,
)("a route that ends with %s answers %d, and says when to come again: %p", async (code, status, retryAfter) => {
  const response = errorResponse(new ToolError(code, "m.", "h."), "GET /acme", logger("test"));
  expect([response.status, response.headers.get("Retry-After")]).toEqual([status, retryAfter]);
  expect(await response.json()).toMatchObject({ error: { code, message: "m.", hint: "h." } });
});

/** What a stream of a route is begun with, and the parts of its request. */
async function begunWith(
  session: object | null | undefined,
  contentType = "text/event-stream; charset=utf-8",
  isGone = false,
) {
  const begun: Record<string, unknown>[] = [];
  const streams = { begin: (given: Record<string, unknown>) => (begun.push(given), new ReadableStream()) };
  const held = { body: Promise.resolve({ kind: "whole", bytes: new Uint8Array() }), release: () => {} };
  const scopes: Record<string, unknown>[] = [];
  const run = async (
    _asked: object,
    scope: Record<string, unknown>,
    handle: (context: object) => Promise<Response>,
  ) => {
    scopes.push(scope);
    return await handle({ signal: scope.signal });
  };
  const parts = { bodies: { read: () => held }, requests: { run }, sessions: {}, streams, log: logger("test") };
  const limits: number[] = [];
  const connection = { address: "::1", setIdleTimeout: (seconds: number) => void limits.push(seconds) };
  const isAllowed = () => true;
  const sender = { caller: "desk", isPerson: false, session, isAllowed };
  const headers = { "Content-Type": contentType };
  const route = testRoute("/acme", () => new Response(new ReadableStream({ pull: () => {} }), { headers }));
  const gone = new AbortController();
  if (isGone) gone.abort();
  const response = await new PackRoutes(parts as never).answer(
    { route, parameters: {} } as never,
    new Request("http://x/acme", { signal: gone.signal }),
    { connection, client: "token desk", sender, freeSlot: () => {} } as never,
  );
  return { response, given: begun[0]!, begun, gone, isAllowed, limits, signal: scopes[0]!.signal as AbortSignal };
}

/** As what a request is checked and recorded, and its answer. */
async function runOf(give: () => Response, further: Partial<HandledRoute> = {}) {
  const held = { body: Promise.resolve({ kind: "whole", bytes: new Uint8Array() }), release: () => {} };
  let asked: object | null = null;
  let outcome = "";
  const run = async (
    request: object,
    { signal }: { readonly signal: AbortSignal },
    handle: (context: object) => Promise<Response>,
    outcomeOf: (answer: Response) => string,
  ) => {
    asked = request;
    const answer = await handle({ signal });
    outcome = outcomeOf(answer);
    return answer;
  };
  const streams = { begin: () => new ReadableStream() };
  const parts = { bodies: { read: () => held }, requests: { run }, sessions: {}, streams, log: logger("test") };
  const connection = { address: "::1", setIdleTimeout: () => {} };
  const sender = { caller: "desk", isPerson: false, isAllowed: () => true };
  const { headers } = await new PackRoutes(parts as never).answer(
    { route: testRoute("/acme", give, further), parameters: {} } as never,
    new Request("http://x/acme"),
    { connection, client: "token desk", sender, freeSlot: () => {} } as never,
  );
  return { asked, outcome, headers };
}

test("a route may change something on a frozen server only if it says so", async () => {
  const runs = [{}, { allowedWhenFrozen: true as const }].map((further) => runOf(() => new Response(), further));
  expect((await Promise.all(runs)).map(({ asked }) => asked)).toMatchObject([
    { allowedWhenFrozen: false },
    { allowedWhenFrozen: true },
  ]);
});

test.each([[200, "ok"], [304, "ok"], [399, "ok"], [400, "http_400"], [503, "http_503"]])(
  "an answer with status %d is recorded as %s",
  async (status, outcome) => {
    expect((await runOf(() => new Response(null, { status }))).outcome).toBe(outcome);
  },
);

test("an answer of a route has no cookie of its own, and a stream its own rule for caches", async () => {
  const own = { "Set-Cookie": "a=b", "Cache-Control": "max-age=5" };
  for (const body of ["page", new ReadableStream({ pull: () => new Promise<void>(() => {}) })]) {
    const { headers } = await runOf(() => new Response(body, { headers: own }));
    expect([headers.get("Set-Cookie"), headers.get("Cache-Control")]).toEqual([null, "max-age=5"]);
  }
});

test.each<[string, object | null | undefined, number | null]>([
  ["one who looks, with that session", { access: "view", endsAt: 5 }, 5],
  ["one who trades, with that session", { access: "control", endsAt: 7 }, 7],
  ["a session that does not end never", { access: "view", endsAt: null }, null],
  ["a program never", undefined, null],
  ["a browser without a session never", null, null],
])("the stream of %s is over by time", async (_who, session, endsAt) => {
  const { begun } = await begunWith(session);
  expect(begun).toMatchObject([{ name: "GET /acme", client: "token desk", isEvents: true, endsAt }]);
});

test("a stream of a route ends with its token and its client, and ends its handler", async () => {
  const { response, given, gone, isAllowed, limits, signal } = await begunWith(undefined);
  expect(["Cache-Control", "X-Accel-Buffering"].map((name) => response.headers.get(name)))
    .toEqual(["no-cache, no-transform", "no"]);
  expect(given.isAllowed).toBe(isAllowed);
  expect([(given.gone as AbortSignal).aborted, signal.aborted]).toEqual([false, false]);
  gone.abort();
  expect([(given.gone as AbortSignal).aborted, signal.aborted]).toEqual([true, true]);
  expect(limits).toEqual([LONG]);
  (given.onEnd as () => void)();
  expect(limits).toEqual([LONG, SHORT]);
  const other = await begunWith(undefined, "text/plain");
  expect(other.given.isEvents).toBe(false);
  (other.given.abort as () => void)();
  expect(other.signal.aborted).toBe(true);
  expect((await begunWith(undefined, "text/plain", true)).signal.aborted).toBe(true);
});
