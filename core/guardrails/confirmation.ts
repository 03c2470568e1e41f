// MKT_CONFIRM=elicit: before a tool does what can't be undone (Tool.question), a person at the client must agree. A model
// can't give the answer: it reaches the server through the client, outside of what the model writes.
//
// Anything but a clear yes to the very question that was asked changes nothing. A yes counts only while all that the
// question was about is as it was: tool, arguments, session (user, entity, permissions, engine, history), caller, and the
// question's own words.

import type { ToolContext } from "../tools/context.ts";
import { ToolError } from "../error.ts";
import type { Tool } from "../tools/tool.ts";
import { shuttingDown } from "./call-checks.ts";
import { safeText } from "../../common/safe-text.ts";

export interface Question {
  /** What the person reads; safe text. */
  readonly text: string;
  /** The call that the answer is for, and for no other. */
  readonly call: string;
}

/**
 * `asked`: the client has the question now, and calls again with the answer. `unavailable`: the client can't ask anybody.
 * `busy`: too many questions wait for an answer already. `forged`: the call brought an answer to no question of ours, or to
 * one that was answered before or has expired.
 */
export type PersonsAnswer = "agreed" | "declined" | "asked" | "unavailable" | "busy" | "forged";

/** Who sits at the client that made a call. */
export interface Person {
  ask(question: Question): Promise<PersonsAnswer>;
}

/** Nothing is refused yet: the client has the question, and calls again with the answer. */
export class PersonIsAsked extends ToolError {}

/**
 * Null if nobody needs to be asked; otherwise it resolves when a person has agreed and what they agreed to is unchanged.
 * Throws ToolError: `forbidden` if nobody has agreed, PersonIsAsked if they are asked now, `shutting_down` if the process
 * begins to end first. The caller checks again whatever it has checked before.
 */
export function confirmation(
  tool: Tool,
  input: Record<string, unknown>,
  context: ToolContext,
  ending: AbortSignal,
): Promise<void> | null {
  const question = questionOf(tool, input, context);
  return question === null ? null : agreed(question, tool, input, context, ending);
}

async function agreed(
  question: Question,
  tool: Tool,
  input: Record<string, unknown>,
  context: ToolContext,
  ending: AbortSignal,
): Promise<void> {
  const answer = await beforeTheEnd(context.person?.ask(question), ending);
  if (answer !== "agreed") throw refusal(answer ?? "unavailable");
  if (questionOf(tool, input, context)?.call !== question.call) {
    throw forbidden("What the person was asked about has changed meanwhile", "Call again: they are asked anew.");
  }
}

function questionOf(tool: Tool, input: Record<string, unknown>, context: ToolContext): Question | null {
  if (!context.configuration.rails.confirm) return null;
  const what = tool.question?.(input, context) ?? null;
  if (what === null) return null;
  const { session } = context.pubsub;
  const caller = context.caller ?? null;
  const text = safeText(
    `${what} Asked for by ${caller ?? "a client without a token"}, acting as ${session?.userId ?? "nobody"}.`,
  );
  return { text, call: JSON.stringify([tool.name, input, session, caller, text]) };
}

/** Rejects with `shutting_down` when the process begins to end: nobody waits for an answer that would change nothing. */
async function beforeTheEnd<Value>(
  answer: Promise<Value> | undefined,
  ending: AbortSignal,
): Promise<Value | undefined> {
  const end = Promise.withResolvers<never>();
  const onEnd = () => end.reject(shuttingDown());
  ending.addEventListener("abort", onEnd, { once: true });
  try {
    return await Promise.race([answer, end.promise]);
  } finally {
    ending.removeEventListener("abort", onEnd);
  }
}

function refusal(answer: Exclude<PersonsAnswer, "agreed">): ToolError {
  switch (answer) {
    case "asked":
      return new PersonIsAsked(
        "forbidden",
        "A person at the client is being asked; nothing was sent.",
        "Wait for them.",
      );
    case "declined":
      return forbidden("The person at the client did not agree", "Don't repeat it unless they ask for it.");
    case "busy":
      return new ToolError(
        "rate_limited",
        "Too many questions wait for a person at this client; nothing was sent.",
        "Wait until they have answered.",
      );
    case "forged":
      return forbidden(
        "The answer that came with this call is to no pending question of this server: it was used, has expired, or is for " +
          "another call",
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
