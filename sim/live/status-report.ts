// The status of a simulation as the control API reports it: activity and positions of each persona of the run, and totals.
//
// Positions are valued at the book's prices (markPrice). A trade between two personas is a fill for each of them, and counts
// once in the totals.

import type { PersonaReport, SimulationState, SimulationStatus } from "../../protocol/index.ts";
import { personaReport, runTotals } from "../personas/persona-report.ts";
import { markPrice } from "../personas/run-metrics.ts";
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
}

type Totals = Pick<SimulationStatus, "totals" | "metrics">;

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
    speed: marketTime.setting?.speed ?? 1,
    marketTime: isoTime(marketTime.time()),
    startedAt: isoTime(planned?.plan.clock.startedAt ?? null),
    simulatedTime: isoTime(time),
    failure,
    nothingToTrade: status === "running" ? planned?.live.nothingToTrade ?? null : null,
    personas,
    ...totalsOf(personas, planned, { time: time ?? 0, isOver: status === "stopped" }),
  };
}

function reportOf(live: LivePersona, { feed, forecasts }: LiveRun, time: number): PersonaReport {
  const markOf = (contract: TradedContract) =>
    markPrice(feed.book(contract.id), forecasts.of(contract), contract.deliveryStart <= time);
  const { state, isConnected: connected, workingOrders } = live;
  const { positions, ...figures } = personaReport(live.persona, markOf);
  return { ...figures, positions: [...positions], state, connected, workingOrders };
}

function totalsOf(
  personas: readonly PersonaReport[],
  planned: PlannedRun | null,
  { time, isOver }: { readonly time: number; readonly isOver: boolean },
): Totals {
  planned?.live.trades.settle({ isOver });
  const metrics = planned?.plan.metrics;
  const { changes: _changes, ...totals } = runTotals(personas, metrics);
  const figures = metrics?.figures(time);
  return {
    totals: { ...totals, connected: personas.filter(({ connected }) => connected).length },
    metrics: {
      smithsAlpha: figures?.smithsAlpha.value ?? null,
      allocativeEfficiency: figures?.allocativeEfficiency.value ?? null,
      twoSidedBooks: figures?.twoSidedBooks.value ?? null,
      meanSpread: figures?.meanSpread.value ?? null,
    },
  };
}

function isoTime(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString();
}
