// MKT_CONFIRM=elicit: a person at the client must agree before a tool does what can't be undone (Tool.question). A model
// can't give the answer: the client sends it, apart from what the model writes.
//
// Invariant: only an explicit yes to this question lets the call run. The yes counts only if nothing that the question
// depends on has changed meanwhile: tool, arguments, session (user, entity, permissions, engine, epoch), caller, and the
// wording of the question.

import { safeText } from "../../common/safe-text.ts";
import type { Configuration } from "../config/configuration.ts";
import { ToolError } from "../error.ts";
import { InputPending } from "../tools/client.ts";
import type { ToolContext } from "../tools/context.ts";
import type { Elicitation, ElicitationOutcome } from "../tools/elicitation.ts";
import type { Tool } from "../tools/tool.ts";
import { shuttingDown } from "./call-checks.ts";

/**
 * Null if nobody needs to be asked. Otherwise resolves once a person has agreed and nothing has changed meanwhile; the
 * caller must then repeat the checks that it made before. Throws ToolError: `forbidden` if the person has not agreed,
 * InputPending if the person is asked now, `rate_limited` if too many questions are pending, `shutting_down` if the
 * process begins to shut down first.
 */
export function confirmation(
  tool: Tool,
  input: Record<string, unknown>,
  context: ToolContext,
  ending: AbortSignal,
): Promise<void> | null {
  const elicitation = elicitationFor(tool, input, context);
  return elicitation === null ? null : agreement(elicitation, tool, input, context, ending);
}

async function agreement(
  elicitation: Elicitation,
  tool: Tool,
  input: Record<string, unknown>,
  context: ToolContext,
  ending: AbortSignal,
): Promise<void> {
  const outcome = await beforeShutdown(context.elicitor?.elicit(elicitation), ending);
  if (outcome !== "agreed") throw refusal(outcome ?? "unavailable");
  if (elicitationFor(tool, input, context)?.call !== elicitation.call) {
    throw forbidden(
      "What the person was asked about has changed meanwhile",
      "Call again; the person is asked again then.",
    );
  }
}

/** Whether a call of the tool may need a person's agreement. */
export function mayAsk({ question }: Tool, { guardrails }: Configuration): boolean {
  return guardrails.confirm && question !== undefined;
}

function elicitationFor(tool: Tool, input: Record<string, unknown>, context: ToolContext): Elicitation | null {
  if (context.elicitor?.asksAlways !== true && !mayAsk(tool, context.configuration)) return null;
  const question = tool.question?.(input, context) ?? null;
  if (question === null) return null;
  const { session } = context.pubsub;
  const caller = context.caller ?? null;
  const message = safeText(
    `${question} Asked for by ${caller ?? "a client without a token"}, acting as ${session?.userId ?? "nobody"}.`,
  );
  return { message, call: JSON.stringify([tool.name, input, session, caller, message]) };
}

/** Rejects with `shutting_down` when the process begins to shut down, since a later answer would change nothing. */
async function beforeShutdown<Value>(answer: Promise<Value> | undefined, ending: AbortSignal) {
  const end = Promise.withResolvers<never>();
  const onEnd = () => end.reject(shuttingDown());
  ending.addEventListener("abort", onEnd, { once: true });
  try {
    return await Promise.race([answer, end.promise]);
  } finally {
    ending.removeEventListener("abort", onEnd);
  }
}

function refusal(outcome: Exclude<ElicitationOutcome, "agreed">): ToolError {
  switch (outcome) {
    case "pending":
      return new InputPending(
        "forbidden",
        "A person at the client is being asked; nothing was sent.",
        "Wait for their answer.",
      );
    case "declined":
      return forbidden("The person at the client did not agree", "Don't repeat the call unless they ask for it.");
    case "busy":
      return new ToolError(
        "rate_limited",
        "Too many questions wait for a person at this client; nothing was sent.",
        "Wait until they have been answered.",
      );
    case "agent":
      return forbidden(
        "A person must agree to this, and this token is an agent's",
        "Leave it to a person who signs in to the dashboard.",
      );
    case "forged":
      return forbidden(
        "The answer in this call is for no pending question: the question was answered, has expired, or was about another " +
          "call",
        "Call again without inputResponses and requestState; the person is asked then.",
      );
    case "unavailable":
      return forbidden(
        "A person must agree to this (MKT_CONFIRM=elicit), and this client can't ask one",
        "Use a client that supports elicitation, or leave it to the operator of this server.",
      );
  }
}

function forbidden(message: string, hint: string): ToolError {
  return new ToolError("forbidden", `${message}; nothing was sent.`, hint);
}
