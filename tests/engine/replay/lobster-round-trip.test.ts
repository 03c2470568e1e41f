// LOBSTER files from a simulated market. Their replay must predict everything that can be known.

import { expect, test } from "bun:test";
import fc from "fast-check";
import { size } from "../../support/sizes.ts";
import { type FlowOptions, type LobsterFlow, makeLobsterFlow } from "./lobster-generator.ts";
import { runLobster, text } from "./lobster-run.ts";

const options = fc.record({
  seed: fc.integer({ min: 1, max: 2 ** 31 - 1 }),
  levels: fc.oneof(fc.integer({ min: 1, max: 10 }), fc.constantFrom(30, 200)),
  messages: fc.integer({ min: 1, max: 400 }),
  withInvisible: fc.boolean(),
  elsewhere: fc.constantFrom(0, 0.05, 0.5, 1),
  ticks: fc.constantFrom(2, 10, 60),
});

async function expectPredicted(chosen: FlowOptions): Promise<LobsterFlow> {
  const flow = makeLobsterFlow(chosen);
  const { outcome, own } = await runLobster(chosen.levels, text(flow.messages), text(flow.rows));
  expect(outcome).toEqual({ ok: true, report: { ...flow.report } });
  expect(own).toEqual(flow.known);
  return flow;
}

test("every level and execution of any simulated market is predicted", async () => {
  await fc.assert(
    fc.asyncProperty(options, async (chosen) => {
      await expectPredicted(chosen);
    }),
    { numRuns: size(15, 2_000) },
  );
});

const VISIBLE = { messages: 2_000, withInvisible: false };

test.each([1, 2, 3, 5, 10])(
  "with %p levels, levels come and go, and all kinds of executions are met",
  async (levels) => {
    const { report } = await expectPredicted({ ...VISIBLE, seed: 7, levels, elsewhere: 0, ticks: 40 });
    const { adoptedLevels, executionsAtHead, executionsAnonymous } = report;
    expect(Math.min(adoptedLevels, executionsAtHead, executionsAnonymous)).toBeGreaterThan(20);
    const { report: behind } = await expectPredicted({ ...VISIBLE, seed: 11, levels, elsewhere: 0.5, ticks: 5 });
    expect(Math.min(behind.executionsAtHead, behind.executionsElsewhere)).toBeGreaterThan(10);
    expect(behind.matchedLevels).toBe(behind.predictedLevels);
  },
);
