// What the end-to-end tests can't show quickly: time, and many questions at once.

import { expect, test } from "bun:test";
import { McpServer, type ServerContext } from "@modelcontextprotocol/server";
import { logger } from "../../../core/logger.ts";
import { OpenQuestions } from "../../../core/server/open-questions.ts";

const QUESTION = { text: "Halt market M?", call: "[]" };
const YES = { confirmation: { action: "accept", content: { agree: true } } };
const MCP = new McpServer({ name: "mkt", version: "1.0.0" });

const asking = () => new OpenQuestions(logger("test"), () => 0);

function personWith(questions: OpenQuestions, mcpReq: Record<string, unknown> = {}) {
  const context = {
    mcpReq: {
      requestState: () => mcpReq["state"],
      inputResponses: mcpReq["answers"],
      envelope: { "io.modelcontextprotocol/clientCapabilities": mcpReq["capabilities"] ?? { elicitation: {} } },
    },
  };
  return questions.personAt(MCP, "modern", context as unknown as ServerContext);
}

async function askedBy(questions: OpenQuestions): Promise<string> {
  const person = personWith(questions);
  expect(await person.ask(QUESTION)).toBe("asked");
  return person.question?.requestState ?? "";
}

const answeredTo = (questions: OpenQuestions, state: string) =>
  personWith(questions, { state, answers: YES }).ask(QUESTION);

test("a person may take five minutes, and not more", async () => {
  let now = 0;
  const questions = new OpenQuestions(logger("test"), () => now);
  const [soon, late] = [await askedBy(questions), await askedBy(questions)];
  now = 300_000;
  expect(await answeredTo(questions, soon)).toBe("agreed");
  now++;
  expect(await answeredTo(questions, late)).toBe("forged");
});

test("of more than a thousand open questions the oldest is given up", async () => {
  const questions = asking();
  const [first, second] = [await askedBy(questions), await askedBy(questions)];
  for (let count = 2; count <= 1000; count++) await askedBy(questions);
  expect(await answeredTo(questions, first)).toBe("forged");
  expect(await answeredTo(questions, second)).toBe("agreed");
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
