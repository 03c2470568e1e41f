// Asking the person at an MCP client. A guardrail asks; core/server sends the question as an MCP elicitation.

export interface Elicitation {
  /** What the person reads; safe text. */
  readonly message: string;
  /** The call that the answer is for, as text. An answer holds for no other call. */
  readonly call: string;
}

/**
 * - `agreed`, `declined`: the person's answer.
 * - `pending`: the client has the question and repeats the call with the answer.
 * - `unavailable`: the client can't ask anybody.
 * - `busy`: too many elicitations of this caller are pending.
 * - `agent`: the caller's token is an agent's, so nobody there can be the person.
 * - `forged`: the call brought an answer to no pending elicitation. It was made up, used before, or has expired.
 */
export type ElicitationOutcome = "agreed" | "declined" | "pending" | "unavailable" | "busy" | "agent" | "forged";

/** Asks the person at the client that made a call. */
export interface Elicitor {
  /** Asks also without MKT_CONFIRM. */
  readonly asksAlways?: true;
  elicit(elicitation: Elicitation): Promise<ElicitationOutcome>;
}
