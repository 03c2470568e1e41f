// A tool is data: its name, its schemas, what it requires, and a handler. Whether it is offered, when it may run and
// how its answer reaches the client all follow from this declaration; see dispatcher.ts.

import type { CallToolResult } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { Permission } from "../../protocol/index.ts";
import type { ToolContext } from "./context.ts";
import type { ErrorReport, ToolError } from "../error.ts";

export interface ToolAnnotations {
  /** Changes nothing in the market or the server. */
  readonly readOnlyHint: boolean;
  /** May cancel, remove or stop something. */
  readonly destructiveHint: boolean;
  /** A repeat with the same arguments changes nothing more. */
  readonly idempotentHint: boolean;
  /** Reaches a market that others act on too. */
  readonly openWorldHint: boolean;
}

export interface ToolRequirements {
  /**
   * `read`: PubSub was connected; while a lost connection is coming back the answer is marked `stale`.
   * `write`: PubSub is connected now.
   */
  readonly connection?: "read" | "write";
  /** Permissions that the acting user must hold, as far as this process knows them; the engine decides. */
  readonly permissions?: readonly Permission[];
  /** What a user who lacks one of them can do instead; one sentence, added to the refusal's hint. */
  readonly withoutPermission?: string;
}

export interface Tool<
  Input extends z.ZodObject = z.ZodObject,
  Output extends z.ZodObject = z.ZodObject,
> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** A strict object: an unknown parameter is a mistake and is named. */
  readonly input: Input;
  /** A loose object: fields may be added. */
  readonly output: Output;
  readonly annotations: ToolAnnotations;
  readonly requires?: ToolRequirements;
  /** Offered in read-only mode although it is no pure reader: connect and disconnect. */
  readonly allowedInReadOnly?: boolean;
  /** Works while an operator has frozen the server although it is no pure reader: it only makes a market safer. */
  readonly allowedWhenFrozen?: boolean;
  /**
   * What a person must agree to first, under MKT_CONFIRM=elicit: a sentence and a question to them. Null where this call
   * changes nothing, such as a preview. Throws ToolError as the handler would.
   */
  readonly question?: (input: z.output<Input>, context: ToolContext) => string | null;
  readonly handler: (
    input: z.output<Input>,
    context: ToolContext,
  ) => z.input<Output> | RawResult | Promise<z.input<Output> | RawResult>;
  /**
   * For tools whose result has a `status`: the result that a failure has. Without it a failure is
   * `{ error: { code, message, hint } }`.
   */
  readonly onFailure?: (error: ToolError, input: Record<string, unknown>, context: ToolContext) => z.input<Output>;
}

/** A result that goes to the client as it is, but for characters that can't be seen; for other content than one JSON value. */
export class RawResult {
  constructor(readonly result: CallToolResult) {}
}

/** Declares a tool; only here for the types, which follow the two schemas. */
export function defineTool<Input extends z.ZodObject, Output extends z.ZodObject>(
  tool: Tool<Input, Output>,
): Tool {
  return tool as unknown as Tool;
}

export const READ_ONLY: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: true,
};

/** The `error` that a failing result with a status carries beside it. */
export const errorReport = z.object({
  code: z.string().describe("Error code"),
  message: z.string().describe("What went wrong"),
  hint: z.string().describe("What to do next"),
}) satisfies z.ZodType<Omit<ErrorReport, "code"> & { code: string }>;
