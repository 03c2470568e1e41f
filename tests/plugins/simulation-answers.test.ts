// What the tools of the simulation say of a run: how far a start or a stop is, and the sums of each strategy.

import { expect, test } from "bun:test";
import * as progress from "../../core/tools/progress.ts";
import { withPersonaProgress } from "../../plugins/sim/persona-progress.ts";
import getStatus from "../../plugins/sim/status.ts";
import { replaced } from "../support/replaced.ts";

test.each(
  [
    ["starting", "starting", 3, 20, { done: 3, total: 20, message: "3 of 20 personas are connected." }],
    ["starting", "starting", 20, 20, { done: 20, total: 20, message: "20 of 20 personas are connected." }],
    ["stopping", "stopping", 3, 20, { done: 17, total: 20, message: "17 of 20 personas are disconnected." }],
    ["starting", "starting", 0, 0, null],
    // The totals are those of an earlier run.
    ["starting", "stopped", 3, 20, null],
    ["stopping", "running", 3, 20, null],
  ] as const,
)("a call that is %s tells of a simulation that is %s: %d of %d are connected", async (...given) => {
  const [state, status, connected, personas, expected] = given;
  const reported = replaced(progress, "reportSteps", (work) => work);
  const simulator = { status: () => Promise.resolve({ status, totals: { connected, personas } }) };
  expect(await withPersonaProgress(Promise.resolve("answer"), state, { simulator } as never)).toBe("answer");
  const [[, , step] = expect.unreachable()] = reported.slice(-1);
  expect(await step()).toEqual(expected);
});

const persona = (id: string, strategy: string, netPositionMw: number, profitAndLoss: number) => (
  { id, strategy, entityId: "E", workingOrders: 1, orders: 2, trades: 3, netPositionMw, profitAndLoss }
);

async function statusOf(personas: readonly object[], input: object = {}) {
  const simulation = { status: "running", totals: {}, metrics: { meanSpread: 1.23456, alpha: null }, personas };
  const context = { simulator: { status: () => Promise.resolve(simulation) }, progress: progress.noProgress };
  return await getStatus.handler({ limit: 15, ...input } as never, context as never) as Record<string, unknown>;
}

test("the sums of a strategy are exact to a thousandth, in the order of the run, whatever page is shown", async () => {
  const run = [
    persona("zip-1", "zip", 0.1, 1.1),
    persona("zic-1", "zic", -0.3, -3.3),
    persona("zip-2", "zip", 0.2, 2.2),
  ];
  const counts = (personas: number) => ({ workingOrders: personas, orders: 2 * personas, trades: 3 * personas });
  for (const input of [{}, { limit: 1 }, { strategy: "zic" }]) {
    const { strategies, metrics } = await statusOf(run, input);
    expect(strategies).toEqual([
      { strategy: "zip", personas: 2, ...counts(2), netPositionMw: 0.3, profitAndLoss: 3.3 },
      { strategy: "zic", personas: 1, ...counts(1), netPositionMw: -0.3, profitAndLoss: -3.3 },
    ]);
    expect(metrics).toEqual({ meanSpread: 1.23, alpha: null });
  }
});

test("only a run that has personas lacks those of a strategy", async () => {
  const note = "The run has no persona of this strategy.";
  const run = [persona("zip-1", "zip", 0, 0)];
  expect(await statusOf(run, { strategy: "zic" })).toMatchObject({ note, personas: [] });
  expect(await statusOf(run, { strategy: "zip" })).not.toHaveProperty("note");
  expect(await statusOf([], { strategy: "zic" })).not.toHaveProperty("note");
});

test("a strategy is found in any case, also one that only the run has, and one that neither has is refused", async () => {
  const run = [persona("m-1", "MyStrategy", 0, 0), persona("zip-1", "zip", 0, 0)];
  const found = async (strategy: string) => {
    const { personas, strategies } = await statusOf(run, { strategy });
    return [(personas as { id: string }[]).map(({ id }) => id), (strategies as unknown[]).length];
  };
  for (const name of ["MyStrategy", "mystrategy", "MYSTRATEGY"]) expect(await found(name)).toEqual([["m-1"], 2]);
  expect(await found("ZIP")).toEqual([["zip-1"], 2]);
  await expect(statusOf(run, { strategy: "mystrateg" })).rejects.toThrow('strategy: "mystrateg" is unknown.');
});
