// What a declared mutation sends and answers: the caller's key and signal with each request, progress until the market's limit,
// and a result of the same shape whatever becomes of it.

import { describe, expect, jest, test } from "bun:test";
import { z } from "zod";
import { ToolError } from "../../../core/error.ts";
import * as progress from "../../../core/tools/progress.ts";
import { defineMutation, type MutationDeclaration, textOf } from "../../../plugins/toolkit/mutation.ts";
import { defineCommand } from "../../../plugins/sim/command.ts";
import { actingPermissions } from "../../../plugins/toolkit/acting-permissions.ts";
import { ownSignal } from "../../support/own-signal.ts";
import { replaced } from "../../support/replaced.ts";

const input = z.strictObject({ a: z.string() });
type Declaration = MutationDeclaration<typeof input, { b: z.ZodType }>;

const DECLARED = {
  name: "mkt_trial",
  title: "A trial",
  description: "A trial.",
  input,
  fields: { b: z.unknown() },
  annotations: { destructiveHint: false, idempotentHint: true },
  fieldsOfFailure: (given: object) => ({ b: ["failed", given] }),
} satisfies Partial<Declaration>;

/** A call of the tool by u-1; `outcome`: of each request. */
async function called(
  run: Declaration["run"],
  given: object = { a: "x" },
  more: Partial<Declaration> = {},
  outcome: object = { kind: "ok", result: {} },
) {
  const requests: unknown[][] = [];
  const signal = ownSignal();
  const waits = replaced(progress, "reportWait", (work) => work);
  const context = {
    signal,
    configuration: { backend: { confirmTimeoutMs: 4_321, userId: "configured" } },
    pubsub: {
      session: { userId: "u-1" },
      request: (...all: unknown[]) => (requests.push(all), Promise.resolve(outcome)),
    },
  };
  const tool = defineMutation({ ...DECLARED, run, ...more });
  const result = await tool.handler(given as never, context as never);
  return { tool, result, requests, waits, signal, context };
}

describe("a mutation", () => {
  test("sends each request with the caller's key and signal, and a step of its own without the key", async () => {
    const { requests, waits, signal, context } = await called(async (_, __, send) => {
      await send("market.halt", { reason: "r" } as never);
      await send("market.resume", {} as never, { what: "Resumed" });
      await send("order.cancel", { orderId: "1" }, { withoutKey: true });
      return { status: "success", message: "done", b: 1 };
    }, { a: "x", idempotencyKey: "key" });
    expect(requests).toEqual([
      ["market.halt", { reason: "r" }, { operationId: "key", signal }],
      ["market.resume", {}, { operationId: "key", signal }],
      ["order.cancel", { orderId: "1" }, { operationId: undefined, signal }],
    ]);
    const what = (words: string) => ({ what: `${words}, waits for the market's confirmation`, limitMs: 4_321 });
    expect(waits.map(([, given, wait]) => [given === context as never, wait])).toEqual([
      [true, what("Sent")],
      [true, what("Resumed")],
      [true, what("Sent")],
    ]);
  });

  test("gets its input without the key, and answers as the acting user", async () => {
    const inputs: unknown[] = [];
    const { result } = await called((given) => {
      inputs.push(given);
      return Promise.resolve({ status: "preview", message: "m", b: 2 });
    }, { a: "x", idempotencyKey: "key" });
    expect([inputs, result]).toEqual([[{ a: "x" }], { userId: "u-1", status: "preview", message: "m", b: 2 }]);
  });

  test("that is not confirmed has its own fields, the key of the request, and how to find out", async () => {
    const timeout = { kind: "timeout", waitedMs: 5, validUntil: "then", operationId: "op" } as const;
    const failing: Declaration["run"] = () => Promise.resolve(timeout as never);
    const asked: unknown[] = [];
    const afterTimeout = (...all: unknown[]) => (asked.push(all), "Look there.");
    const { result } = await called(failing, { a: "x", idempotencyKey: "key" }, { afterTimeout });
    expect(result).toMatchObject({
      userId: "u-1",
      status: "timeout",
      b: ["failed", { a: "x" }],
      idempotencyKey: "op",
      error: { code: "timeout", hint: expect.stringContaining("Look there. ") },
    });
    expect(asked).toEqual([[{ a: "x" }, "op"]]);
    const plain = await called(failing);
    expect(plain.result).toMatchObject({
      error: { hint: expect.stringContaining("Check the state with a query tool") },
    });
  });

  test.each([[[], "rejected"], [["not_cancellable"], "not_cancellable"]] as const)(
    "with the statuses %j tells a refusal as %s",
    async (specialStatuses, status) => {
      const refused = { kind: "rejected", code: "not_cancellable", message: "gone", operationId: "op" };
      const { result, tool } = await called(() => Promise.resolve(refused as never), { a: "x" }, { specialStatuses });
      expect(result).toMatchObject({ status, reason: "not_cancellable", b: ["failed", { a: "x" }] });
      const schema = tool.output as z.ZodObject;
      const statuses = ["success", "rejected", "timeout", "not_connected", "error", ...specialStatuses];
      expect((schema.shape["status"] as z.ZodEnum).options).toEqual(statuses);
      expect(Object.keys(schema.shape)).toEqual([
        "status",
        "message",
        "userId",
        "error",
        "reason",
        "idempotencyKey",
        "b",
      ]);
    },
  );

  test("that throws fails in the same shape, with what the client sent, and no user without a session", () => {
    const tool = defineMutation({ ...DECLARED, run: () => Promise.reject<never>(new Error("not called")) });
    const error = new ToolError("forbidden", "No.", "Ask.");
    const told = (session: object | null) =>
      tool.onFailure!(error, { a: 7 } as never, { pubsub: { session } } as never) as Record<string, unknown>;
    expect(told({ userId: "u-1" })).toMatchObject({
      userId: "u-1",
      b: ["failed", { a: 7 }],
      error: { code: "forbidden" },
    });
    expect(told(null)["userId"]).toBeNull();
  });

  test("takes a key only if it writes to the market, and is never a read", () => {
    const run = () => Promise.resolve({ status: "success" as const, message: "", b: 0 });
    const fieldsOf = (requires?: Declaration["requires"]) => {
      const { input, annotations, requires: needed } = defineMutation({
        ...DECLARED,
        run,
        ...(requires && { requires }),
      });
      return [Object.keys((input as z.ZodObject).shape), needed, annotations];
    };
    const annotations = { destructiveHint: false, idempotentHint: true, readOnlyHint: false, openWorldHint: true };
    expect(fieldsOf()).toEqual([["a", "idempotencyKey"], { connection: "write" }, annotations]);
    const permissions = { permissions: ["Market.Operate"] } as const;
    expect(fieldsOf(permissions)).toEqual([["a"], permissions, annotations]);
  });
});

