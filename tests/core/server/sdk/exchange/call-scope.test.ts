// What the dispatcher gets of a request: its signal, who sent it and how, its place, and where its progress goes.

import { expect, test } from "bun:test";
import { scopeOf } from "../../../../../core/server/sdk/exchange/call-scope.ts";
import { authInfoOf, exchangeOf } from "../../../../../core/server/sdk/exchange/http-exchange.ts";
import { ownSignal } from "../../../../support/own-signal.ts";

const signal = ownSignal();

test("a request over HTTP has the caller, the headers and the place of its exchange", () => {
  const exchange = { caller: "desk", client: "token desk", isAccepted: () => true, freeSlot: () => {} };
  const headers = new Headers({ a: "b" });
  const _meta = { m: 1 };
  const authInfo = authInfoOf(exchange);
  expect([authInfo.token, authInfo.clientId, authInfoOf({ ...exchange, caller: null }).clientId]).toEqual([
    "",
    "desk",
    "",
  ]);
  const context = { mcpReq: { signal, id: 7, _meta }, http: { req: { headers }, authInfo } } as never;
  expect(exchangeOf(context)).toBe(exchange);
  const origin = { transport: "http", meta: _meta, headers, id: 7 } as const;
  expect(scopeOf(context)).toEqual({ signal, caller: "desk", origin, freeSlot: exchange.freeSlot });
  const nobody = { mcpReq: { signal, id: 7 }, http: { authInfo: authInfoOf({ ...exchange, caller: null }) } };
  expect(scopeOf(nobody as never).caller).toBeNull();
});

test("a request on stdio is that of stdio, and holds no place", () => {
  const origin = { transport: "stdio", meta: undefined, headers: undefined, id: "x" } as const;
  expect(scopeOf({ mcpReq: { signal, id: "x" } } as never)).toEqual({ signal, caller: "stdio", origin });
});

test.each([[0], [""], ["token"]])("progress goes to the client's token %p until the call ends", async (token) => {
  const sent: unknown[] = [];
  const notify = (message: unknown) => Promise.resolve(void sent.push(message));
  const { progress, endProgress } = scopeOf(
    { mcpReq: { signal, id: 1, _meta: { progressToken: token }, notify } } as never,
  );
  await progress?.({ done: 1, total: 2, message: "half" });
  await Promise.resolve();
  endProgress?.();
  await progress?.({ done: 2 });
  const params = { progressToken: token, progress: 1, total: 2, message: "half" };
  expect(sent).toEqual([{ method: "notifications/progress", params }]);
});
