// Progress of a start and of a stop: how many of the personas are connected, or disconnected. The simulator is asked for its
// status again and again, but only if the client wants progress.

import type { ToolContext } from "../../core/tools/context.ts";
import { type ProgressStep, reportSteps, type Wait } from "../../core/tools/progress.ts";
import type { SimulationStatus } from "../../protocol/index.ts";

const EVERY_MS = 300;

/** The progress of a call whose command or question has no steps. */
export const ANSWER: Wait = { what: "Waits for the simulator's answer" };

type Totals = SimulationStatus["totals"];

/** Gives what `start` gives. */
export function untilConnected<Response>(start: Promise<Response>, context: ToolContext): Promise<Response> {
  return reportSteps(start, context, () => stepWhile("starting", context, connected), EVERY_MS);
}

/** Gives what `stop` gives. */
export function untilDisconnected<Response>(stop: Promise<Response>, context: ToolContext): Promise<Response> {
  return reportSteps(stop, context, () => stepWhile("stopping", context, disconnected), EVERY_MS);
}

/** Null in any other state, in which the totals may be those of an earlier run. */
async function stepWhile(
  state: SimulationStatus["status"],
  { simulator, signal }: ToolContext,
  stepOf: (totals: Totals) => ProgressStep,
): Promise<ProgressStep | null> {
  const { status, totals } = await simulator.status(signal);
  return status === state && totals.personas > 0 ? stepOf(totals) : null;
}

function connected({ connected, personas }: Totals): ProgressStep {
  return { done: connected, total: personas, message: `${connected} of ${personas} personas are connected.` };
}

function disconnected({ connected, personas }: Totals): ProgressStep {
  const done = personas - connected;
  return { done, total: personas, message: `${done} of ${personas} personas are disconnected.` };
}
