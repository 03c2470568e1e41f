// The memory of a long run. A run keeps contracts until they are removed, and open orders and positions in them; it must
// forget everything else, or a simulated year would not fit. Days of a market take too long for every run.

import { expect, test } from "bun:test";
import { join } from "node:path";
import { LONG } from "../../support/sizes.ts";
import type { Kept, MeasuredRun } from "./measured-run.ts";

/** The first period has contracts of every age. */
const RUN: MeasuredRun = { preset: "calm", periods: 6, periodDays: 10, measurements: 5 };
const { preset, periods, periodDays } = RUN;
/** Compiled code is on the heap as well. On a busy machine some of it comes after the first figure. */
const CODE_BYTES = 8e6;
const BYTES_OF_A_MESSAGE = 10;

test.skipIf(!LONG)(
  `a run of the preset ${preset} keeps as little after ${periods * periodDays} days as after ${periodDays}`,
  () => {
    const command = [process.execPath, join(import.meta.dir, "measured-run.ts"), JSON.stringify(RUN)];
    const { stdout } = Bun.spawnSync(command);
    const [first, ...others]: Kept[] = JSON.parse(stdout.toString());
    expect(others).toHaveLength(periods - 1);
    for (const [at, later] of others.entries()) {
      expect(later.messages).toBeGreaterThan(0.8 * (at + 2) * first!.messages);
      expect(later.contracts).toBeLessThan(1.2 * first!.contracts);
      const grownBy = later.heapSize - first!.heapSize;
      expect(grownBy).toBeLessThan(CODE_BYTES + BYTES_OF_A_MESSAGE * (later.messages - first!.messages));
      expect(later.objectCount).toBeLessThan(1.2 * first!.objectCount);
    }
  },
);
