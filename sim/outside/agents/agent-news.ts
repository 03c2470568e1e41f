// What an agent has to be told at its next wake-up. Times are market time in milliseconds since the epoch, prices cents/MWh,
// quantities kW.
//
// Memory: at most twice MAX_TRADES public trades; the agent's own fills and orders are kept until it is told.

import type { Side } from "../../../engine/market/order-book.ts";
import type { TradedContract } from "../../personas/traded-contract.ts";
import { MAX_TRADES } from "./agent-messages.ts";
import type { AgentOrder } from "./agent-orders.ts";

export interface NotedTrade {
  readonly time: number;
  readonly contract: TradedContract;
  readonly price: number;
  readonly quantity: number;
  readonly aggressorSide: Side;
}

export interface NotedFill {
  readonly time: number;
  readonly order: AgentOrder;
  readonly price: number;
  readonly quantity: number;
}

/** What has happened since the agent last said `next`. */
export class AgentNews {
  trades: NotedTrade[] = [];
  missedTrades = 0;
  fills: NotedFill[] = [];
  /** References of orders that ended by themselves. */
  closed: number[] = [];
  listed: TradedContract[] = [];
  delivered: TradedContract[] = [];

  trade(trade: NotedTrade): void {
    this.trades.push(trade);
    // In blocks, so a trade costs O(1).
    if (this.trades.length >= 2 * MAX_TRADES) this.trim();
  }

  /** Leaves the newest trades. */
  trim(): void {
    const more = this.trades.length - MAX_TRADES;
    if (more <= 0) return;
    this.trades.splice(0, more);
    this.missedTrades += more;
  }
}
