import { expect, test } from "bun:test";
import { SharedRun } from "../../replicas/shared-run.ts";
import { isSettled } from "../support/still-clock.ts";

/** Runs that end when the test says so. */
function runs() {
  const begun: PromiseWithResolvers<number>[] = [];
  const shared = new SharedRun(() => {
    const run = Promise.withResolvers<number>();
    begun.push(run);
    return run.promise;
  });
  return { shared, begun };
}

const turns = () => isSettled(new Promise(() => {}));

test("calls while a run is under way share the next one, which begins when that run has ended", async () => {
  const { shared, begun } = runs();
  const calls = [shared.next(), shared.next(), shared.next()];
  expect(begun.length).toBe(1);
  begun[0]!.resolve(1);
  await turns();
  expect(begun.length).toBe(2);
  const late = shared.next();
  begun[1]!.resolve(2);
  expect(await Promise.all(calls)).toEqual([1, 2, 2]);
  await turns();
  expect(begun.length).toBe(3);
  begun[2]!.resolve(3);
  expect(await late).toBe(3);
  void shared.next();
  expect(begun.length).toBe(4);
});

test("a run that fails, fails for its own calls alone", async () => {
  const { shared, begun } = runs();
  const outcome = (call: Promise<number>) => call.catch((error: Error) => error.message);
  const calls = [shared.next(), shared.next(), shared.next()].map(outcome);
  begun[0]!.reject(new Error("away"));
  await turns();
  expect(begun.length).toBe(2);
  begun[1]!.reject(new Error("still away"));
  expect(await Promise.all(calls)).toEqual(["away", "still away", "still away"]);
  const after = shared.next();
  begun[2]!.resolve(3);
  expect(await after).toBe(3);
});
