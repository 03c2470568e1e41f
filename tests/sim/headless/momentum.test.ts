// Momentum in stress: its loss stays bounded however long the run is, and over seeds it gains and loses.

import { expect, test } from "bun:test";
import { builtInMarket } from "../../../engine/definition/built-in-market.ts";
import { presetExperiment } from "../../../sim/experiment/read-experiment.ts";
import { BUILT_IN_AS_OF } from "../../../sim/experiment/start-time.ts";
import { HeadlessRun } from "../../../sim/headless/headless-run.ts";
import { traitsOf } from "../../../sim/population/roles.ts";
import { dollarsOf } from "../../../engine/market/units.ts";
import { marketSpotProcess } from "../../../sim/spot/market-spot.ts";
import { size } from "../../support/sizes.ts";

const HOURS = size(5, 96);
/** Between two looks at the results. */
const PERIOD_HOURS = size(5, 6);
/** In the short run one trader soon gains and another loses. */
const SEEDS = size([2], [1, 2, 3, 4, 5, 6, 7, 8]);
const HOUR = 3_600_000;
const BUILT_IN = builtInMarket();

/** The results of the momentum traders after each period, dollars. */
function resultsOf(seed: number): number[][] {
  const spot = marketSpotProcess(BUILT_IN, seed, BUILT_IN_AS_OF);
  const experiment = presetExperiment("stress");
  const run = new HeadlessRun({ definition: BUILT_IN, startTime: BUILT_IN_AS_OF, seed, experiment, spot });
  const traders = run.personas.filter(({ strategy }) => strategy === "momentum");
  return Array.from({ length: HOURS / PERIOD_HOURS }, (_, part) => {
    run.advanceTo(BUILT_IN_AS_OF + (part + 1) * PERIOD_HOURS * HOUR, Infinity);
    return traders.map(({ account }) => dollarsOf(account.profitAndLoss((contract) => run.markPrice(contract))));
  });
}

test(
  `momentum loses less than twice its loss limit a day in ${HOURS} hours of stress, and gains and loses over seeds`,
  () => {
    const results = SEEDS.flatMap(resultsOf).flat();
    expect(Math.min(...results)).toBeGreaterThan(-2 * traitsOf("momentum").lossLimit * Math.ceil(HOURS / 24));
    expect(Math.min(...results)).toBeLessThan(0);
    expect(Math.max(...results)).toBeGreaterThan(0);
  },
  size(180_000, 900_000),
);
