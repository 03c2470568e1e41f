// MKT_CONFIRM=elicit: before a tool does what can't be undone (Tool.question), a person at the client must agree. A model
// can't give the answer: it reaches the server through the client, outside of what the model writes.
//
// Anything but a clear yes to the very question that was asked changes nothing.

import { actingUser, type ToolContext } from "../tools/context.ts";
import { ToolError } from "../tools/error.ts";
import type { Tool } from "../tools/tool.ts";
import { safeText } from "./market-text.ts";

export interface Question {
  /** What the person reads; safe text. */
  readonly text: string;
  /** The call that the answer is for, and for no other: tool, arguments, acting user, client. */
  readonly call: string;
}

/**
 * `asked`: the client has the question now, and calls again with the answer. `unavailable`: the client can't ask anybody.
 * `forged`: the call brought an answer to no question of ours, or to one that was answered before or has expired.
 */
export type PersonsAnswer = "agreed" | "declined" | "asked" | "unavailable" | "forged";

/** Who sits at the client that made a call. */
export interface Person {
  ask(question: Question): Promise<PersonsAnswer>;
}

/** Nothing is refused yet: the client has the question, and calls again with the answer. */
export class PersonIsAsked extends ToolError {}

/**
 * False where nobody needs to be asked. Throws ToolError `forbidden` where somebody does and has not agreed; PersonIsAsked
 * where they are asked now.
 */
export async function wasConfirmed(tool: Tool, input: Record<string, unknown>, context: ToolContext): Promise<boolean> {
  if (!context.configuration.rails.confirm) return false;
  const what = tool.question?.(input, context) ?? null;
  if (what === null) return false;
  const userId = actingUser(context);
  const caller = context.caller ?? null;
  const answer = await context.person?.ask({
    text: safeText(`${what} Asked for by ${caller ?? "a client without a token"}, acting as ${userId ?? "nobody"}.`),
    call: JSON.stringify([tool.name, input, userId, caller]),
  });
  if (answer === "agreed" && actingUser(context) === userId) return true;
  throw refusal(answer ?? "unavailable", tool, input);
}

function refusal(answer: PersonsAnswer, tool: Tool, input: Record<string, unknown>): ToolError {
  const forbidden = (message: string, hint: string) =>
    new ToolError("forbidden", `${message}; nothing was sent.`, hint);
  switch (answer) {
    case "asked":
      return new PersonIsAsked(
        "forbidden",
        "A person at the client is being asked; nothing was sent.",
        "Wait for them.",
      );
    case "agreed":
      return forbidden("The acting user changed while a person was being asked", "Call again.");
    case "declined":
      return forbidden("The person at the client did not agree", "Don't repeat it unless they ask for it.");
    case "forged":
      return forbidden(
        "The answer that came with this call is to no open question of this server: it was used, has expired, or is for " +
          "another call",
        "Call again without inputResponses and requestState; the person is asked then.",
      );
    case "unavailable":
      return forbidden(
        "A person must agree to this (MKT_CONFIRM=elicit), and this client can't ask one",
        "Use a client with elicitation; or an operator goes on from a shell on the server's host: " +
          `MKT_CONFIRM= mkt call ${tool.name} '${JSON.stringify(input)}'.`,
      );
  }
}
