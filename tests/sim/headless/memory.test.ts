// The memory of a long run. A run keeps contracts until they are removed, and open orders and positions in them; it must
// forget everything else, or a simulated year would not fit.

import { expect, test } from "bun:test";
import { join } from "node:path";
import { LONG } from "../../support/sizes.ts";
import type { Kept, MeasuredRun } from "./measured-run.ts";

/** The first period has contracts of every age. */
const RUN: MeasuredRun = LONG
  ? { preset: "calm", periods: 6, periodDays: 10, measurements: 5 }
  : { preset: "thin", periods: 2, periodDays: 3, measurements: 3 };
const { preset, periods, periodDays } = RUN;
/** Later figures may be larger by this factor: some 50 bytes for each message of the short run. */
const MAX_GROWTH = 1.2;

test(
  `a run of the preset ${preset} keeps as little after ${periods * periodDays} days as after ${periodDays}`,
  async () => {
    const child = Bun.spawn([process.execPath, join(import.meta.dir, "measured-run.ts"), JSON.stringify(RUN)], {
      stdout: "pipe",
    });
    const [first, ...others]: Kept[] = JSON.parse(await new Response(child.stdout).text());
    expect(others).toHaveLength(periods - 1);
    for (const [at, later] of others.entries()) {
      expect(later.messages).toBeGreaterThan(0.8 * (at + 2) * first!.messages);
      expect(later.contracts).toBeLessThan(1.2 * first!.contracts);
      expect(later.heapSize).toBeLessThan(MAX_GROWTH * first!.heapSize);
      expect(later.objectCount).toBeLessThan(MAX_GROWTH * first!.objectCount);
    }
  },
  LONG ? 600_000 : 180_000,
);
