// Plays a run of a preset in a process of its own, so nothing else takes memory, and prints what it keeps after each period.
//
//   bun tests/sim/headless/measured-run.ts '{"preset":"thin","periods":2,"periodDays":3,"measurements":3}'
//
// The garbage collector takes every number on the stack for a possible pointer. An outdated one can hold an old table of
// a Map, which holds all later tables and what was ever in them: much more than the run keeps. So a figure is the least
// of several, an hour of market time apart and each from an empty stack. What the run itself holds is in all of them.

import { heapStats } from "bun:jsc";
import type { SimulationPreset } from "../../../protocol/simulator.ts";
import { presetExperiment } from "../../../sim/experiment/read-experiment.ts";
import { HOUR, runOf } from "./support.ts";

export interface MeasuredRun {
  readonly preset: SimulationPreset;
  readonly periods: number;
  readonly periodDays: number;
  /** Of each period. */
  readonly measurements: number;
}

export interface Kept {
  readonly heapSize: number;
  readonly objectCount: number;
  readonly contracts: number;
  readonly messages: number;
}

if (import.meta.main) {
  const { preset, periods, periodDays, measurements }: MeasuredRun = JSON.parse(process.argv[2] ?? "{}");
  const { run, startTime } = runOf(presetExperiment(preset));
  const kept: Kept[] = [];
  for (let period = 1; period <= periods; period++) {
    let [heapSize, objectCount] = [Infinity, Infinity];
    for (let hour = 0; hour < measurements; hour++) {
      while (!run.advanceTo(startTime + (period * periodDays * 24 + hour) * HOUR, 10_000)) continue;
      await Bun.sleep(0);
      Bun.gc(true);
      const heap = heapStats();
      heapSize = Math.min(heapSize, heap.heapSize);
      objectCount = Math.min(objectCount, heap.objectCount);
    }
    kept.push({ heapSize, objectCount, contracts: run.contracts.length, messages: run.messages });
  }
  console.log(JSON.stringify(kept));
}
