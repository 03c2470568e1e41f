// What prompts/list shows of a prompt, how prompts/get is run and recorded, and what it answers.

import { expect, test } from "bun:test";
import { logger } from "../../../../../common/logger.ts";
import { PromptCatalogue } from "../../../../../core/prompts/prompt-catalogue.ts";
import type { Prompt } from "../../../../../core/prompts/prompt.ts";
import { OwnPendingStates } from "../../../../../core/server/sdk/asking/pending-states.ts";
import { RequestStates } from "../../../../../core/server/sdk/asking/request-states.ts";
import { servePrompts } from "../../../../../core/server/sdk/handlers/prompt-handlers.ts";
import { InputRequired } from "../../../../../core/tools/client.ts";
import { CALL, SCOPE, served } from "./support.ts";

const LOG = logger("test");
const REQUESTS = { one: { method: "elicitation/create", params: {} } };

function serving(prompt: Partial<Prompt>, era: "legacy" | "modern" = "modern") {
  const whole = { name: "explain", title: "Explain", description: "Says why.", messages: () => "", ...prompt };
  const states = new RequestStates(new OwnPendingStates(() => 0), LOG);
  return served((mcp, requests) => {
    servePrompts(mcp, { catalogue: new PromptCatalogue([whole]), requests, states, era, log: LOG });
  });
}

const ARGUMENTS = {
  orderId: { description: "which", complete: () => [] },
  note: { description: "what for", required: false },
};

test("a prompt is listed with its arguments, which are required unless they say otherwise", async () => {
  const listed = { name: "explain", title: "Explain", description: "Says why." };
  expect(await serving({ arguments: ARGUMENTS }).call("prompts/list")).toEqual({
    prompts: [{
      ...listed,
      arguments: [
        { name: "orderId", description: "which", required: true },
        { name: "note", description: "what for", required: false },
      ],
    }],
  });
  expect(await serving({}).call("prompts/list")).toEqual({ prompts: [{ ...listed, arguments: [] }] });
});

test("its messages are made of the trimmed arguments, and of the request only ids are recorded", async () => {
  const made: unknown[] = [];
  const requires = { connection: "read" } as const;
  const messages = (given: object, { pubsub }: { readonly pubsub: unknown }) => {
    made.push(given, pubsub);
    return "one\ntwo\u202e";
  };
  const { asked, call } = serving({ arguments: ARGUMENTS, requires, messages: messages as never });
  const given = { orderId: "ORD-1", note: " secret " };
  expect(await call("prompts/get", { name: "explain", arguments: given })).toEqual({
    description: "Says why.",
    messages: [{ role: "user", content: { type: "text", text: "one\ntwo\\u202e" } }],
  });
  await call("prompts/get", { name: "explain", arguments: { ...given, note: "secret" } });
  expect(asked.run.pop()?.[0].arguments).toEqual({ orderId: "ORD-1", note: "(text, 6 characters)" });
  expect(made.splice(2)).toEqual([{ orderId: "ORD-1", note: "secret" }, CALL.pubsub]);
  expect(made).toEqual([{ orderId: "ORD-1", note: "secret" }, CALL.pubsub]);
  const recorded = { orderId: "ORD-1", note: "(text, 8 characters)" };
  expect(asked).toEqual({
    run: [[{ kind: "prompt", name: "explain", arguments: recorded, requires }, SCOPE as never]],
    unknown: [],
    looked: [],
  });
});

test("messages of its own keep their roles, and are made safe", async () => {
  const messages = () => [{ role: "assistant", content: { type: "text", text: "a\u202e" } }] as never;
  expect(await serving({ messages }).call("prompts/get", { name: "explain" })).toEqual({
    description: "Says why.",
    messages: [{ role: "assistant", content: { type: "text", text: "a\\u202e" } }],
  });
});

test("an argument that it does not have is refused, and none is recorded", async () => {
  const { asked, call } = serving({ arguments: ARGUMENTS });
  await expect(call("prompts/get", { name: "explain", arguments: { orderId: "a", other: "b" } })).rejects
    .toThrow("other is unknown");
  expect(asked.run[0]![0]).toEqual({ kind: "prompt", name: "explain", arguments: null });
});

test("a name that no prompt has is recorded as unknown, and the nearest one is said", async () => {
  const { asked, call } = serving({});
  await expect(call("prompts/get", { name: "explan" })).rejects
    .toThrow("Prompt explan not found (did you mean explain?)");
  await expect(call("prompts/get", { name: "x".repeat(101) })).rejects.toThrow(
    /^Prompt x{100}\.\.\. \(1 more characters\) not found$/,
  );
  const unknown = ["prompt", "prompt", expect.objectContaining({ caller: "stdio" })];
  expect(asked).toEqual({ run: [], unknown: [unknown, unknown], looked: [] });
});

test("a prompt that asks its client is answered with the question, its declaration being passed on", async () => {
  const messages = () => new InputRequired({ requests: REQUESTS, state: 1 } as never);
  const { asked, call } = serving({ usesClient: true, messages });
  expect(await call("prompts/get", { name: "explain" })).toEqual({
    resultType: "input_required",
    inputRequests: REQUESTS,
    requestState: expect.any(String),
  });
  const [request, scope] = asked.run[0]!;
  expect([request.usesClient, Object.keys(scope)]).toEqual([true, [...Object.keys(SCOPE), "client"]]);
  // Of an older protocol over HTTP: no connection leads to the client.
  const older = serving({ usesClient: true, messages }, "legacy");
  await expect(older.call("prompts/get", { name: "explain" })).rejects.toThrow("over HTTP only");
});

test("a prompt that has not declared that it asks has no client", async () => {
  const { asked, call } = serving({ usesClient: false });
  await call("prompts/get", { name: "explain" });
  const [request, scope] = asked.run[0]!;
  expect([request.usesClient, "client" in scope]).toEqual([false, false]);
});
