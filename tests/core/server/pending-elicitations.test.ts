// What the end-to-end tests can't show quickly: time, and many questions at once.

import { expect, test } from "bun:test";
import { McpServer, type ServerContext } from "@modelcontextprotocol/server";
import { logger } from "../../../common/logger.ts";
import { OpenQuestions } from "../../../core/server/pending-elicitations.ts";

const QUESTION = { text: "Halt market M?", call: "[]" };
const YES = { confirmation: { action: "accept", content: { agree: true } } };
const MCP = new McpServer({ name: "mkt", version: "1.0.0" });

const asking = () => new OpenQuestions(logger("test"), () => 0);

function personWith(questions: OpenQuestions, mcpReq: Record<string, unknown> = {}, caller: string | null = null) {
  const context = {
    mcpReq: {
      requestState: () => mcpReq["state"],
      inputResponses: mcpReq["answers"],
      envelope: { "io.modelcontextprotocol/clientCapabilities": mcpReq["capabilities"] ?? { elicitation: {} } },
    },
  };
  return questions.personAt({ mcp: MCP, era: "modern", context: context as unknown as ServerContext, caller });
}

async function askedBy(questions: OpenQuestions, caller: string | null = null): Promise<string> {
  const person = personWith(questions, {}, caller);
  expect(await person.ask(QUESTION)).toBe("asked");
  return person.question?.requestState ?? "";
}

const answeredTo = (questions: OpenQuestions, state: string, caller: string | null = null) =>
  personWith(questions, { state, answers: YES }, caller).ask(QUESTION);

test("the form agrees to nothing by itself: its one field is required, and false until it is set", async () => {
  const person = personWith(asking());
  await person.ask(QUESTION);
  expect(person.question?.inputRequests).toMatchObject({
    confirmation: {
      params: {
        message: QUESTION.text,
        requestedSchema: { required: ["agree"], properties: { agree: { type: "boolean", default: false } } },
      },
    },
  });
});

test("a person may take five minutes, and not more", async () => {
  let now = 0;
  const questions = new OpenQuestions(logger("test"), () => now);
  const [soon, late] = [await askedBy(questions), await askedBy(questions)];
  now = 300_000;
  expect(await answeredTo(questions, soon)).toBe("agreed");
  now++;
  expect(await answeredTo(questions, late)).toBe("forged");
});

test("of more than a hundred pending questions of one token the oldest is given up", async () => {
  const questions = asking();
  const [first, second] = [await askedBy(questions), await askedBy(questions)];
  for (let count = 2; count <= 100; count++) await askedBy(questions);
  expect(await answeredTo(questions, first)).toBe("forged");
  expect(await answeredTo(questions, second)).toBe("agreed");
});

test("a token's questions push out nobody else's", async () => {
  const questions = asking();
  const [ours, none] = [await askedBy(questions, "desk"), await askedBy(questions)];
  for (let count = 0; count < 300; count++) await askedBy(questions, "flood");
  expect(await answeredTo(questions, ours, "desk")).toBe("agreed");
  expect(await answeredTo(questions, none)).toBe("agreed");
});

test("an answer that comes by another token settles nothing, and the question stays pending", async () => {
  const questions = asking();
  const state = await askedBy(questions, "desk");
  expect(await answeredTo(questions, state, "other")).toBe("forged");
  expect(await answeredTo(questions, state, "desk")).toBe("agreed");
});

test("two answers at once settle one question once", async () => {
  const questions = asking();
  const state = await askedBy(questions);
  const answers = await Promise.all([answeredTo(questions, state), answeredTo(questions, state)]);
  expect(answers.sort()).toEqual(["agreed", "forged"]);
});

test("a question that expires while its answer is being checked is not agreed to", async () => {
  let now = 0;
  const questions = new OpenQuestions(logger("test"), () => now);
  const state = await askedBy(questions);
  const answer = answeredTo(questions, state);
  now = 300_001;
  expect(await answer).toBe("forged");
});

test("at most a hundred calls of one token wait for a person on the connection, and room comes back", async () => {
  const questions = asking();
  const answers: ((answer: unknown) => void)[] = [];
  const mcp = { server: { getClientCapabilities: () => ({ elicitation: {} }) } } as unknown as McpServer;
  const ask = (caller: string) => {
    const context = { mcpReq: { send: () => new Promise((resolve) => answers.push(resolve)) } };
    return questions.personAt({ mcp, era: "legacy", context: context as unknown as ServerContext, caller })
      .ask(QUESTION);
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

test("another process's question is none of ours", async () => {
  const state = await askedBy(asking());
  expect(await answeredTo(asking(), state)).toBe("forged");
});

test.each([[{}], [{ elicitation: { url: {} } }], [{ elicitation: "yes" }], [{ elicitation: null }], ["all"]])(
  "a client with the capabilities %j can't ask",
  async (capabilities) => {
    expect(await personWith(asking(), { capabilities }).ask(QUESTION)).toBe("unavailable");
  },
);
