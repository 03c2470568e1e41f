// A whole headless simulation, from the experiment to the report.

import type { MarketDefinition } from "../definition/market-definition.ts";
import type { Experiment } from "../experiment/experiment.ts";
import { completeExperiment } from "../experiment/resolve-experiment.ts";
import { marketSpotProcess } from "../spot/market-spot.ts";
import type { RunObserver } from "../tape/run-observer.ts";
import { HeadlessRun } from "./headless-run.ts";
import { type HeadlessReport, headlessReport } from "./headless-report.ts";

interface HeadlessOptions {
  /** What it leaves open is chosen as for `mkt simulate`. */
  readonly experiment: Experiment;
  /** The experiment's market. */
  readonly definition: MarketDefinition;
  /** Called now and then with the number of steps or hours done. */
  readonly onProgress?: (done: number) => void;
  readonly observer?: RunObserver | null;
}

const HOUR_MS = 3_600_000;
const STEPS_BETWEEN_PROGRESS = 5_000;

/** Throws RangeError if the market and the experiment have `populationFaults`. */
export function simulate(options: HeadlessOptions): HeadlessReport {
  const { definition, onProgress = () => {}, observer = null } = options;
  const experiment = completeExperiment(options.experiment, definition);
  const { seed, hours, steps } = experiment;
  const startTime = Date.parse(experiment.start);
  const spot = marketSpotProcess(definition, seed, startTime);
  const run = new HeadlessRun({ definition, startTime, seed, experiment, spot, observer });
  if (hours !== null) {
    const end = startTime + Math.round(hours * HOUR_MS);
    while (!run.advanceTo(end, STEPS_BETWEEN_PROGRESS)) onProgress((run.time - startTime) / HOUR_MS);
  }
  while (steps !== null && run.steps < steps) {
    run.advance(Math.min(STEPS_BETWEEN_PROGRESS, steps - run.steps));
    onProgress(run.steps);
  }
  return headlessReport(run, spot, { experiment: experiment.name, seed, startTime });
}
