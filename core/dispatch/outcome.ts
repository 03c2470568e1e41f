// What a call ends in: the answer to the client, and the outcome for call log and metrics.
//
// Invariants: every call ends in an answer, whatever its handler gives or throws. No detail of an internal error reaches the
// client.

import { errorStack } from "../../common/error-message.ts";
import type { Requiring } from "../guardrails/requirements.ts";
import { ToolError } from "../error.ts";
import { type AskingClient, InputPending, InputRequired } from "../tools/client.ts";
import type { ToolContext } from "../tools/context.ts";
import { RawResult, type Tool } from "../tools/tool.ts";
import { errorAnswer, isFailure, rawAnswer, statusAnswer, structuredAnswer, type ToolAnswer } from "./result.ts";

export interface Outcome {
  readonly answer: ToolAnswer;
  /** As CallRecord has it. */
  readonly name: string;
}

/** What a handler gives. */
export type HandlerValue = Awaited<ReturnType<Tool["handler"]>>;

/** The client has cancelled the call or disconnected, so nobody reads this. */
const GIVEN_UP = new ToolError(
  "timeout",
  "The client cancelled this call; it is unknown whether the call took effect.",
  "Check the state with a query tool before you repeat it.",
);

/** Throws the error that a call ends with if its handler needs input of the client. */
export function success(tool: Tool, value: HandlerValue, context: ToolContext): Outcome {
  if (value instanceof InputRequired) throw askingClient(context).ask(value);
  if (value instanceof RawResult) {
    const answer = rawAnswer(value.result);
    return { answer, name: isFailure(answer) ? "error" : "ok" };
  }
  const answer = tool.onFailure ? statusAnswer(value) : structuredAnswer(withFreshness(tool, value, context));
  return { answer, name: answer.isError ? String(value["status"]) : "ok" };
}

/** The client of every context can also be asked (callContext). */
export function askingClient({ client }: ToolContext): AskingClient {
  return client as AskingClient;
}

/** `thrown` by a check or by the handler. */
export function failure(tool: Tool, thrown: unknown, rawArguments: unknown, context: ToolContext): Outcome {
  if (!(thrown instanceof ToolError) && context.signal.aborted) {
    return { answer: failureAnswer(tool, GIVEN_UP, rawArguments, context), name: "given_up" };
  }
  const error = thrown instanceof ToolError ? thrown : internalError(tool, thrown, context);
  return {
    answer: failureAnswer(tool, error, rawArguments, context),
    name: error instanceof InputPending ? "asked" : error.code,
  };
}

/**
 * Marks a result from the snapshot or the event buffer: `stale` with `asOf` while a lost connection is being restored,
 * `incomplete` if modules may be missing because a message could not be read.
 */
export function withFreshness<Value extends Readonly<Record<string, unknown>>>(
  { requires }: Requiring,
  value: Value,
  context: ToolContext,
): Value {
  if (requires?.connection !== "read") return value;
  const { status, incomplete } = context.pubsub;
  if (status === "connected" && !incomplete) return value;
  return {
    ...value,
    ...(status !== "connected" && { stale: true, asOf: context.snapshot.asOf }),
    ...(incomplete && { incomplete: true }),
  };
}

function failureAnswer(tool: Tool, error: ToolError, rawArguments: unknown, context: ToolContext): ToolAnswer {
  if (tool.onFailure === undefined) return errorAnswer(error);
  const input = typeof rawArguments === "object" && rawArguments !== null ? rawArguments : {};
  try {
    return structuredAnswer(tool.onFailure(error, input as Record<string, unknown>, context), { isError: true });
  } catch (thrown) {
    context.log.error("{tool} has no result for {code}: {error}", {
      tool: tool.name,
      code: error.code,
      error: errorStack(thrown),
    });
    return errorAnswer(error);
  }
}

function internalError(tool: Tool, thrown: unknown, { log }: ToolContext): ToolError {
  const reference = crypto.randomUUID();
  log.error("{tool} failed: {error} ({reference})", { tool: tool.name, reference, error: errorStack(thrown) });
  return new ToolError(
    "internal",
    "mkt failed on this call; it is unknown whether the call took effect.",
    `Check the state with a query tool before you repeat it; the server's log has details under ${reference}.`,
  );
}
