// A participant's own orders never lock or cross the book. In the built-in market any two entities may trade, so there a
// locked or crossed book could only come from orders of one entity.

import { describe, expect, test } from "bun:test";
import { builtInMarket } from "../../../engine/definition/built-in-market.ts";
import { HeadlessRun } from "../../../sim/headless/headless-run.ts";
import { BUILT_IN_AS_OF } from "../../../sim/experiment/start-time.ts";
import { SIMULATION_PRESETS } from "../../../protocol/index.ts";
import { presetExperiment } from "../../../sim/experiment/read-experiment.ts";
import { marketSpotProcess } from "../../../sim/spot/market-spot.ts";
import { size } from "../../support/sizes.ts";

const STEPS = size(5_000, 100_000);
const SEEDS = size([11], [11, 12, 13]);
const BUILT_IN = builtInMarket();

describe.each([...SIMULATION_PRESETS])("under %s", (name) => {
  test.each(SEEDS)("no book is ever locked or crossed (seed %d)", (seed) => {
    const startTime = BUILT_IN_AS_OF;
    const spot = marketSpotProcess(BUILT_IN, seed, startTime);
    const run = new HeadlessRun({ definition: BUILT_IN, startTime, seed, experiment: presetExperiment(name), spot });
    for (let step = 0; step < STEPS; step++) {
      run.advance(1);
      for (const contract of run.tradedNow) {
        const { bestBid, bestAsk } = run.book(contract);
        if (bestBid === null || bestAsk === null || bestBid < bestAsk) continue;
        expect({ step, contract: contract.id, bestBid, bestAsk }).toBeNull();
      }
    }
    expect(run.metrics.trades).toBeGreaterThan(0);
  });
});
