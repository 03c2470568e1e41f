// Declares mutation tools. Their results share `status`, `message`, the acting `userId`, and on failure `error`.
//
// A failed mutation keeps the shape of its result: the tool's own fields are present, null if unknown. A timeout is not a
// refusal: it is unknown whether the request took effect, and the result says how to find out.
//
// A mutation that sends a request takes an `idempotencyKey`, which the backend uses as the operationId. So any client may
// repeat a call that timed out, and nothing is done twice. If the caller gave no key, the result of a timeout names the
// one that the request was sent with.

import { z } from "zod";
import { actingUser, type ToolContext } from "../../core/tools/context.ts";
import type { ToolError } from "../../core/error.ts";
import { idempotencyKeyField } from "../../core/tools/fields.ts";
import { reportWait } from "../../core/tools/progress.ts";
import type { RequestOutcome } from "../../protocol/client/pending-requests.ts";
import type { Action, ActionRequest, ActionResult } from "../../protocol/index.ts";
import {
  type FailedOutcome,
  type Failure,
  failureOfError,
  failureOfOutcome,
  type SpecialStatus,
} from "./mutation-failure.ts";
import { defineTool, errorReport, type Requirements, type Tool, type ToolAnnotations } from "../../core/tools/tool.ts";

const COMMON_STATUSES = ["success", "rejected", "timeout", "not_connected", "error"] as const;

type FieldsOf<Shape extends z.ZodRawShape> = z.input<z.ZodObject<Shape, z.core.$loose>>;
type RawInput = Readonly<Record<string, unknown>>;

/** The result of a request that was executed (`success`, `partial`), or that would be (`preview`). */
type Completion<Shape extends z.ZodRawShape> = FieldsOf<Shape> & {
  readonly status: "success" | "preview" | "partial";
  readonly message: string;
};

type Described = "name" | "title" | "description" | "input";
type Allowed = "allowedInReadOnly" | "allowedWhenFrozen" | "allowedForViewers" | "question";

export interface MutationDeclaration<Input extends z.ZodObject, Shape extends z.ZodRawShape>
  extends Pick<Tool<Input>, Described | Allowed> {
  /** The tool's own result fields. */
  readonly fields: Shape;
  readonly annotations: Omit<ToolAnnotations, "readOnlyHint" | "openWorldHint">;
  /** `{ connection: "write" }` if absent. */
  readonly requires?: Requirements;
  /** Statuses besides success, rejected, timeout, not_connected and error. */
  readonly specialStatuses?: readonly SpecialStatus[];
  /** Requests to the market go through `send`, which has the caller's idempotencyKey. `input` does not. */
  readonly run: (
    input: z.output<Input>,
    context: ToolContext,
    send: Send,
  ) => Promise<Completion<Shape> | FailedOutcome>;
  /** Values of the tool's own fields in a failed result. `input` is what the client sent and may not fit the schema. */
  readonly fieldsOfFailure: (input: RawInput, context: ToolContext, failure: Failure) => FieldsOf<Shape>;
  /** How the caller finds out, after a timeout, whether the request took effect; one or two sentences. */
  readonly afterTimeout?: (input: RawInput, idempotencyKey: string) => string;
}

export function defineMutation<Input extends z.ZodObject, Shape extends z.ZodRawShape>(
  { fields, specialStatuses = [], run, fieldsOfFailure, afterTimeout = checkState, ...declared }: MutationDeclaration<
    Input,
    Shape
  >,
): Tool {
  const requires = declared.requires ?? { connection: "write" };
  const tool = requires.connection === "write" ? { ...declared, input: withIdempotencyKey(declared.input) } : declared;
  const failedResult = (failure: Failure, input: RawInput, context: ToolContext, userId: string | null) => ({
    userId,
    ...fieldsOfFailure(input, context, failure),
    ...failure,
  });
  return defineTool<Input, z.ZodObject>({
    ...tool,
    requires,
    annotations: { ...tool.annotations, readOnlyHint: false, openWorldHint: true },
    output: () => z.looseObject({ ...commonFields(specialStatuses), ...fields }),
    handler: async ({ idempotencyKey, ...input }: WithIdempotencyKey<z.output<Input>>, context) => {
      const userId = actingUser(context);
      const answer = await run(input as z.output<Input>, context, senderOf(context, idempotencyKey));
      if (!isFailed(answer)) return { userId, ...answer };
      const failure = failureOfOutcome(answer, specialStatuses, (key) => afterTimeout(input, key));
      return failedResult(failure, input, context, userId);
    },
    onFailure: (error: ToolError, input, context) =>
      failedResult(failureOfError(error), input, context, actingUser(context)),
  });
}

type WithIdempotencyKey<Input> = Input & { readonly idempotencyKey?: string };

/** The cast is safe: the schema only gets one more optional field. */
function withIdempotencyKey<Input extends z.ZodObject>(input: Input): Input {
  return input.extend({ idempotencyKey: idempotencyKeyField.optional() }) as unknown as Input;
}

function checkState(): string {
  return "Check the state with a query tool before you repeat it.";
}

function isFailed(answer: object): answer is FailedOutcome {
  return "kind" in answer;
}

/**
 * `message` says the outcome in words, and `error` why it failed. With the status `timeout` it is unknown whether the request
 * took effect. `reason` is the backend's code of a refusal or failure. `idempotencyKey` is that of a request that was sent and
 * not confirmed.
 */
function commonFields(specialStatuses: readonly SpecialStatus[]) {
  return {
    status: z.enum([...COMMON_STATUSES, ...specialStatuses]),
    message: z.string(),
    userId: z.string().nullable(),
    error: errorReport.optional(),
    reason: z.string().optional(),
    idempotencyKey: z.string().optional(),
  };
}

/** `value` if it is text, for the fields of a failed result. */
export function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

export interface SendOptions {
  /** The request is a step of its own beside the one that the key is for. */
  readonly withoutKey?: boolean;
  /** What the request does, for its progress: a sentence without its full stop. "Sent" if absent. */
  readonly what?: string;
}

/** As PubSub.request. Throws the reason of the call's signal if the client has cancelled the call: then nothing is sent. */
type Send = <Name extends Action>(
  action: Name,
  payload: ActionRequest<Name>,
  options?: SendOptions,
) => Promise<RequestOutcome<ActionResult<Name>>>;

/**
 * Sends the requests of one call: with the caller's idempotencyKey, until the client cancels the call, and with progress while
 * a request waits for the market's confirmation.
 */
function senderOf(context: ToolContext, idempotencyKey: string | undefined): Send {
  const { pubsub, signal, configuration } = context;
  return (action, payload, { withoutKey = false, what = "Sent" } = {}) => {
    const operationId = withoutKey ? undefined : idempotencyKey;
    const outcome = pubsub.request(action, payload, { operationId, signal });
    const limitMs = configuration.backend.confirmTimeoutMs;
    return reportWait(outcome, context, { what: `${what}, waits for the market's confirmation`, limitMs });
  };
}
