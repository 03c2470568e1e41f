// prompts/list and prompts/get.

import { type McpServer, ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { didYouMean } from "../../../common/command-line.ts";
import { safeText } from "../../../common/safe-text.ts";
import type { PackRequests } from "../../dispatch/pack-requests.ts";
import { promptArguments, type PromptCatalogue } from "../../prompts/prompt-catalogue.ts";
import type { PromptMessage } from "../../prompts/prompt.ts";
import { scopeOf } from "./call-scope.ts";
import { loggedParameters } from "../../guardrails/logged-parameters.ts";

/** Maximum length of an unknown prompt's name in the error message. */
const MAX_NAME_LENGTH = 100;

export function servePrompts({ server }: McpServer, catalogue: PromptCatalogue, requests: PackRequests): void {
  const prompts = catalogue.prompts.map(({ name, title, description, arguments: given = {} }) => ({
    name,
    title,
    description,
    arguments: Object.entries(given).map(([name, { description, required = true }]) => ({
      name,
      description,
      required,
    })),
  }));
  server.setRequestHandler("prompts/list", () => ({ prompts }));
  server.setRequestHandler("prompts/get", async ({ params }, context) => {
    const prompt = catalogue.get(params.name);
    if (prompt === undefined) throw unknownPrompt(params.name, catalogue.names);
    const { name, description, requires } = prompt;
    const given = params.arguments ?? {};
    const request = {
      kind: "prompt",
      name,
      arguments: loggedParameters(given),
      ...(requires && { requires }),
    } as const;
    const made = await requests.run(
      request,
      scopeOf(context),
      (call) => prompt.messages(promptArguments(prompt, given), call),
    );
    return { description, messages: typeof made === "string" ? [userMessage(made)] : [...made] };
  });
}

export function unknownPrompt(name: string, names: readonly string[]): ProtocolError {
  return new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `Prompt ${safeText(name, MAX_NAME_LENGTH)} not found${didYouMean(name, names)}`,
  );
}

function userMessage(text: string): PromptMessage {
  return { role: "user", content: { type: "text", text } };
}
