// The status of a simulation as the control API tells it: every persona of the run with what it has done and holds, and
// what all of them come to.
//
// Positions are valued at the book's prices (markPrice). A trade between two personas is a fill of both, and counts once
// in the totals.

import type { PersonaReport, SimulationState, SimulationStatus } from "../../protocol/index.ts";
import { personaReport, runTotals } from "../personas/persona-report.ts";
import { markPrice } from "../personas/run-metrics.ts";
import type { TradedContract } from "../personas/traded-contract.ts";
import type { LivePersona } from "./live-persona.ts";
import type { RunSettings } from "./run-plan.ts";
import type { SimulationPlan, SimulationRun } from "./live-run.ts";

/** A run that was planned. */
export interface RunWork {
  readonly plan: SimulationPlan;
  readonly simulation: SimulationRun;
}

export interface ReportedRun {
  readonly settings: RunSettings;
  /** Null until the market is known. */
  readonly work: RunWork | null;
  /** Simulated time at which it ended; null while it has not. */
  readonly endedAt: number | null;
}

type Totals = Pick<SimulationStatus, "totals" | "metrics">;

export function statusReport(
  status: SimulationState,
  failure: string | null,
  run: ReportedRun | null,
): SimulationStatus {
  const work = run?.work ?? null;
  const time = run?.endedAt ?? work?.plan.clock.time() ?? null;
  const personas = work === null
    ? []
    : work.simulation.personas.map((persona) => reportOf(persona, work.simulation, time ?? 0));
  return {
    status,
    preset: run?.settings.preset ?? null,
    seed: run?.settings.seed ?? null,
    speed: run?.settings.speed ?? null,
    startedAt: isoTime(work?.plan.clock.startedAt ?? null),
    simulatedTime: isoTime(time),
    failure,
    nothingToTrade: status === "running" ? work?.simulation.nothingToTrade ?? null : null,
    personas,
    ...totalsOf(personas, work, time ?? 0),
  };
}

function reportOf(live: LivePersona, { feed, forecasts }: SimulationRun, time: number): PersonaReport {
  const markOf = (contract: TradedContract) =>
    markPrice(feed.book(contract.id), forecasts.of(contract), contract.deliveryStart <= time);
  const { state, isConnected: connected, workingOrders } = live;
  const { positions, ...figures } = personaReport(live.persona, markOf);
  return { ...figures, positions: [...positions], state, connected, workingOrders };
}

function totalsOf(personas: readonly PersonaReport[], work: RunWork | null, time: number): Totals {
  work?.simulation.trades.settle();
  const metrics = work?.plan.metrics;
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
