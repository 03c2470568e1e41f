// Progress of a call, for a client that asked for it with a progress token.
//
// Invariants: a call reports on one scale, such as seconds or orders, because its values must rise. A report never delays or
// fails the call. Nothing is reported after the work has ended.
// Cost: without a token `progress` is `noProgress`, and nothing here makes a timer, a promise or a text.

import type { Logger } from "../../common/logger.ts";

export interface ProgressStep {
  /** Must be above that of the step before. */
  readonly done: number;
  /** The last value of `done`, if it is known. */
  readonly total?: number;
  /** A whole sentence. */
  readonly message?: string;
}

/** Reports a step to the client. It does not wait for the client, and never throws. */
export type Progress = (step: ProgressStep) => Promise<void>;

/** What a call waits for. */
export interface Wait {
  /** A sentence without its full stop, such as "Waits for the next event". */
  readonly what: string;
  /** When the wait ends at the latest; absent if unknown. */
  readonly limitMs?: number;
}

/** What ToolContext has for progress. */
interface Reporting {
  readonly progress: Progress;
  readonly log: Logger;
}

const EVERY_MS = 1_000;

/** The `progress` of a call whose client did not ask for it. */
export const noProgress: Progress = () => Promise.resolve();

export function isProgressWanted({ progress }: Pick<Reporting, "progress">): boolean {
  return progress !== noProgress;
}

/** Gives what `work` gives, and once a second reports the seconds that it has taken. */
export function reportWait<Value>(
  work: Promise<Value>,
  context: Reporting,
  wait: Wait,
  everyMs = EVERY_MS,
): Promise<Value> {
  if (!isProgressWanted(context)) return work;
  const began = performance.now();
  return reportSteps(work, context, () => waitStep(wait, performance.now() - began), everyMs);
}

/** Gives what `work` gives, and until then reports every `everyMs` what `step` gives. Null: nothing to report now. */
export async function reportSteps<Value>(
  work: Promise<Value>,
  context: Reporting,
  step: () => ProgressStep | null | Promise<ProgressStep | null>,
  everyMs: number,
): Promise<Value> {
  if (!isProgressWanted(context)) return await work;
  let isOver = false;
  let isBusy = false;
  const report = async () => {
    if (isBusy) return;
    isBusy = true;
    try {
      const next = await step();
      if (next !== null && !isOver) void context.progress(next);
    } catch (error) {
      context.log.debug("no progress was reported: {error}", { error: String(error) });
    } finally {
      isBusy = false;
    }
  };
  const timer = setInterval(() => void report(), everyMs);
  try {
    return await work;
  } finally {
    isOver = true;
    clearInterval(timer);
  }
}

/**
 * The step of a wait in whole seconds. Null in its first second and at its limit: a step just before the result only makes
 * clients complain, because they have forgotten the token when they look at it.
 */
export function waitStep({ what, limitMs }: Wait, waitedMs: number): ProgressStep | null {
  const limit = limitMs === undefined ? Infinity : limitMs / 1000;
  const done = Math.round(waitedMs / 1000);
  if (done < 1 || done >= limit) return null;
  return limit === Infinity
    ? { done, message: `${what}: ${done} s so far.` }
    : { done, total: limit, message: `${what}: ${done} of at most ${limit} s.` };
}
