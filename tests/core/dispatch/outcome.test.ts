// What a call ends in: for the client, and for the call log.

import { expect, test } from "bun:test";
import type { Logger } from "../../../common/logger.ts";
import { failure, success, withFreshness } from "../../../core/dispatch/outcome.ts";
import {
  callToolResult,
  errorAnswer,
  isFailure,
  statusAnswer,
  structuredAnswer,
} from "../../../core/dispatch/result.ts";
import { ToolError } from "../../../core/error.ts";
import { InputPending, InputRequired } from "../../../core/tools/client.ts";
import type { ToolContext } from "../../../core/tools/context.ts";
import { RawResult } from "../../../core/tools/tool.ts";
import { toolNamed } from "../support/tools.ts";

function contextWith(parts: object = {}) {
  const logged: Record<string, unknown>[] = [];
  const log = { error: (_text: string, facts: Record<string, unknown>) => logged.push(facts) } as unknown as Logger;
  const pubsub = { status: "connected", incomplete: false };
  const context = { pubsub, snapshot: { asOf: "then" }, signal: new AbortController().signal, log, ...parts };
  return { context: context as unknown as ToolContext, logged };
}

const requires = { connection: "read" } as const;
test.each<[object, object, object]>([
  [{ requires }, { status: "connected", incomplete: false }, {}],
  [{ requires }, { status: "connected", incomplete: true }, { incomplete: true }],
  [{ requires }, { status: "reconnecting", incomplete: false }, { stale: true, asOf: "then" }],
  [{ requires }, { status: "reconnecting", incomplete: true }, { stale: true, asOf: "then", incomplete: true }],
  [{ requires: { connection: "write" } }, { status: "reconnecting", incomplete: true }, {}],
  [{ requires: { connection: "session" } }, { status: "reconnecting", incomplete: true }, {}],
  [{}, { status: "reconnecting", incomplete: true }, {}],
])("a result of %j with the connection %j is marked with %j", (requiring, pubsub, marks) => {
  const { context } = contextWith({ pubsub });
  expect(withFreshness(requiring, { a: 1 }, context)).toEqual({ a: 1, ...marks } as never);
  const { answer, name } = success(toolNamed("t", requiring), { a: 1 }, context);
  expect([answer, name]).toMatchObject([{ value: { a: 1, ...marks }, isError: false, isStructured: true }, "ok"]);
});

test.each([["success", false], ["preview", false], ["partial", false], ["rejected", true], ["unknown", true], [
  undefined,
  true,
]])("a mutation whose status is %p has failed: %p", (status, hasFailed) => {
  const tool = toolNamed("t", { onFailure: () => ({}), requires });
  const { context } = contextWith({ pubsub: { status: "reconnecting", incomplete: true } });
  const { answer, name } = success(tool, { status }, context);
  expect([isFailure(answer), name]).toEqual([hasFailed, hasFailed ? String(status) : "ok"]);
  // A mutation says itself what holds.
  expect(answer).toMatchObject({ kind: "json", value: status === undefined ? {} : { status } });
  expect(answer).not.toHaveProperty("value.stale");
});

test("content of a tool's own is safe, and says itself whether it has failed", () => {
  const { context } = contextWith();
  for (const isError of [true, false, undefined]) {
    const content = [{ type: "text" as const, text: "a\u202e\nb" }];
    const value = new RawResult({ content, ...(isError !== undefined && { isError }) });
    const { answer, name } = success(toolNamed("t"), value, context);
    expect(name).toBe(isError === true ? "error" : "ok");
    expect(callToolResult(answer).content).toEqual([{ type: "text", text: "a\\u202e\nb" }]);
  }
});

test("a question ends the call with the error that its client gives", () => {
  const asked = new InputPending("forbidden", "m", "h");
  const required = new InputRequired({ requests: { one: { method: "roots/list" } } } as never);
  const questions: unknown[] = [];
  const { context } = contextWith({ client: { ask: (question: unknown) => (questions.push(question), asked) } });
  expect(() => success(toolNamed("t"), required, context)).toThrow(asked);
  expect([questions, failure(toolNamed("t"), asked, {}, context).name]).toEqual([[required], "asked"]);
});

const REFUSED = new ToolError("not_found", "No.", "Look.");
test.each<[string, unknown, boolean, string, string]>([
  ["a refusal", REFUSED, false, "not_found", "No."],
  ["a refusal after its client has gone", REFUSED, true, "not_found", "No."],
  ["a fault", new Error("secret"), false, "internal", "mkt failed on this call"],
  ["a fault that is no error", "secret", false, "internal", "mkt failed on this call"],
  ["a fault after its client has gone", new Error("secret"), true, "given_up", "The client cancelled this call"],
])("%s is answered, with details in the log alone", (_what, thrown, isGone, name, text) => {
  const { context, logged } = contextWith(isGone ? { signal: AbortSignal.abort() } : {});
  const outcome = failure(toolNamed("t"), thrown, {}, context);
  const result = JSON.stringify(callToolResult(outcome.answer));
  expect([outcome.name, isFailure(outcome.answer), result.includes("secret")]).toEqual([name, true, false]);
  expect(result).toContain(text);
  expect(logged.length).toBe(name === "internal" ? 1 : 0);
  for (const { tool, reference, error } of logged) {
    expect([tool, String(error)]).toEqual(["t", expect.stringContaining("secret")]);
    expect(result).toContain(String(reference));
  }
});

test("a mutation's own result of a failure has the arguments as they came, if these are an object", () => {
  const { context } = contextWith();
  const given: unknown[] = [];
  const tool = toolNamed("t", {
    onFailure: (error, input, of) => {
      given.push(error, input, of);
      return { status: "rejected" };
    },
  });
  for (const [raw, input] of [[{ a: 1 }, { a: 1 }], [null, {}], ["text", {}]]) {
    const { answer, name } = failure(tool, REFUSED, raw, context);
    expect(given.splice(0)).toEqual([REFUSED, input, context]);
    expect([name, answer]).toMatchObject(["not_found", {
      value: { status: "rejected" },
      isError: true,
      isStructured: true,
    }]);
  }
});

test("if that can't be made, the error is answered, and the log says why", () => {
  const { context, logged } = contextWith();
  const onFailure = () => {
    throw new Error("odd");
  };
  const { answer, name } = failure(toolNamed("t", { onFailure }), REFUSED, {}, context);
  expect([name, answer]).toEqual(["not_found", errorAnswer(REFUSED)]);
  expect(logged).toEqual([{ tool: "t", code: "not_found", error: expect.stringContaining("odd") }]);
});

test("a result is text and structure, an error text alone, and a failure says so", () => {
  const text = (value: object) => [{ type: "text", text: JSON.stringify(value) }];
  expect(callToolResult(structuredAnswer({ a: 1 }))).toEqual(
    { content: text({ a: 1 }), structuredContent: { a: 1 } } as never,
  );
  expect(callToolResult(statusAnswer({ status: "error" }))).toEqual({
    content: text({ status: "error" }),
    structuredContent: { status: "error" },
    isError: true,
  } as never);
  const error = { code: "not_found", message: "No.", hint: "Look." };
  expect(callToolResult(errorAnswer(REFUSED))).toEqual({ content: text({ error }), isError: true } as never);
  for (const value of [undefined, null, [], "text"]) {
    expect(() => structuredAnswer(value as never)).toThrow("the result is no object");
  }
});
