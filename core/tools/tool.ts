// A tool is data: name, schemas, requirements, handler. The dispatcher derives from it whether the tool is offered, when it
// may run, and how its result reaches the client.

import type { CallToolResult } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { Permission } from "../../protocol/index.ts";
import type { InputRequired } from "./client.ts";
import type { ToolContext } from "./context.ts";
import type { ToolError } from "../error.ts";

export interface ToolAnnotations {
  /** Changes nothing in the market or the server. */
  readonly readOnlyHint: boolean;
  /** May cancel, remove or stop something. */
  readonly destructiveHint: boolean;
  /** A repeat with the same arguments has no further effect. */
  readonly idempotentHint: boolean;
  /** Reaches a market that others use, too. */
  readonly openWorldHint: boolean;
}

/** What must hold before a handler runs, of a tool or of anything else that a pack offers. */
export interface Requirements {
  /**
   * `session`: the process has connected, so the acting user is known; the result does not come from the connection.
   * `read`: the process has connected. While a lost connection is being restored, the result is marked `stale`.
   * `write`: the connection is up now.
   */
  readonly connection?: "session" | "read" | "write";
  /** Permissions that the acting user must hold. This is an early check; the engine decides. */
  readonly permissions?: readonly Permission[];
  /** What a user without the permission can do instead: one sentence, appended to the hint. */
  readonly withoutPermission?: string;
}

/** What a handler gives: its result, or what it needs of the client before it has one. */
type Handled<Output extends z.ZodObject> = z.input<Output> | RawResult | InputRequired;

export interface Tool<
  Input extends z.ZodObject = z.ZodObject,
  Output extends z.ZodObject = z.ZodObject,
> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** A strict object, so an unknown parameter is refused by name. */
  readonly input: Input;
  /**
   * The input schema that tools/list shows, a JSON Schema of an object, instead of the one that is made of `input`. For
   * keywords that such a schema leaves out because not every model's provider takes them. `input` still decides what is valid.
   */
  readonly publishedInput?: Readonly<Record<string, unknown>>;
  /** A loose object, so fields may be added later; CONTENT if the result is no such object. */
  readonly output: Output;
  readonly annotations: ToolAnnotations;
  readonly requires?: Requirements;
  /** Needs no connection but reports on it. Among replicas the call is then up to date like one that needs it. */
  readonly reportsConnection?: boolean;
  /** Offered in read-only mode although `readOnlyHint` is false: connect and disconnect. */
  readonly allowedInReadOnly?: boolean;
  /** Allowed while the server is frozen although `readOnlyHint` is false, because it only makes the market safer. */
  readonly allowedWhenFrozen?: boolean;
  /**
   * Whether a browser session that only views may make this call although `readOnlyHint` is false: what a page needs before
   * it has anything to show. No if absent.
   */
  readonly allowedForViewers?: (input: z.output<Input>, context: ToolContext) => boolean;
  /**
   * Under MKT_CONFIRM=elicit: the question that a person must agree to before the handler runs. Null if this call changes
   * nothing, such as a preview. Throws ToolError as the handler would.
   */
  readonly question?: (input: z.output<Input>, context: ToolContext) => string | null;
  readonly handler: (input: z.output<Input>, context: ToolContext) => Handled<Output> | Promise<Handled<Output>>;
  /**
   * The URI of the pack's resource with the view in which chat hosts show the result: `ui://mkt/order-book.html`
   * (core/resources/view.ts).
   */
  readonly view?: string;
  /** The handler uses `context.client`: it asks the client for input, or logs to it. */
  readonly usesClient?: boolean;
  /**
   * The result of a failed call, for tools whose result has a `status`. Without it a failure is
   * `{ error: { code, message, hint } }`.
   */
  readonly onFailure?: (error: ToolError, input: Record<string, unknown>, context: ToolContext) => z.input<Output>;
}

/** The `output` of a tool that gives content (RawResult), such as an image. It is listed without an output schema. */
export const CONTENT = z.looseObject({});

/** A result with other content than one JSON value. Only invisible characters in it are escaped. */
export class RawResult {
  constructor(readonly result: CallToolResult) {}
}

/**
 * Declares a tool; the types of the handler follow from the two schemas. `output` may be a function, because only listing
 * tools reads the output schema: making all of them takes a sixth of the time to the first call on stdio.
 */
export function defineTool<Input extends z.ZodObject, Output extends z.ZodObject>(
  { output, ...tool }: Omit<Tool<Input, Output>, "output"> & { readonly output: Output | (() => Output) },
): Tool {
  let made: Output | null = typeof output === "function" ? null : output;
  const defined = {
    ...tool,
    get output(): Output {
      return made ??= (output as () => Output)();
    },
  };
  return defined as unknown as Tool;
}

export const READ_ONLY: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: true,
};

/** The `error` field of a failed result with a `status`: an ErrorReport. Every mutation lists it, so it is kept short. */
export const errorReport = z.looseObject({}).describe("code, message, hint");
