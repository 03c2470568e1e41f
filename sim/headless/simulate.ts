// A whole headless simulation, from the market definition to the report.

import type { MarketDefinition } from "../definition/market-definition.ts";
import { sessionAt } from "../market/session-schedule.ts";
import { marketSpotProcess } from "../spot/market-spot.ts";
import type { RunObserver } from "../tape/run-observer.ts";
import { HeadlessRun, type RunExperiment } from "./headless-run.ts";
import { type HeadlessReport, headlessReport } from "./headless-report.ts";

interface HeadlessOptions {
  readonly definition: MarketDefinition;
  readonly experiment: RunExperiment & { readonly name: string };
  readonly seed: number;
  /** Wake-ups, or hours of market time. */
  readonly length: { readonly steps: number } | { readonly hours: number };
  /** Called now and then with the number of steps or hours done. */
  readonly onProgress?: (done: number) => void;
  readonly observer?: RunObserver | null;
}

/** Start of the simulation for a market without named contracts: 00:00 in Chicago on Monday, 2 March 2026. */
export const BUILT_IN_AS_OF = Date.UTC(2026, 2, 2, 6);

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const STEPS_BETWEEN_PROGRESS = 5_000;

/** Throws RangeError if the market and the experiment have `populationFaults`. */
export function simulate(options: HeadlessOptions): HeadlessReport {
  const { definition, experiment, seed, length, onProgress = () => {}, observer = null } = options;
  const startTime = startTimeOf(definition);
  const spot = marketSpotProcess(definition, seed, startTime);
  const run = new HeadlessRun({ definition, startTime, seed, experiment, spot, observer });
  if ("hours" in length) {
    const end = startTime + length.hours * HOUR_MS;
    while (!run.advanceTo(end, STEPS_BETWEEN_PROGRESS)) onProgress((run.time - startTime) / HOUR_MS);
  } else {
    while (run.steps < length.steps) {
      run.advance(Math.min(STEPS_BETWEEN_PROGRESS, length.steps - run.steps));
      onProgress(run.steps);
    }
  }
  return headlessReport(run, spot, { experiment: experiment.name, seed, startTime });
}

/**
 * A day before the first delivery of the contracts that the definition names, or BUILT_IN_AS_OF if it only has listing
 * rules. If the first market is closed then, the next time it opens.
 */
export function startTimeOf({ markets: [market], contracts }: MarketDefinition): number {
  const dayBefore = contracts.length === 0
    ? BUILT_IN_AS_OF
    : Math.min(...contracts.map(({ deliveryStart }) => Date.parse(deliveryStart))) - DAY_MS;
  if (market === undefined || market.schedule === null) return dayBefore;
  return Math.max(dayBefore, sessionAt(market.schedule, market.timezone, dayBefore).open);
}
