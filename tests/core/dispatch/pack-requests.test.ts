import { expect, mock, test } from "bun:test";
import { PackRequests } from "../../../core/dispatch/pack-requests.ts";
import { RunningCalls } from "../../../core/dispatch/running-calls.ts";
import type { Replicas } from "../../../core/tools/replicas.ts";
import { Desk } from "../../plugins/support/desk.ts";

test("a route that changes something, and then fails, has its events in the shared log before its answer", async () => {
  const { runtime } = await (await Desk.open()).seat("alice");
  const steps: string[] = [];
  const replicas = {
    begin: () => Promise.resolve(void steps.push("begin")),
    changed: () => Promise.resolve(void steps.push("changed")),
  } as unknown as Replicas;
  const requests = new PackRequests({ ...runtime.services, replicas }, new RunningCalls(runtime.configuration));
  const fail = () => {
    steps.push("fail");
    throw new Error("half done");
  };
  const scope = { signal: AbortSignal.timeout(600_000) };
  const answer = requests.run({ kind: "route", name: "trial", readOnlyHint: false }, scope, fail);
  await answer.then(() => steps.push("answer"), () => steps.push("error"));
  expect(steps).toEqual(["begin", "fail", "changed", "error"]);
});

test.each<[outcome: string, handle: () => Promise<string>]>([
  ["succeeds", () => Promise.resolve("done")],
  ["fails", () => Promise.reject(new Error("half done"))],
])("the progress of a request that %s ends with it", async (_outcome, handle) => {
  const { runtime } = await (await Desk.open()).seat("alice");
  const requests = new PackRequests(runtime.services, new RunningCalls(runtime.configuration));
  const endProgress = mock();
  const scope = { signal: AbortSignal.timeout(600_000), endProgress };
  await Promise.allSettled([requests.run({ kind: "resource", name: "trial" }, scope, handle)]);
  expect(endProgress).toHaveBeenCalledTimes(1);
});
