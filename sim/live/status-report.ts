// The status of a simulation as the control API tells it: every persona of the run with what it has done and holds, and
// what all of them come to.
//
// Positions are valued at the book's prices (markPrice). A trade between two personas is a fill of both, and counts once
// in the totals.

import type { PersonaReport, SimulationState, SimulationStatus } from "../../protocol/index.ts";
import { megawattsOf } from "../market/units.ts";
import { personaReport } from "../personas/persona-report.ts";
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
  const sum = (figure: (persona: PersonaReport) => number) =>
    personas.reduce((total, persona) => total + figure(persona), 0);
  return {
    totals: {
      personas: personas.length,
      connected: sum(({ connected }) => connected ? 1 : 0),
      workingOrders: sum(({ workingOrders }) => workingOrders),
      orders: sum(({ orders }) => orders),
      cancels: sum(({ cancels }) => cancels),
      rejected: sum(({ rejected }) => rejected),
      trades: metrics?.trades ?? 0,
      volumeMw: megawattsOf(metrics?.volume ?? 0),
    },
    metrics: {
      smithsAlpha: metrics?.smithsAlpha().value ?? null,
      allocativeEfficiency: metrics?.allocativeEfficiency(time).value ?? null,
      twoSidedBooks: metrics?.twoSided().value ?? null,
      meanSpread: metrics?.spread().value ?? null,
    },
  };
}

function isoTime(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString();
}
