// A prompt is data: name, arguments, requirements, and the messages that it makes of them.

import type { GetPromptResult } from "@modelcontextprotocol/server";
import type { Completion } from "../tools/completion.ts";
import type { InputRequired } from "../tools/client.ts";
import type { ToolContext } from "../tools/context.ts";
import type { Requirements } from "../tools/tool.ts";

export interface PromptArgument {
  readonly description: string;
  /** True if absent. */
  readonly required?: boolean;
  /** In characters; MAX_ID_LENGTH if absent. A longer value is refused. */
  readonly maxLength?: number;
  readonly complete?: Completion;
}

export type PromptMessage = GetPromptResult["messages"][number];

/** What a prompt gives: its messages, or what it needs of the client before it can make them. */
export type PromptContent = string | readonly PromptMessage[] | InputRequired;

/**
 * The given arguments. All required ones are there, and none has an unknown name. No value is empty, too long, or has spaces
 * at its ends. Otherwise a value may be any text.
 */
export type PromptArguments = Readonly<Record<string, string>>;

export interface Prompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments?: Readonly<Record<string, PromptArgument>>;
  readonly requires?: Requirements;
  /** The tools without which it can't work. The prompt is only offered if all of them are. */
  readonly uses?: readonly string[];
  /** Further tools that its messages name, each only if it is offered (`context.server.tools`). */
  readonly mayUse?: readonly string[];
  /** It uses `context.client`: it asks the client for input, or logs to it. */
  readonly usesClient?: boolean;
  /** A string is one message of the user. Throws ToolError, as a tool's handler does. */
  readonly messages: (given: PromptArguments, context: ToolContext) => PromptContent | Promise<PromptContent>;
}

export function definePrompt(prompt: Prompt): Prompt {
  return prompt;
}
