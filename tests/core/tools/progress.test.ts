import { describe, expect, test } from "bun:test";
import {
  isProgressWanted,
  noProgress,
  type ProgressStep,
  reportSteps,
  reportWait,
  waitStep,
} from "../../../core/tools/progress.ts";
import { logger } from "../../../common/logger.ts";
import { until } from "../../support/until.ts";

function reporting() {
  const steps: ProgressStep[] = [];
  const progress = (step: ProgressStep) => {
    steps.push(step);
    return Promise.resolve();
  };
  return { steps, context: { progress, log: logger("test") } };
}

/** Resolves when another wait has reported several steps. */
async function severalSteps(): Promise<void> {
  const { steps, context } = reporting();
  let done = 0;
  await reportSteps(until(() => steps.length >= 3), context, () => ({ done: done += 1 }), 1);
}

const SILENT = { progress: noProgress, log: logger("test") };

test.each([
  [15_000, 0, null],
  [15_000, 499, null],
  [15_000, 900, { done: 1, total: 15, message: "Waits: 1 of at most 15 s." }],
  [15_000, 3_040, { done: 3, total: 15, message: "Waits: 3 of at most 15 s." }],
  [15_000, 14_900, null],
  [15_000, 99_000, null],
  // A wait shorter than a second has no step.
  [500, 5_000, null],
  [undefined, 2_000, { done: 2, message: "Waits: 2 s so far." }],
])(
  "a step of a wait of at most %p ms gives, after %p ms, the whole seconds and the limit",
  (limitMs, waitedMs, step) => {
    expect(waitStep({ what: "Waits", ...(limitMs !== undefined && { limitMs }) }, waitedMs)).toEqual(step);
  },
);

describe("a wait", () => {
  test("gives the very promise of its work if the client did not ask for progress", () => {
    const work = Promise.resolve(1);
    expect(reportWait(work, SILENT, { what: "Waits" })).toBe(work);
    expect(isProgressWanted(SILENT)).toBe(false);
  });

  test("asks for no step if the client did not ask for progress", async () => {
    let asked = 0;
    const step = () => ({ done: asked += 1 });
    expect(await reportSteps(severalSteps().then(() => "done"), SILENT, step, 1)).toBe("done");
    expect(asked).toBe(0);
  });

  test("reports until its work ends, and nothing after it", async () => {
    const { steps, context } = reporting();
    const work = Promise.withResolvers<string>();
    let done = 0;
    const waiting = reportSteps(work.promise, context, () => ({ done: done += 1 }), 1);
    await until(() => steps.length >= 3);
    work.resolve("done");
    expect(await waiting).toBe("done");
    const reported = steps.length;
    await severalSteps();
    expect(steps).toHaveLength(reported);
  });

  test("drops a step that was asked for before its work ended and comes after it", async () => {
    const { steps, context } = reporting();
    const [work, asked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const answer = Promise.withResolvers<ProgressStep>();
    const step = () => {
      asked.resolve();
      return answer.promise;
    };
    const waiting = reportSteps(work.promise, context, step, 1);
    await asked.promise;
    work.resolve();
    await waiting;
    answer.resolve({ done: 1 });
    await answer.promise;
    expect(steps).toEqual([]);
  });

  test("fails as its work fails, and ignores a step that fails", async () => {
    const { steps, context } = reporting();
    const work = Promise.withResolvers<void>();
    let asked = 0;
    const step = () => {
      asked += 1;
      return Promise.reject(new Error("no status"));
    };
    const waiting = reportSteps(work.promise, context, step, 1);
    await until(() => asked >= 2);
    work.reject(new Error("refused"));
    expect(waiting).rejects.toThrow("refused");
    await waiting.catch(() => {});
    expect(steps).toEqual([]);
  });
});
