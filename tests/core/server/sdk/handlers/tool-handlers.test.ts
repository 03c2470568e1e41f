// What tools/list and tools/call pass on to the dispatcher, and which answer of several the client gets.

import { expect, mock, test } from "bun:test";
import { logger } from "../../../../../common/logger.ts";
import type { ToolAnswer } from "../../../../../core/dispatch/result.ts";
import { PendingElicitations } from "../../../../../core/server/sdk/asking/pending-elicitations.ts";
import { OwnPendingStates } from "../../../../../core/server/sdk/asking/pending-states.ts";
import { RequestStates } from "../../../../../core/server/sdk/asking/request-states.ts";
import { authInfoOf } from "../../../../../core/server/sdk/exchange/http-exchange.ts";
import { serveTools } from "../../../../../core/server/sdk/handlers/tool-handlers.ts";
import { InputRequired } from "../../../../../core/tools/client.ts";
import { CONTEXT, SCOPE, served } from "./support.ts";

const LOG = logger("test");
const REQUESTS = { one: { method: "elicitation/create", params: {} } };
const ANSWER = { kind: "json", value: { a: 1 }, text: '{"a":1}', isError: false, isStructured: true } as const;
const TOOLS: Readonly<Record<string, object>> = {
  mkt_plain: { usesClient: false },
  mkt_asks: { usesClient: true },
  mkt_asks_too: { usesClient: true },
};

type Scope = Record<string, unknown> & { readonly client?: { ask: (required: InputRequired) => unknown } };

/** `elicitor`: what a person is asked, and has agreed to. */
function serving(answerOf: (name: string, scope: Scope) => ToolAnswer | null, elicitor?: object) {
  const called = mock((name: string, _arguments: unknown, scope: Scope) => Promise.resolve(answerOf(name, scope)));
  const catalogue = {
    listed: [{ name: "mkt_plain" }],
    names: Object.keys(TOOLS),
    get: (name: string) => TOOLS[name],
    schemaWithHeaders: (name: string) => name === "mkt_plain" ? { type: "object" } : null,
  };
  const session = { userId: "anna" };
  const services = { pubsub: { session }, log: LOG };
  const states = new RequestStates(new OwnPendingStates(() => 0), LOG);
  const elicitations = elicitor === undefined
    ? new PendingElicitations(states, LOG)
    : { elicitorFor: () => elicitor } as never;
  const dispatcher = { catalogue, services, call: called } as never;
  const { handlers, mcp } = served((mcp) => serveTools(mcp, { dispatcher, elicitations, states, era: "modern" }));
  const call = async (params: object, context: object = CONTEXT) =>
    await (handlers.get("tools/call") as unknown as (params: object, context: object) => Promise<unknown>)(
      params,
      context,
    );
  return { call, called, handlers, mcp, session };
}

test("the tools are listed, and only schemas with headers are for the SDK to compare", async () => {
  const { handlers, mcp } = serving(() => ANSWER);
  expect(await handlers.get("tools/list")!({})).toEqual({ tools: [{ name: "mkt_plain" }] });
  expect(mcp.toolInputSchemaJson?.("mkt_plain")).toEqual({ type: "object" });
  expect(mcp.toolInputSchemaJson?.("mkt_asks")).toBeUndefined();
});

test("a call has the arguments as they came, the scope of its request, and somebody to ask", async () => {
  const { call, called } = serving(() => ANSWER);
  const given = JSON.parse('{"__proto__": 1}');
  expect(await call({ name: "mkt_plain", arguments: given }))
    .toEqual({ content: [{ type: "text", text: '{"a":1}' }], structuredContent: { a: 1 } });
  const [name, passed, scope] = called.mock.calls[0]!;
  expect([name, passed === given]).toEqual(["mkt_plain", true]);
  expect(scope).toEqual({ ...SCOPE, elicitor: expect.anything() } as never);
});

test("a tool that asks its client is given one, and its question is answered before its result", async () => {
  const asking = serving((_name, { client }) => {
    client!.ask(new InputRequired({ requests: REQUESTS } as never));
    return { ...ANSWER, isError: true };
  });
  expect(await asking.call({ name: "mkt_asks" })).toEqual({ resultType: "input_required", inputRequests: REQUESTS });
  const silent = serving(() => ANSWER);
  expect(await silent.call({ name: "mkt_asks" })).toMatchObject({ structuredContent: { a: 1 } });
});

test("a question is that of this tool, these arguments and this user", async () => {
  const ask = (_name: string, { client }: Scope) => {
    client!.ask(new InputRequired({ requests: REQUESTS, state: 1 } as never));
    return ANSWER;
  };
  for (const other of [{ arguments: { a: 2 } }, { name: "mkt_asks_too" }, { userId: "bob" }, {}]) {
    const { call, session } = serving(ask);
    const params = { name: "mkt_asks", arguments: { a: 1 } };
    const { requestState } = await call(params) as { readonly requestState: string };
    const again = { ...CONTEXT, mcpReq: { ...CONTEXT.mcpReq, requestState: () => requestState } };
    const { userId, ...changed } = { userId: "anna", ...other };
    session.userId = userId;
    const repeated = call({ ...params, ...changed }, again);
    if (Object.keys(other).length > 0) await expect(repeated).rejects.toThrow("not one that mkt gave");
    else expect(await repeated).toMatchObject({ resultType: "input_required" });
  }
});

test("a question to a person comes first; what the person has agreed to goes with the question of the tool", async () => {
  const input = { resultType: "input_required", inputRequests: {} };
  const ask = (_name: string, { client }: Scope) => {
    client!.ask(new InputRequired({ requests: REQUESTS } as never));
    return ANSWER;
  };
  expect(await serving(ask, { inputRequired: input, agreed: null }).call({ name: "mkt_asks" })).toBe(input as never);
  expect(await serving(() => ANSWER, { inputRequired: input, agreed: null }).call({ name: "mkt_plain" }))
    .toBe(input as never);
  const agreed = await serving(ask, { inputRequired: null, agreed: "digest" }).call({ name: "mkt_asks" });
  expect(agreed).toEqual({ resultType: "input_required", inputRequests: REQUESTS, requestState: expect.any(String) });
});

test("a call that has run on the short way is not run again", async () => {
  const { call, called } = serving(() => ANSWER);
  const result = { content: [{ type: "text" as const, text: "whole" }] };
  const exchange = { caller: null, client: "c", isAccepted: () => true, freeSlot: () => {} };
  const authInfo = authInfoOf({ ...exchange, answered: { kind: "raw", result } });
  expect(await call({ name: "mkt_plain" }, { ...CONTEXT, http: { authInfo } })).toBe(result);
  expect(called).not.toHaveBeenCalled();
});

test("a name that no tool has is an error of the protocol, with the nearest one", async () => {
  const { call } = serving(() => null);
  await expect(call({ name: "mkt_plan" })).rejects.toThrow("Tool mkt_plan not found (did you mean mkt_plain?)");
  await expect(call({ name: "x".repeat(101) })).rejects.toThrow(/^Tool x{100}\.\.\. \(1 more characters\) not found$/);
});
