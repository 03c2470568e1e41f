// Completion: what a client may offer while a person types an argument of a prompt, or a parameter of a resource's URI.

import type { ToolContext } from "./context.ts";

/**
 * Gives the values that fit what was typed so far, best first. `others` are the arguments that are already known. More than
 * MAX_COMPLETIONS are cut by the caller. Throws ToolError, as a tool's handler does.
 */
export type Completion = (
  typed: string,
  context: ToolContext,
  others: Readonly<Record<string, string>>,
) => readonly string[] | Promise<readonly string[]>;

/** The most values of one answer (MCP, completion/complete). */
export const MAX_COMPLETIONS = 100;
