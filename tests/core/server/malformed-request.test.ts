import { expect, test } from "bun:test";
import { bodyFault } from "../../../core/server/malformed-request.ts";

const message = (method: string, params?: unknown, id: unknown = 7) => ({ jsonrpc: "2.0", id, method, params });
const notification = { jsonrpc: "2.0", method: "notifications/initialized" };
const META = { _meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28" } };
const WRONG = message("prompts/get", { name: 3 });

const invalid = (method: string, id: unknown = 7) => [-32602, `The params are invalid for ${method}.`, id];

test.each<[what: string, body: unknown, fault: unknown[] | null]>([
  ["no JSON", undefined, [-32700, "The body is not JSON.", null]],
  ["20 messages", Array(20).fill(message("ping")), null],
  ["21 messages", Array(21).fill(message("ping")), [-32600, "A batch may hold 20 messages.", null]],
  ["valid params", message("prompts/get", { name: "x" }), null],
  ["a method that nobody knows", message("no/such", { name: 3 }), null],
  ["a tools/call, whose arguments are checked later", message("tools/call", { name: 3 }), null],
  ["a notification", notification, null],
  ["a response", { jsonrpc: "2.0", id: 7, result: {} }, null],
  ["a text", "ping", null],
  ["a method that only an object inherits", message("toString", 3), null],
  ...["completion/complete", "prompts/get", "resources/read", "resources/subscribe", "initialize"].map((
    method,
  ): [string, unknown, unknown[]] => [`${method} without params`, message(method), invalid(method)]),
  ["an id of text", message("resources/read", {}, "a"), invalid("resources/read", "a")],
  ["an id that is none", message("resources/read", {}, [1]), invalid("resources/read", null)],
  ["a method that the new revision has removed", message("resources/subscribe", META), null],
  ["a method that it has kept", message("resources/read", META), invalid("resources/read")],
  ["a wrong message after a valid one", [message("ping"), WRONG], invalid("prompts/get", null)],
  ["one after a notification", [notification, WRONG], invalid("prompts/get", null)],
  ["one after a tools/call", [message("tools/call", { name: "x" }), WRONG], invalid("prompts/get", null)],
  ["one after what is no message", [3, null, "x", WRONG], invalid("prompts/get", null)],
  ["one before a valid one", [WRONG, message("ping")], invalid("prompts/get", null)],
  ["a batch of valid ones", [notification, message("ping"), message("tools/list")], null],
])("%s: the refusal is %j", async (_what, body, expected) => {
  const refusal = bodyFault(body);
  if (expected === null) return expect(refusal).toBeNull();
  expect([refusal?.status, refusal?.headers.get("Content-Type")]).toEqual([400, "application/json"]);
  const { error, id, ...rest } = await refusal?.json() as { error: { code: number; message: string }; id: unknown };
  expect([error.code, error.message, id, rest]).toEqual([...expected, { jsonrpc: "2.0" }]);
});
