// The results of tools that views show, as far as they use them. Loose: a tool may give more. tests/web compares these types
// with the results of the real tools.

import type { CloseReason, OrderStatus } from "../../protocol/modules/registry.ts";
import type { OrderBlock } from "../../protocol/index.ts";
import type { PersonaState, SimulationState } from "../../protocol/simulator.ts";
import type { Book } from "./market.ts";

/** mkt_get_order_book: five levels of each side. */
export interface OrderBookResult extends Book {
  readonly note?: string;
}

/** mkt_sim_get_spot_prices: cents/MWh, oldest first. */
export interface SpotResult {
  readonly status: SimulationState;
  readonly nodes: readonly SpotNode[];
  /** Whether the line between the nodes is full. */
  readonly congested: boolean;
  readonly events: readonly SpotEvent[];
}

interface SpotPoint {
  readonly time: string;
  readonly price: number;
  /** Such as `base`, `spike` or `drop`. */
  readonly regime: string;
}

/** A price node: its price now, and what it was. */
export interface SpotNode extends SpotPoint {
  readonly node: string;
  /** Hourly. */
  readonly history: readonly SpotPoint[];
}

/** A market event that acts on spot prices now. */
export interface SpotEvent {
  readonly id: string;
  /** Such as `heat_wave`. */
  readonly type: string;
  /** Null: both nodes. */
  readonly node: string | null;
  readonly size: number;
  readonly startedAt: string;
  readonly endsAt: string;
  /** Share of the effect that is left, 0 to 1. */
  readonly remaining: number;
}

/** A row of mkt_list_entities. */
export interface EntityRow {
  readonly id: string;
  readonly name: string;
  readonly code: string;
  readonly userIds: readonly string[];
  /** Users besides `userIds`, if there are many. */
  readonly usersLeftOut?: number;
  readonly creditStatus: "ok" | "exhausted" | "none";
}

/** mkt_get_entity with positions: MW, MWh, cents/MWh, dollars. */
export interface PositionsResult extends EntityRow {
  readonly asOf: string;
  /** Contracts in this page, and in all. */
  readonly count: number;
  readonly total: number;
  readonly cursor: string | null;
  readonly positions: readonly PositionRow[];
  readonly totals: PositionTotals;
  /** Why creditUsed is null. */
  readonly note?: string;
}

interface Profits {
  readonly cash: number;
  readonly realisedProfit: number;
  readonly unrealisedProfit: number;
  readonly profit: number;
  /** Null: hidden from the acting user. */
  readonly creditUsed: number | null;
}

/** The position in one contract. Prices are cents/MWh, everything else of money dollars. */
export interface PositionRow extends Profits {
  readonly contractId: string;
  readonly node?: string;
  readonly netQuantity: number;
  readonly netEnergy: number;
  readonly boughtQuantity: number;
  readonly soldQuantity: number;
  /** Null: flat. */
  readonly averagePrice: number | null;
  readonly mark: number;
  /** What the mark is: the middle of the book, the last trade, or spot prices during delivery. */
  readonly markSource: "book" | "trade" | "spot";
}

/** Over all contracts, with those that have been settled. */
export interface PositionTotals extends Profits {
  /** Null: the contracts deliver at different times, so their MW can't be added. */
  readonly netQuantity: number | null;
  readonly netEnergy: number;
  readonly settled: { readonly contracts: number; readonly profit: number };
}

/** mkt_get_entity by day: MWh and dollars, the earliest day first. */
export interface DaySumsResult {
  readonly total: number;
  readonly sums: readonly DaySums[];
  /** Which profit is in no day. */
  readonly note?: string;
}

/** The contracts whose delivery ends on a local day. */
interface DaySums extends Omit<Profits, "creditUsed"> {
  readonly day: string;
  readonly contracts: number;
  readonly netEnergy: number;
}

/** mkt_sim_status: MW and dollars. Figures of the run are null before the first run. */
export interface SimulationResult {
  readonly status: SimulationState;
  readonly preset: string | null;
  readonly seed: number | null;
  /** 0: in lockstep. */
  readonly speed: number | null;
  readonly marketTime?: string | null;
  readonly startedAt: string | null;
  readonly simulatedTime: string | null;
  /** Why the run failed, or ended by itself. */
  readonly failure?: string;
  readonly nothingToTrade?: string;
  readonly totals: SimulationTotals;
  /** Percent; null: unknown, and `reasons` says why. */
  readonly metrics: Readonly<Record<string, number | null>>;
  readonly reasons?: Readonly<Record<string, string>>;
  readonly strategies: readonly StrategyRow[];
  /** Personas in this page, and in all. */
  readonly count: number;
  readonly total: number;
  readonly cursor: string | null;
  readonly personas: readonly PersonaRow[];
}

interface SimulationTotals {
  readonly personas: number;
  readonly connected: number;
  readonly workingOrders: number;
  readonly orders: number;
  readonly cancels: number;
  readonly rejected: number;
  readonly trades: number;
  readonly volumeMw: number;
}

/** What a persona or a strategy did. */
export interface TradingRow {
  readonly strategy: string;
  readonly workingOrders: number;
  readonly orders: number;
  readonly trades: number;
  readonly profitAndLoss: number;
}

export interface StrategyRow extends TradingRow {
  readonly personas: number;
}

/** A trader of the simulation, with the columns that are given by default; others if asked for (`fields`). */
export interface PersonaRow extends TradingRow {
  readonly id: string;
  readonly entityId: string;
  readonly state?: PersonaState;
  readonly volumeMw?: number;
  readonly rejected?: number;
  /** Why its strategy was stopped. */
  readonly fault?: string;
  /** Until when losses stop it. */
  readonly stoppedUntil?: string | null;
}

/** mkt_get_order: cents/MWh, MW. */
export interface OrderResult {
  readonly id: string;
  readonly clientOrderId: string;
  readonly contractId: string;
  readonly marketId: string;
  readonly entityId: string;
  readonly userId: string;
  readonly side: "BUY" | "SELL";
  readonly timeInForce: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly price: number;
  readonly quantity: number;
  readonly filledQuantity: number;
  readonly remainingQuantity: number;
  readonly averagePrice: number | null;
  readonly status: OrderStatus;
  readonly closeReason: CloseReason | null;
  /** Why it does not trade with orders that it crosses; empty if it crosses none. Null: the backend can't say. */
  readonly blockedBy: readonly OrderBlock[] | null;
}

/** mkt_get_order_events: newest first. */
export interface OrderEventsResult {
  readonly orderId: string;
  readonly contractId?: string;
  readonly entityId?: string;
  readonly side?: string;
  readonly events: readonly OrderAuditEvent[];
  readonly hasMore: boolean;
  readonly cursor: string | null;
  readonly note?: string;
}

/** `details` depends on the event: prices in cents/MWh, quantities in MW. */
export interface OrderAuditEvent {
  readonly id: string;
  readonly time: string;
  /** Such as `orderQueued`. */
  readonly event: string;
  readonly userId?: string;
  readonly details: Readonly<Record<string, unknown>>;
}
