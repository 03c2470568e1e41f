// The memory of a long run. A run keeps contracts until they are removed, and open orders and positions in them; it must
// forget everything else, or a simulated year would not fit.
//
// The garbage collector takes every number on the stack for a possible pointer. An outdated one can hold an old table of
// a Map, which holds all later tables and what was ever in them: much more than the run keeps. So a figure is the least
// of several, an hour of market time apart and each from an empty stack. What the run itself holds is in all of them.

import { heapStats } from "bun:jsc";
import { expect, test } from "bun:test";
import { presetExperiment } from "../../../sim/experiment/read-experiment.ts";
import { size } from "../../support/sizes.ts";
import { HOUR, runOf } from "./support.ts";

const MEASUREMENTS = size(3, 5);
const PRESET = size("thin", "calm");
const PERIODS = size(2, 6);
/** The first period has contracts of every age. */
const PERIOD_DAYS = size(3, 10);
/** Later figures may be larger by this factor. It allows a leak of some 10 bytes for each message. */
const MAX_GROWTH = size(1.1, 1.15);

test(
  `a run of the preset ${PRESET} keeps as little after ${PERIODS * PERIOD_DAYS} days as after ${PERIOD_DAYS}`,
  async () => {
    const { run, startTime } = runOf(presetExperiment(PRESET));
    const keptAfter = async (days: number) => {
      let [heapSize, objectCount] = [Infinity, Infinity];
      for (let hour = 0; hour < MEASUREMENTS; hour++) {
        while (!run.advanceTo(startTime + (days * 24 + hour) * HOUR, 10_000)) continue;
        await Bun.sleep(0);
        Bun.gc(true);
        const heap = heapStats();
        heapSize = Math.min(heapSize, heap.heapSize);
        objectCount = Math.min(objectCount, heap.objectCount);
      }
      return { heapSize, objectCount, contracts: run.contracts.length, messages: run.messages };
    };
    const first = await keptAfter(PERIOD_DAYS);
    for (let period = 2; period <= PERIODS; period++) {
      const later = await keptAfter(period * PERIOD_DAYS);
      expect(later.messages).toBeGreaterThan(0.8 * period * first.messages);
      expect(later.contracts).toBeLessThan(1.2 * first.contracts);
      expect(later.heapSize).toBeLessThan(MAX_GROWTH * first.heapSize);
      expect(later.objectCount).toBeLessThan(MAX_GROWTH * first.objectCount);
    }
  },
  size(180_000, 600_000),
);
