// Reports of what personas did, in the units of the APIs: MW and dollars.

import { dollarsOf, megawattsOf } from "../market/units.ts";
import type { Persona, PersonaCounts } from "./persona.ts";
import type { RunMetrics } from "./run-metrics.ts";
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
}

/** Sums over the personas of a run. */
export interface RunTotals extends PersonaCounts {
  readonly personas: number;
  readonly workingOrders: number;
  /** A trade between two personas is two fills, and counts once here. */
  readonly trades: number;
  readonly volumeMw: number;
}

/** `metrics` undefined: nothing has been traded. */
export function runTotals(
  personas: readonly (PersonaCounts & { readonly workingOrders: number })[],
  metrics: RunMetrics | undefined,
): RunTotals {
  const sum = (count: "workingOrders" | keyof PersonaCounts) =>
    personas.reduce((total, persona) => total + persona[count], 0);
  return {
    personas: personas.length,
    workingOrders: sum("workingOrders"),
    orders: sum("orders"),
    changes: sum("changes"),
    cancels: sum("cancels"),
    rejected: sum("rejected"),
    trades: metrics?.trades ?? 0,
    volumeMw: megawattsOf(metrics?.volume ?? 0),
  };
}

/** `markOf`: mark price of a contract, in whole cents/MWh. */
export function personaReport(persona: Persona, markOf: (contract: TradedContract) => number): PersonaReport {
  const { id, strategy, userId, entityId, counts, account, workingOrders, fault } = persona;
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
    profitAndLoss: dollarsOf(account.profitAndLoss(markOf)),
  };
}
