// prompts/list and prompts/get.

import { type GetPromptResult, type McpServer, ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import type { Logger } from "../../../../common/logger.ts";
import { didYouMean } from "../../../../common/command-line.ts";
import { safeLines, safeLinesIn, safeText } from "../../../../common/safe-text.ts";
import { askingClient } from "../../../dispatch/outcome.ts";
import type { PackRequest, PackRequests } from "../../../dispatch/pack-requests.ts";
import { loggedParameters } from "../../../guardrails/logged-parameters.ts";
import { promptArguments, type PromptCatalogue } from "../../../prompts/prompt-catalogue.ts";
import type { Prompt, PromptContent, PromptMessage } from "../../../prompts/prompt.ts";
import { InputPending, InputRequired } from "../../../tools/client.ts";
import type { ToolContext } from "../../../tools/context.ts";
import { scopeOf } from "../exchange/call-scope.ts";
import { exchangeWith } from "../asking/client-exchange.ts";
import type { RequestStates } from "../asking/request-states.ts";

/** Maximum length of an unknown prompt's name in the error message. */
const MAX_NAME_LENGTH = 100;

interface PromptHandlers {
  readonly catalogue: PromptCatalogue;
  readonly requests: PackRequests;
  readonly states: RequestStates;
  readonly era: "legacy" | "modern";
  readonly log: Logger;
}

export function servePrompts(mcp: McpServer, { catalogue, requests, states, era, log }: PromptHandlers): void {
  const prompts = catalogue.prompts.map(({ name, title, description, arguments: given = {} }) => ({
    name,
    title,
    description,
    arguments: Object.entries(given)
      .map(([name, { description, required = true }]) => ({ name, description, required })),
  }));
  mcp.server.setRequestHandler("prompts/list", () => ({ prompts }));
  mcp.server.setRequestHandler("prompts/get", async ({ params }, context) => {
    const prompt = catalogue.get(params.name);
    const scope = scopeOf(context);
    if (prompt === undefined) {
      requests.recordUnknown("prompt", "prompt", scope);
      throw unknownPrompt(params.name, catalogue.names);
    }
    const given = params.arguments ?? {};
    const origin = { mcp, era, context, caller: scope.caller ?? null };
    const call = { method: "prompts/get", name: prompt.name, arguments: given, userId: requests.actingUser } as const;
    const client = prompt.usesClient === true ? await exchangeWith(origin, call, states, log) : undefined;
    const made = await requests.run(
      requestFor(prompt, given),
      { ...scope, ...(client && { client }) },
      async (call) => checked(await prompt.messages(promptArguments(prompt, given), call), call),
    );
    return await client?.inputRequired(states, null) ?? promptResult(prompt, made);
  });
}

/** An argument is taken for an id or a choice if it can be completed. */
function requestFor(
  { name, requires, usesClient, arguments: known = {} }: Prompt,
  given: Readonly<Record<string, string>>,
): PackRequest {
  const areKnown = Object.keys(given).every((argument) => Object.hasOwn(known, argument));
  return {
    kind: "prompt",
    name,
    arguments: areKnown ? loggedParameters(given, (argument) => known[argument]?.complete !== undefined) : null,
    ...(requires && { requires }),
    ...(usesClient !== undefined && { usesClient }),
  };
}

/** Throws ToolError if the prompt needs input of a client that can't be asked. */
function checked(made: PromptContent, call: ToolContext): PromptContent {
  if (!(made instanceof InputRequired)) return made;
  const error = askingClient(call).ask(made);
  if (error instanceof InputPending) return made;
  throw error;
}

function promptResult({ description }: Prompt, made: PromptContent): GetPromptResult {
  if (made instanceof InputRequired) throw new TypeError("an input-required result was not sent");
  return { description, messages: typeof made === "string" ? [userMessage(safeLines(made))] : safeLinesIn([...made]) };
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
