// The state of the market as the dashboard shows it. Prices are integer cents/MWh, quantities MW, times ISO market time.

import type { MarketStatus } from "../../protocol/modules/registry.ts";
import type { Side } from "../../protocol/sides.ts";

/** A listed contract with the best prices of its book. */
export interface ContractRow {
  readonly contractId: string;
  readonly productId: string;
  readonly productName: string;
  /** Kind of delivery: hour, base, peak, weekend, week, month, quarter, year. */
  readonly productType: string;
  /** Price node of delivery. */
  readonly node: string;
  readonly marketId: string;
  readonly deliveryStart: string;
  readonly deliveryEnd: string;
  /** Hours of delivery; fewer than between start and end if it skips some, as peak hours of a month do. */
  readonly hours: number;
  readonly bestBid: number | null;
  readonly bestAsk: number | null;
  /** MW at the best prices; null if there are none. */
  readonly bestBidVolume: number | null;
  readonly bestAskVolume: number | null;
  readonly lastPrice: number | null;
  /** Traded since the market began. */
  readonly tradedQuantity: number;
  readonly workingOrders: number;
}

export interface Level {
  readonly price: number;
  readonly volume: number;
  readonly orderCount: number;
}

/** Levels of each side of a Book. */
export const BOOK_DEPTH = 10;

/** The best levels of each side, best first. */
export interface Book {
  readonly contractId: string;
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
  readonly lastPrice: number | null;
  readonly lastUpdate: string;
}

export interface Market {
  readonly id: string;
  readonly name: string;
  readonly code: string;
  readonly status: MarketStatus;
  readonly halted: boolean;
  readonly haltReason: string | null;
  /** The session's times; null if the market always trades. */
  readonly preopen: string | null;
  readonly open: string | null;
  readonly close: string | null;
  readonly timezone: string;
  readonly nodes: readonly string[];
}

/** The server's connection to the market. */
export interface Connection {
  readonly status: "disconnected" | "connecting" | "connected" | "reconnecting";
  /** The acting user; null if disconnected. */
  readonly userId: string | null;
  readonly entityId: string | null;
  readonly permissions: readonly string[];
  /** Somebody has disconnected this server, so it stays so until a person connects it. Otherwise the page connects it. */
  readonly wasDisconnected: boolean;
  /** Null if disconnected. */
  readonly marketTime: string | null;
  /** How many times as fast as real time market time passes; null if it stands still, or is unknown. */
  readonly speed: number | null;
  /** The state is that of `asOf`, because the connection was lost: it is being restored, or has ended. */
  readonly stale: boolean;
  /** ISO market time at which the state is known to have held; null if there is none. */
  readonly asOf: string | null;
  /** Something that the market sent could not be read, so the state may lack it. */
  readonly incomplete: boolean;
  /** Why the connection was lost, or could not be made; null while it is up. */
  readonly problem: string | null;
  /** Whether POST /dashboard/freeze can freeze this server. */
  readonly offersFreeze: boolean;
}

/** The kill switch; null in its place: changes are allowed. */
export interface Frozen {
  readonly reason: string | null;
  readonly since: string | null;
}

export interface Trade {
  readonly id: string;
  readonly contractId: string;
  readonly time: string;
  readonly price: number;
  readonly quantity: number;
  /** 0 buy, 1 sell: side of the order that crossed the book. */
  readonly aggressorSide: Side;
}
