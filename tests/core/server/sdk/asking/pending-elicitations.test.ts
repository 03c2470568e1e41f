// What the end-to-end tests can't show quickly: time, and many elicitations at once.

import { expect, test } from "bun:test";
import { McpServer, type ServerContext } from "@modelcontextprotocol/server";
import { logger } from "../../../../../common/logger.ts";
import { OwnPendingStates } from "../../../../../core/server/sdk/asking/pending-states.ts";
import { PendingElicitations } from "../../../../../core/server/sdk/asking/pending-elicitations.ts";
import { RequestStates } from "../../../../../core/server/sdk/asking/request-states.ts";
import { ownSignal } from "../../../../support/own-signal.ts";

const QUESTION = { message: "Halt market M?", call: "[]" };
const YES = { confirmation: { action: "accept", content: { agree: true } } };
const MCP = new McpServer({ name: "mkt", version: "1.0.0" });

const asking = (now = () => 0) =>
  new PendingElicitations(new RequestStates(new OwnPendingStates(now), logger("test")), logger("test"));

function elicitorWith(
  elicitations: PendingElicitations,
  mcpReq: Record<string, unknown> = {},
  caller: string | null = null,
) {
  const context = {
    mcpReq: {
      requestState: () => mcpReq["state"],
      inputResponses: mcpReq["answers"],
      envelope: { "io.modelcontextprotocol/clientCapabilities": mcpReq["capabilities"] ?? { elicitation: {} } },
    },
  };
  return elicitations.elicitorFor({ mcp: MCP, era: "modern", context: context as unknown as ServerContext, caller });
}

async function askedBy(elicitations: PendingElicitations, caller: string | null = null): Promise<string> {
  const elicitor = elicitorWith(elicitations, {}, caller);
  expect(await elicitor.elicit(QUESTION)).toBe("pending");
  return elicitor.inputRequired?.requestState ?? "";
}

const answeredTo = (elicitations: PendingElicitations, state: string, caller: string | null = null) =>
  elicitorWith(elicitations, { state, answers: YES }, caller).elicit(QUESTION);

test("the form does not agree by default: its only field is required, and false until it is set", async () => {
  const elicitor = elicitorWith(asking());
  await elicitor.elicit(QUESTION);
  const requestedSchema = { required: ["agree"], properties: { agree: { type: "boolean", default: false } } };
  expect(elicitor.inputRequired?.inputRequests)
    .toMatchObject({ confirmation: { params: { message: QUESTION.message, requestedSchema } } });
});

test("a person may take five minutes, and not more", async () => {
  let now = 0;
  const elicitations = asking(() => now);
  const [soon, late] = [await askedBy(elicitations), await askedBy(elicitations)];
  now = 300_000;
  expect(await answeredTo(elicitations, soon)).toBe("agreed");
  now++;
  expect(await answeredTo(elicitations, late)).toBe("forged");
});

test("of more than a hundred pending elicitations of one token the oldest is dropped", async () => {
  const elicitations = asking();
  const [first, second] = [await askedBy(elicitations), await askedBy(elicitations)];
  for (let count = 2; count <= 100; count++) await askedBy(elicitations);
  expect(await answeredTo(elicitations, first)).toBe("forged");
  expect(await answeredTo(elicitations, second)).toBe("agreed");
});

test("the elicitations of one token do not push out those of others", async () => {
  const elicitations = asking();
  const [ours, none] = [await askedBy(elicitations, "desk"), await askedBy(elicitations)];
  for (let count = 0; count < 300; count++) await askedBy(elicitations, "flood");
  expect(await answeredTo(elicitations, ours, "desk")).toBe("agreed");
  expect(await answeredTo(elicitations, none)).toBe("agreed");
});

test("an answer with another token settles nothing, and the elicitation stays pending", async () => {
  const elicitations = asking();
  const state = await askedBy(elicitations, "desk");
  expect(await answeredTo(elicitations, state, "other")).toBe("forged");
  expect(await answeredTo(elicitations, state, "desk")).toBe("agreed");
});