test("a command to the simulator acts as the connected user, or else the configured one, also if it fails", async () => {
  const command = (answer: object) =>
    defineCommand({ ...DECLARED, fieldsOfFailure: { b: null }, run: () => Promise.resolve(answer as never) });
  const context = (userId: string | null) => ({
    signal: new AbortController().signal,
    configuration: { backend: { confirmTimeoutMs: 1, userId: "configured" } },
    pubsub: { session: userId === null ? null : { userId } },
  });
  const done = { status: "success", message: "m", b: 1 };
  const refused = { kind: "rejected", code: "not_running", message: "no" };
  for (const [userId, expected] of [["u-1", "u-1"], [null, "configured"]] as const) {
    const tell = (answer: object) => command(answer).handler({ a: "x" } as never, context(userId) as never);
    expect(await tell(done)).toEqual({ userId: expected, ...done } as never);
    expect(await tell(refused)).toMatchObject({ userId: expected, b: null, status: "rejected" });
  }
  expect(command(done).requires).toEqual({ permissions: ["Market.Operate"] });
});

test("what the acting user may do is the session's, or else asked of the backend, with the call's signal", async () => {
  const signal = ownSignal();
  const users = jest.fn(() =>
    Promise.resolve([{ id: "u-1", permissions: ["Order.Submit"] }, { id: "configured", permissions: ["Market.View"] }])
  );
  const context = (session: object | null, userId = "configured") =>
    ({ signal, backend: { users }, configuration: { backend: { userId } }, pubsub: { session } }) as never;
  expect(await actingPermissions(context({ userId: "u-1", capabilities: ["Credit.View"] }))).toEqual(["Credit.View"]);
  expect(users).not.toHaveBeenCalled();
  expect(await actingPermissions(context(null))).toEqual(["Market.View"]);
  expect(users.mock.calls as unknown[]).toEqual([[signal]]);
  expect(await actingPermissions(context(null, "unknown"))).toEqual([]);
});

test("only text counts as a text of a failed call", () => {
  expect(["x", "", 1, null, undefined, {}].map(textOf)).toEqual(["x", "", null, null, null, null]);
});
