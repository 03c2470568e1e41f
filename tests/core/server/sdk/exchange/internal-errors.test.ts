// What a client is told of an error in a handler.

import { expect, test } from "bun:test";
import { ProtocolError } from "@modelcontextprotocol/server";
import { logger } from "../../../../../common/logger.ts";
import { ToolError } from "../../../../../core/error.ts";
import { hideInternalErrors, protocolErrorOf } from "../../../../../core/server/sdk/exchange/internal-errors.ts";
import { listenRequestOf, narrowed } from "../../../../../core/server/sdk/exchange/listen-request.ts";

const LOG = logger("test");

test("an error of the protocol or of a tool is told, any other one is hidden behind a reference of its own", () => {
  const own = new ProtocolError(-32602, "mine");
  expect(protocolErrorOf(own, "m", LOG)).toBe(own);
  const told = protocolErrorOf(new ToolError("not_found", "No such.", "Look."), "m", LOG);
  expect([told.code, told.data]).toEqual([-32602, { code: "not_found", message: "No such.", hint: "Look." }]);
  expect(told.message).toContain("No such.");
  const [one, other] = [1, 2].map(() => protocolErrorOf(new Error("secret"), "m", LOG));
  expect([one!.code, one!.data]).toEqual([-32603, undefined]);
  expect(one!.message).not.toContain("secret");
  expect(one!.message).not.toBe(other!.message);
});

test("handlers give what they give, with their parameters, and their errors as told", async () => {
  const handlers = new Map<string, { rest: unknown[]; handle: (...parameters: unknown[]) => Promise<unknown> }>();
  const server = {
    setRequestHandler: (method: string, ...rest: unknown[]) =>
      void handlers.set(method, { handle: rest.pop() as never, rest }),
  };
  hideInternalErrors({ server } as never, LOG);
  const set = server.setRequestHandler;
  set("a", { schema: 1 }, (...given: unknown[]) => ["gave", ...given]);
  set("b", () => Promise.reject(new ToolError("not_found", "No such.", "Look.")));
  expect(await handlers.get("a")?.handle(1, 2)).toEqual(["gave", 1, 2]);
  expect([handlers.get("a")?.rest, handlers.get("b")?.rest]).toEqual([[{ schema: 1 }], []]);
  await expect(handlers.get("b")!.handle()).rejects.toMatchObject({ code: -32602 });
});

const LISTEN = {
  jsonrpc: "2.0",
  id: 1,
  method: "subscriptions/listen",
  params: {
    _meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28" },
    notifications: { resourceSubscriptions: ["a"], other: 1 },
  },
};

test("a request to listen is read with all that it has, and narrowed to what is honoured", () => {
  for (const id of [0, "x"]) expect(listenRequestOf({ ...LISTEN, id })).toEqual({ ...LISTEN, id } as never);
  const honoured = { resourcesListChanged: true };
  expect(narrowed(LISTEN as never, honoured)).toEqual({
    ...LISTEN,
    params: { ...LISTEN.params, notifications: honoured },
  });
});

test.each<[string, unknown]>([
  ["no object", "subscriptions/listen"],
  ["null", null],
  ["of another method", { ...LISTEN, method: "subscriptions/listen2" }],
  ["without an id", { ...LISTEN, id: undefined }],
  ["without a version", { ...LISTEN, params: { ...LISTEN.params, _meta: {} } }],
  ["without notifications", { ...LISTEN, params: { _meta: LISTEN.params._meta } }],
  ["with a single address", {
    ...LISTEN,
    params: { ...LISTEN.params, notifications: { resourceSubscriptions: "a" } },
  }],
])("a message %s is none", (_what, message) => {
  expect(listenRequestOf(message)).toBeNull();
});
