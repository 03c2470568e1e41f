// Progress of a start and of a stop: how many of the personas are connected, or disconnected. The simulator is asked for its
// status again and again, but only if the client wants progress.

import type { ToolContext } from "../../core/tools/context.ts";
import { type ProgressStep, reportSteps, type Wait } from "../../core/tools/progress.ts";

const EVERY_MS = 300;

/** The progress of a call whose command or question has no steps. */
export const ANSWER: Wait = { what: "Waits for the simulator's answer" };

/** Gives what `answer` gives: that of a start, or of a stop. */
export function withPersonaProgress<Response>(
  answer: Promise<Response>,
  state: "starting" | "stopping",
  context: ToolContext,
): Promise<Response> {
  return reportSteps(answer, context, () => stepIn(state, context), EVERY_MS);
}

/** Null in any other state, in which the totals may be those of an earlier run. */
async function stepIn(
  state: "starting" | "stopping",
  { simulator, signal }: ToolContext,
): Promise<ProgressStep | null> {
  const { status, totals: { connected, personas } } = await simulator.status(signal);
  if (status !== state || personas === 0) return null;
  const [done, what] = state === "starting" ? [connected, "connected"] : [personas - connected, "disconnected"];
  return { done, total: personas, message: `${done} of ${personas} personas are ${what}.` };
}
