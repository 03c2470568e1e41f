// Reports of what personas did, in the units of the APIs: MW and dollars.

import { dollarsOf, megawattsOf } from "../../engine/market/units.ts";
import type { PersonaEconomics } from "./economics.ts";
import type { Persona, PersonaCounts } from "./persona.ts";
import type { Figure, Mark, MarkSource, MetricName, RunMetrics } from "./run-metrics.ts";
import type { TradedContract } from "./traded-contract.ts";

export interface PersonaReport extends PersonaCounts {
  readonly id: string;
  readonly strategy: string;
  readonly userId: string;
  readonly entityId: string;
  readonly workingOrders: number;
  /** Why its strategy, from a file, was stopped; absent if it was not. */
  readonly fault?: string;
  /** Fills of its orders. */
  readonly trades: number;
  /** Bought plus sold. */
  readonly volumeMw: number;
  /** Bought less sold, over all contracts. */
  readonly netPositionMw: number;
  /** Contracts with a position other than 0. */
  readonly positions: readonly { readonly contractId: string; readonly netPositionMw: number }[];
  /** Dollars received less dollars paid. */
  readonly cash: number;
  /** Dollars: cash plus positions at their mark prices. */
  readonly profitAndLoss: number;
  /** The same: of all personas it sums to zero. */
  readonly tradingResult: number;
  /** Dollars earned by its unit less fuel, or paid by its customers less spot purchases; null if it has neither. */
  readonly physicalResult: number | null;
  /** Dollars between its fills and the limit prices of its assignments; null without assignments. */
  readonly surplus: number | null;
  /** Dollars; null: it has no limit. */
  readonly lossLimit: number | null;
  /** ISO 8601: until when losses stop it; null if they don't. */
  readonly stoppedUntil: string | null;
  /** How often losses have stopped it. */
  readonly stoppedForLosses: number;
}

/** Sums over the personas of a run. */
export interface RunTotals extends PersonaCounts {
  readonly personas: number;
  readonly workingOrders: number;
  /** A trade between two personas is two fills, and counts once here. */
  readonly trades: number;
  readonly volumeMw: number;
  /** Dollars; null if nobody has a unit or a load. */
  readonly physicalResult: number | null;
  /** Dollars; null if nobody trades by assignments. */
  readonly surplus: number | null;
  readonly stoppedForLosses: number;
}

/** The columns of a report that are summed. */
type Summed = keyof PersonaCounts | "workingOrders" | "physicalResult" | "surplus" | "stoppedForLosses";

/** `metrics` undefined: nothing has been traded. */
export function runTotals(personas: readonly PersonaReport[], metrics: RunMetrics | undefined): RunTotals {
  const sum = (count: Summed) => personas.reduce((total, persona) => total + (persona[count] ?? 0), 0);
  const dollars = (amount: "physicalResult" | "surplus") => {
    if (personas.every((persona) => persona[amount] === null)) return null;
    // Sums of decimals are inexact.
    return Math.round(sum(amount) * 100) / 100;
  };
  return {
    personas: personas.length,
    workingOrders: sum("workingOrders"),
    orders: sum("orders"),
    changes: sum("changes"),
    cancels: sum("cancels"),
    rejected: sum("rejected"),
    trades: metrics?.trades ?? 0,
    volumeMw: megawattsOf(metrics?.volume ?? 0),
    physicalResult: dollars("physicalResult"),
    surplus: dollars("surplus"),
    stoppedForLosses: sum("stoppedForLosses"),
  };
}

/** For each contract in which a persona has a position, by what it is valued: the number of these contracts. */
export function markCounts(
  personas: readonly Pick<Persona, "account">[],
  markOf: (contract: TradedContract) => Mark,
): Record<MarkSource, number> {
  const counts = { book: 0, lastTrade: 0, forecast: 0, delivery: 0 };
  const held = personas.flatMap(({ account }) => [...account.holdings].filter(({ position }) => position !== 0));
  for (const contract of new Set(held.map(({ contract }) => contract))) counts[markOf(contract).source] += 1;
  return counts;
}

/** `reasons`: for each metric that is null, why. */
export function valuesAndReasons(figures: Readonly<Record<MetricName, Figure>>): {
  readonly metrics: Readonly<Record<MetricName, number | null>>;
  readonly reasons: Readonly<Record<string, string>>;
} {
  const metrics: Partial<Record<MetricName, number | null>> = {};
  const reasons: Record<string, string> = {};
  for (const [name, figure] of Object.entries(figures) as [MetricName, Figure][]) {
    metrics[name] = figure.value;
    if (figure.value === null) reasons[name] = figure.reason;
  }
  return { metrics: metrics as Record<MetricName, number | null>, reasons };
}

const NO_ASSIGNMENTS = "nobody trades by assignments";
const NO_ASSETS = "nobody has a generating unit or a load to serve";

/** `reasons` with those of the totals that are null. */
export function reasonsWithTotals(
  reasons: Readonly<Record<string, string>>,
  { physicalResult, surplus }: RunTotals,
): Record<string, string> {
  return {
    ...reasons,
    ...(physicalResult === null ? { physicalResult: NO_ASSETS } : {}),
    ...(surplus === null ? { surplus: NO_ASSIGNMENTS } : {}),
    ...(surplus === null && "allocativeEfficiency" in reasons ? { allocativeEfficiency: NO_ASSIGNMENTS } : {}),
  };
}

export function personaReport(persona: Persona, markOf: (contract: TradedContract) => Mark): PersonaReport {
  const { id, strategy, userId, entityId, counts, account, workingOrders, fault } = persona;
  const tradingResult = dollarsOf(account.profitAndLoss((contract) => markOf(contract).price));
  const held = [...account.holdings].filter(({ position }) => position !== 0);
  return {
    id,
    strategy,
    userId,
    entityId,
    workingOrders,
    ...(fault === null ? {} : { fault }),
    ...counts,
    trades: account.trades,
    volumeMw: megawattsOf(account.volume),
    netPositionMw: megawattsOf(held.reduce((sum, { position }) => sum + position, 0)),
    positions: held.map(({ contract, position }) => ({
      contractId: contract.id,
      netPositionMw: megawattsOf(position),
    })),
    cash: dollarsOf(account.cash),
    profitAndLoss: tradingResult,
    tradingResult,
    ...economicsReport(persona.economics),
  };
}

type EconomicsReport = Pick<
  PersonaReport,
  "physicalResult" | "surplus" | "lossLimit" | "stoppedUntil" | "stoppedForLosses"
>;

function economicsReport(economics: PersonaEconomics): EconomicsReport {
  const { physicalResult, surplus, lossLimit, stoppedUntil, stops } = economics;
  return {
    physicalResult: physicalResult === null ? null : dollarsOf(physicalResult),
    surplus: surplus === null ? null : dollarsOf(surplus),
    lossLimit,
    stoppedUntil: stoppedUntil === null ? null : new Date(stoppedUntil).toISOString(),
    stoppedForLosses: stops,
  };
}
