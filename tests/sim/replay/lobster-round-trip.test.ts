// LOBSTER files from a simulated market, whose every replay must predict all that can be known.

import { expect, test } from "bun:test";
import fc from "fast-check";
import { size } from "../../support/sizes.ts";
import { makeLobsterFlow } from "./lobster-generator.ts";
import { runLobster, text } from "./lobster-run.ts";

const options = fc.record({
  seed: fc.integer({ min: 1, max: 2 ** 31 - 1 }),
  levels: fc.oneof(fc.integer({ min: 1, max: 10 }), fc.constantFrom(30, 200)),
  messages: fc.integer({ min: 1, max: 400 }),
  withInvisible: fc.boolean(),
  ticks: fc.constantFrom(2, 10, 60),
});

test("the files of a simulated market are predicted whole, and every execution meets whom it should", async () => {
  const total = { rows: 0, adoptedLevels: 0, executionsAtHead: 0, executionsAnonymous: 0 };
  await fc.assert(
    fc.asyncProperty(options, async (chosen) => {
      const flow = makeLobsterFlow(chosen);
      const { outcome, own } = await runLobster(chosen.levels, text(flow.messages), text(flow.rows));
      expect(outcome).toEqual({ ok: true, report: { ...flow.report } });
      expect(own).toEqual(flow.known);
      for (const name of ["rows", "adoptedLevels", "executionsAtHead", "executionsAnonymous"] as const) {
        total[name] += flow.report[name];
      }
    }),
    { numRuns: size(60, 2_000) },
  );
  expect(Math.min(...Object.values(total))).toBeGreaterThan(300);
}, 600_000);
