// Headless runs of a market from its start, with their spot prices and their reports.

import { builtInMarket } from "../../../engine/definition/built-in-market.ts";
import { startTimeOf } from "../../../sim/experiment/start-time.ts";
import { headlessReport } from "../../../sim/headless/headless-report.ts";
import { HeadlessRun } from "../../../sim/headless/headless-run.ts";
import type { PopulationSettings } from "../../../sim/population/create-personas.ts";
import { marketSpotPrices } from "../../../sim/spot/market-spot.ts";

export const HOUR = 3_600_000;
export const BUILT_IN = builtInMarket();

/** Everybody revises forecasts seldom, which otherwise takes most of the time of a run. */
export function seldomRevised<Settings extends PopulationSettings>(experiment: Settings, meanMs: number): Settings {
  const { makers, informed, others } = experiment.information;
  const seldom = { revisionMeanMs: meanMs };
  const information = { makers: { ...makers, ...seldom }, informed: { ...informed, ...seldom }, others };
  return { ...experiment, information };
}

export function runOf(experiment: PopulationSettings, seed = 1, definition = BUILT_IN) {
  const startTime = startTimeOf(definition);
  const spot = marketSpotPrices(definition, seed, startTime);
  const run = new HeadlessRun({ definition, startTime, seed, experiment, spot });
  const report = () => headlessReport(run, spot, { experiment: "test", seed, startTime, nodes: spot.nodes });
  return { run, spot, report, startTime };
}