test("two answers at once settle an elicitation once", async () => {
  const elicitations = asking();
  const state = await askedBy(elicitations);
  const answers = await Promise.all([answeredTo(elicitations, state), answeredTo(elicitations, state)]);
  expect(answers.sort()).toEqual(["agreed", "forged"]);
});

test("an elicitation that expires while its answer is checked is not agreed to", async () => {
  let now = 0;
  const elicitations = asking(() => now);
  const state = await askedBy(elicitations);
  const answer = answeredTo(elicitations, state);
  now = 300_001;
  expect(await answer).toBe("forged");
});

test("at most a hundred calls of one token wait for elicitation/create, and an answer makes room for another", async () => {
  const elicitations = asking();
  const answers: ((answer: unknown) => void)[] = [];
  const mcp = { server: { getClientCapabilities: () => ({ elicitation: {} }) } } as unknown as McpServer;
  const ask = (caller: string) => {
    const signal = ownSignal();
    const send = (_request: unknown, options: unknown) => {
      // The wait ends with the call of its client, or after five minutes.
      expect(options).toEqual({ signal, timeout: 300_000 });
      return new Promise((resolve) => answers.push(resolve));
    };
    const context = { mcpReq: { signal, send } };
    return elicitations.elicitorFor({ mcp, era: "legacy", context: context as unknown as ServerContext, caller })
      .elicit(QUESTION);
  };
  const waiting = Array.from({ length: 100 }, () => ask("stdio"));
  expect(await ask("stdio")).toBe("busy");
  const other = ask("other");
  answers.at(-1)?.({ action: "accept", content: { agree: true } });
  expect(await other).toBe("agreed");
  answers[0]?.({ action: "decline" });
  expect(await waiting[0]).toBe("declined");
  const next = ask("stdio");
  for (const answer of answers) answer({ action: "accept", content: { agree: true } });
  expect(await next).toBe("agreed");
  expect(new Set(await Promise.all(waiting.slice(1)))).toEqual(new Set(["agreed"]));
});

test("a call that its client cancels, or whose elicitation fails, makes room for another", async () => {
  const elicitations = asking();
  const mcp = { server: { getClientCapabilities: () => ({ elicitation: {} }) } } as unknown as McpServer;
  const ask = (send: () => Promise<unknown>) => {
    const call = new AbortController();
    const context = { mcpReq: { signal: call.signal, send } } as unknown as ServerContext;
    const outcome = elicitations.elicitorFor({ mcp, era: "legacy", context, caller: "stdio" }).elicit(QUESTION);
    return { call, outcome };
  };
  for (let times = 0; times < 2; times++) {
    const breakOff: (() => void)[] = [];
    const asked = Array.from({ length: 100 }, () => ask(() => new Promise((_, reject) => breakOff.push(reject))));
    expect(await ask(() => Promise.resolve({})).outcome).toBe("busy");
    for (const [at, { call }] of asked.entries()) {
      if (at % 2 === 0) call.abort(new Error("cancelled"));
      breakOff[at]!();
    }
    const outcomes = await Promise.all(asked.map(({ outcome }) => outcome.catch((error: Error) => error.message)));
    expect(outcomes).toEqual(asked.map((_, at) => at % 2 === 0 ? "cancelled" : "declined"));
  }
});

test("an elicitation of another process is forged", async () => {
  const state = await askedBy(asking());
  expect(await answeredTo(asking(), state)).toBe("forged");
});

test.each([[{}], [{ elicitation: { url: {} } }], [{ elicitation: "yes" }], [{ elicitation: null }], ["all"]])(
  "a client with the capabilities %j can't ask",
  async (capabilities) => {
    expect(await elicitorWith(asking(), { capabilities }).elicit(QUESTION)).toBe("unavailable");
  },
);
