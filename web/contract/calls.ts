// POST /dashboard/tools/:tool: calls a tool through the server's dispatcher, as an MCP client would. GET has no such route,
// since a link could send it.

import type { Candle, CandleInterval } from "./candles.ts";
import type { Frozen, Trade } from "./market.ts";

/** The body of the request. */
export interface ToolRequest {
  readonly arguments: Readonly<Record<string, unknown>>;
  /** Says that the person agreed: the `state` of the answer before. It holds once, and for five minutes. */
  readonly agreed?: string;
}

/** The answer, with status 200 whatever the tool says. */
export type ToolReply =
  /** The tool's result. `isError`: it has an `error`, or a `status` that tells of a failure. */
  | { readonly kind: "result"; readonly isError: boolean; readonly result: Readonly<Record<string, unknown>> }
  /** Nothing was done: a person must agree to the words of `question` first. */
  | { readonly kind: "question"; readonly question: string; readonly state: string };

/**
 * POST /dashboard/orders/:orderId: `order.modify`, which no tool sends. The answer is a ToolReply whose kind is `result`. Needs
 * control, a connection and Order.Submit.
 */
export interface OrderChange {
  /** cents/MWh, a multiple of the tick; absent: as it is. */
  readonly price?: number | undefined;
  /** MW, a multiple of the lot: the whole ordered quantity, with what is filled. Absent: as it is. */
  readonly quantity?: number | undefined;
  /** A repeat with the same key within 24 hours only gives the first outcome. */
  readonly idempotencyKey: string;
}

/** The length of `interval` and the number of `trades` that GET /dashboard/history/:contractId gives if they are absent. */
export const DEFAULT_INTERVAL: CandleInterval = 300;
export const DEFAULT_TRADES = 500;

/**
 * GET /dashboard/history/:contractId?interval=60&trades=500: what was traded up to now. The stream goes on from here: the
 * trades with a greater sequence are not contained. Needs a connection.
 */
export interface History {
  readonly contractId: string;
  readonly epoch: number | null;
  /** The last event that is contained. */
  readonly sequence: number;
  /** The newest `trades` trades, oldest first; at most 5,000. */
  readonly trades: readonly Trade[];
  /** Seconds. */
  readonly interval: CandleInterval;
  /** Of all trades that are known, oldest first. */
  readonly candles: readonly Candle[];
  /** The trades of the contract that are known. The market forgets its oldest ones: the built-in one keeps 10,000 in all. */
  readonly known: number;
  /** Whether these are all trades of the contract. */
  readonly isComplete: boolean;
}

/** GET /dashboard/sparks: for each listed contract the last prices, oldest first; at most 40. Needs a connection. */
export interface Sparks {
  readonly epoch: number | null;
  /** The last event that is contained. */
  readonly sequence: number;
  readonly prices: Readonly<Record<string, readonly number[]>>;
}

/**
 * POST /dashboard/freeze with `{ reason }`, of at most 1,000 characters: this server refuses all changes from then on. It only
 * ends on the host of the server, by `mkt thaw`. Fails with `not_configured` if `Connection.offersFreeze` is false.
 */
export interface FreezeAnswer {
  readonly frozen: Frozen;
}

/** The error of any route of the dashboard, and of any tool. */
export interface ErrorReport {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
}
