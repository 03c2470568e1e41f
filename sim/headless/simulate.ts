// `mkt simulate`: a whole simulation of a market, from its definition to its report.

import type { MarketDefinition } from "../definition/market-definition.ts";
import { sessionAt } from "../market/session-schedule.ts";
import { populationFaults } from "../personas/create-personas.ts";
import type { Preset } from "../personas/presets.ts";
import { marketSpotProcess } from "../spot/market-spot.ts";
import { HeadlessRun } from "./headless-run.ts";
import { type SimulationReport, simulationReport } from "./simulation-report.ts";

export interface SimulationOptions {
  readonly definition: MarketDefinition;
  readonly preset: Preset;
  readonly seed: number;
  readonly steps: number;
  /** Told now and then how many steps are done. */
  readonly onProgress?: (steps: number) => void;
}

/** As of which a market that lists its contracts by rules is simulated: 00:00 in Chicago on Monday, 2 March 2026. */
export const BUILT_IN_AS_OF = Date.UTC(2026, 2, 2, 6);

const DAY_MS = 24 * 3_600_000;
const STEPS_BETWEEN_PROGRESS = 5_000;

/** What keeps a market from being simulated; empty where nothing does. One line each. */
export function simulationFaults({ users }: MarketDefinition, { personas }: Preset): string[] {
  return populationFaults(personas, users);
}

/** Throws where `simulationFaults` has something to say. */
export function simulate(options: SimulationOptions): SimulationReport {
  const { definition, preset, seed, steps, onProgress = () => {} } = options;
  const startTime = startTimeOf(definition);
  const spot = marketSpotProcess(definition, seed, startTime);
  const run = new HeadlessRun({ definition, startTime, seed, preset, spot });
  while (run.steps < steps) {
    run.advance(Math.min(STEPS_BETWEEN_PROGRESS, steps - run.steps));
    onProgress(run.steps);
  }
  return simulationReport(run, spot, { preset: preset.name, seed, startTime });
}

/**
 * A day before the first delivery of the contracts that the definition names, or BUILT_IN_AS_OF if it only has listing
 * rules. If the default market is closed then, when it opens next.
 */
export function startTimeOf({ markets: [market], contracts }: MarketDefinition): number {
  const dayBefore = contracts.length === 0
    ? BUILT_IN_AS_OF
    : Math.min(...contracts.map(({ deliveryStart }) => Date.parse(deliveryStart))) - DAY_MS;
  if (market === undefined || market.schedule === null) return dayBefore;
  return Math.max(dayBefore, sessionAt(market.schedule, market.timezone, dayBefore).open);
}
