// What a handler that asks its client gets of the repeated call, and which calls may bring back a state.

import { expect, test } from "bun:test";
import type { ServerContext } from "@modelcontextprotocol/server";
import { logger } from "../../../../../common/logger.ts";
import { type CallOrigin, exchangeWith } from "../../../../../core/server/sdk/asking/client-exchange.ts";
import { OwnPendingStates } from "../../../../../core/server/sdk/asking/pending-states.ts";
import { RequestStates } from "../../../../../core/server/sdk/asking/request-states.ts";
import { InputRequired } from "../../../../../core/tools/client.ts";

const LOG = logger("test");
const CALL = { method: "tools/call", name: "mkt_do", arguments: { a: 1 }, userId: "anna" } as const;
const REQUESTS = { one: { method: "elicitation/create", params: {} } };
const ANSWERS = { one: { action: "accept" } };

interface Given {
  readonly state?: unknown;
  readonly answers?: object;
  readonly caller?: string | null;
  readonly era?: CallOrigin["era"];
  readonly declared?: object;
  readonly isHttp?: boolean;
}

const states = () => new RequestStates(new OwnPendingStates(() => 0), LOG);

function originOf(
  { state, answers, caller = "desk", era = "modern", declared = {}, isHttp = true }: Given,
): CallOrigin {
  const envelope = { "io.modelcontextprotocol/clientCapabilities": declared };
  const mcpReq = { requestState: () => state, inputResponses: answers, envelope };
  const context = { mcpReq, ...(isHttp && { http: {} }) } as unknown as ServerContext;
  return { mcp: { server: { getClientCapabilities: () => declared } } as never, era, context, caller };
}

/** The state that a call gets back with its question. */
async function stateOf(kept: RequestStates, agreed: string | null = null): Promise<string> {
  const exchange = await exchangeWith(originOf({}), CALL, kept, LOG);
  exchange.ask(new InputRequired({ requests: REQUESTS, state: { step: 2 } } as never));
  return String((await exchange.inputRequired(kept, agreed))?.requestState);
}

test("a repeated call has its state and its answers, once, and what a person has agreed to", async () => {
  const kept = states();
  const state = await stateOf(kept, "digest");
  const exchange = await exchangeWith(originOf({ state, answers: ANSWERS }), CALL, kept, LOG);
  expect([exchange.state, exchange.responses, exchange.carried?.agreed]).toEqual([{ step: 2 }, ANSWERS, "digest"]);
  await expect(exchangeWith(originOf({ state, answers: ANSWERS }), CALL, kept, LOG)).rejects.toThrow("used before");
});

test.each<[string, Partial<Record<keyof typeof CALL, unknown>>, string | null]>([
  ["with other arguments", { arguments: { a: 2 } }, "desk"],
  ["without arguments", { arguments: undefined }, "desk"],
  ["of another tool", { name: "mkt_other" }, "desk"],
  ["of another method", { method: "prompts/get" }, "desk"],
  ["as another user", { userId: "bob" }, "desk"],
  ["without a user", { userId: null }, "desk"],
  ["of another caller", {}, "other"],
  ["without a caller", {}, null],
])("a state is refused in a call %s", async (_what, other, caller) => {
  const kept = states();
  const state = await stateOf(kept);
  const origin = originOf({ state, caller });
  await expect(exchangeWith(origin, { ...CALL, ...other } as never, kept, LOG)).rejects.toThrow(
    "not one that mkt gave",
  );
});

test("the answer of a person who was asked to agree is not for the handler", async () => {
  const kept = states();
  const state = await kept.mint({ asked: "digest" }, "desk");
  const exchange = await exchangeWith(originOf({ state, answers: ANSWERS }), CALL, kept, LOG);
  expect([exchange.responses, exchange.state, exchange.carried?.asked]).toEqual([{}, undefined, "digest"]);
});

test("a question without a state needs none, unless a person has agreed before", async () => {
  for (const [agreed, hasState] of [[null, false], ["digest", true]] as const) {
    const kept = states();
    const exchange = await exchangeWith(originOf({}), CALL, kept, LOG);
    expect(await exchange.inputRequired(kept, agreed)).toBeNull();
    exchange.ask(new InputRequired({ requests: REQUESTS } as never));
    const result = await exchange.inputRequired(kept, agreed);
    expect(result).toMatchObject({ resultType: "input_required", inputRequests: REQUESTS });
    expect(result?.requestState !== undefined).toBe(hasState);
  }
});

test.each<[string, Given, string | null]>([
  ["of 2026-07-28", { era: "modern" }, null],
  ["of an older protocol over HTTP", { era: "legacy", declared: { elicitation: {} } }, "over HTTP only"],
  ["of an older protocol on stdio", { era: "legacy", isHttp: false, declared: { elicitation: {} } }, null],
  ["on stdio that can do something else", { era: "legacy", isHttp: false, declared: { sampling: {} } }, "elicitation"],
])("a client %s can be asked, or the call says why not", async (_what, given, refusal) => {
  const kept = states();
  const exchange = await exchangeWith(originOf(given), CALL, kept, LOG);
  const { message } = exchange.ask(new InputRequired({ requests: REQUESTS } as never));
  if (refusal === null) expect(message).toBe("The client is asked for input.");
  else expect(message).toContain(refusal);
  expect(await exchange.inputRequired(kept, null) === null).toBe(refusal !== null);
});
