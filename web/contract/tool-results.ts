// The results of tools that views show, as far as they use them. Loose: a tool may give more. tests/web compares these types
// with the results of the real tools.

import type { Level } from "./market.ts";

/** mkt_get_order_book: five levels of each side. */
export interface OrderBookResult {
  readonly contractId: string;
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
  readonly lastPrice: number | null;
  readonly lastUpdate: string;
  readonly note?: string;
}

/** mkt_sim_get_spot_prices: cents/MWh, oldest first. */
export interface SpotResult {
  readonly status: string;
  readonly nodes: readonly SpotNode[];
  readonly congested: boolean;
  readonly events: readonly Readonly<Record<string, unknown>>[];
}

export interface SpotPoint {
  readonly time: string;
  readonly price: number;
  readonly regime: string;
}

export interface SpotNode extends SpotPoint {
  readonly node: string;
  readonly history: readonly SpotPoint[];
}

/** mkt_get_entity with positions: MW, MWh, cents/MWh, dollars. */
export interface PositionsResult {
  readonly id: string;
  readonly name: string;
  readonly asOf: string;
  readonly positions: readonly Readonly<Record<string, unknown>>[];
  readonly totals: Readonly<Record<string, unknown>>;
}

/** mkt_sim_status: MW and dollars. */
export interface SimulationResult {
  readonly status: string;
  readonly strategies: readonly Readonly<Record<string, unknown>>[];
  readonly personas: readonly Readonly<Record<string, unknown>>[];
}
