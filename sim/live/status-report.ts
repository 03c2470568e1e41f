// The status of a simulation as the control API reports it: activity and positions of each persona of the run, and totals.
//
// Positions are valued by the book, the last trade or the forecast (markOf). A trade between two personas is a fill for each of
// them, and counts once in the totals.

import type { SimulationState, SimulationStatus } from "../../protocol/index.ts";
import {
  markCounts,
  personaReport,
  reasonsWithTotals,
  runTotals,
  valuesAndReasons,
} from "../personas/persona-report.ts";
import { type Figure, type Mark, markOf } from "../personas/run-metrics.ts";
import type { TradedContract } from "../personas/traded-contract.ts";
import type { LivePersona } from "./live-persona.ts";
import type { MarketTimeSource } from "./followed-clock.ts";
import type { LiveRun } from "./live-run.ts";
import type { RunPlan } from "./run-plan.ts";
import type { RunSettings } from "./run-settings.ts";

export interface PlannedRun {
  readonly plan: RunPlan;
  readonly live: LiveRun;
}

export interface ReportedRun {
  readonly settings: RunSettings;
  /** Null until the market is known. */
  readonly planned: PlannedRun | null;
  /** Market time at which it ended; null while it has not. */
  readonly endedAt: number | null;
  /** Speed of market time when it ended; null while it has not. */
  readonly endSpeed: number | null;
}

type Totals = Pick<SimulationStatus, "totals" | "metrics" | "reasons" | "bookSamples" | "marks">;

const NO_RUN: Figure = { value: null, reason: "no simulation has been started" };
const NO_FIGURES = { smithsAlpha: NO_RUN, allocativeEfficiency: NO_RUN, twoSidedBooks: NO_RUN, meanSpread: NO_RUN };

export function statusReport(
  status: SimulationState,
  failure: string | null,
  run: ReportedRun | null,
  marketTime: MarketTimeSource,
): SimulationStatus {
  const planned = run?.planned ?? null;
  const time = run?.endedAt ?? planned?.plan.clock.time() ?? null;
  const personas = planned === null
    ? []
    : planned.live.personas.map((persona) => reportOf(persona, planned.live, time ?? 0));
  return {
    status,
    preset: run?.settings.preset ?? null,
    seed: run?.settings.seed ?? null,
    speed: run?.endSpeed ?? marketTime.setting?.speed ?? 1,
    marketTime: isoTime(marketTime.time()),
    startedAt: isoTime(planned?.plan.clock.startedAt ?? null),
    simulatedTime: isoTime(time),
    failure,
    nothingToTrade: status === "running" ? planned?.live.nothingToTrade ?? null : null,
    personas,
    ...totalsOf(personas, planned, { time: time ?? 0, isOver: status === "stopped" }),
  };
}

function marksIn({ feed, forecasts }: LiveRun, time: number): (contract: TradedContract) => Mark {
  return (contract) => markOf(feed.book(contract.id), forecasts.best(contract), contract.deliveryStart <= time);
}

function reportOf(live: LivePersona, run: LiveRun, time: number) {
  const { state, isConnected: connected, workingOrders } = live;
  const { positions, ...figures } = personaReport(live.persona, marksIn(run, time));
  return { ...figures, positions: [...positions], state, connected, workingOrders };
}

function totalsOf(
  personas: readonly ReturnType<typeof reportOf>[],
  planned: PlannedRun | null,
  { time, isOver }: { readonly time: number; readonly isOver: boolean },
): Totals {
  planned?.live.trades.settle({ isOver });
  const metrics = planned?.plan.population.metrics;
  const { changes, ...totals } = runTotals(personas, metrics);
  const { reasons, ...figures } = valuesAndReasons(metrics?.figures(time) ?? NO_FIGURES);
  const { count = 0, until = null } = metrics?.bookSamples ?? {};
  return {
    totals: { ...totals, connected: personas.filter(({ connected }) => connected).length },
    ...figures,
    reasons: planned === null ? reasons : reasonsWithTotals(reasons, { ...totals, changes }),
    bookSamples: { count, until: isoTime(until) },
    ...(planned === null ? {} : { marks: markCounts(planned.plan.population.personas, marksIn(planned.live, time)) }),
  };
}

function isoTime(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString();
}
