// What has happened, from the audit trail. The routes call mkt_get_audit_log, so whoever may not read an event with that tool
// gets it from no route either. They need a connection, and fail as the tool does. Times are ISO market time.

import type { MarketStatus } from "../../protocol/modules/registry.ts";
import type { Side } from "../../protocol/sides.ts";

/**
 * GET /dashboard/past?from=&to=: the events from `from` on and before `to`, newest first. More parameters choose among them:
 * `type`, `entity`, `user`, `contract`. `cursor` goes on after an answer. Text that is no time, or an empty range, is refused.
 */
export interface Past {
  /** Newest first. */
  readonly events: readonly PastEvent[];
  /** Goes on with the search; null: the whole range has been searched. */
  readonly cursor: string | null;
  /** Everything after this time has been looked at. Null: the whole range. */
  readonly searchedTo: string | null;
}

/** An event of the audit trail. `details` depends on its type: prices in cents/MWh, quantities in MW. */
export interface PastEvent {
  readonly id: string;
  readonly time: string;
  /** Its type, such as `orderQueued`. */
  readonly event: string;
  readonly moduleType: string;
  readonly moduleId: string;
  /** Null: the schedule. */
  readonly userId: string | null;
  readonly entityId: string | null;
  /** `refused:USER:CLIENTORDERID` for a refused order. */
  readonly orderId: string | null;
  readonly details: Readonly<Record<string, unknown>>;
}

/** GET /dashboard/past/day?from=&to=: what stands out in a range of at most 49 hours. */
export interface PastDay {
  /** Changes of the status of markets, oldest first. */
  readonly changes: readonly PastEvent[];
  /** Held orders that went into the book, oldest first. */
  readonly releases: readonly PastCount[];
  /** How many events there were, in spans of unequal length, oldest first. Null: this trail can't be entered at a time. */
  readonly activity: readonly PastCount[] | null;
  /** There are more changes or releases, earlier in the range. */
  readonly isCut: boolean;
  /** The oldest event that the acting user may read. Null: there is none. */
  readonly oldest: string | null;
}

export interface PastCount {
  readonly from: string;
  readonly to: string;
  readonly count: number;
}

/**
 * GET /dashboard/past/orders?contract=: the present of one contract, or of all, to go back from. It needs Market.View.
 * Whatever has changed the orders is among the events before `to`. Fails with `limit_exceeded` if there are more than 20,000
 * open orders, and with `backend_unavailable` while the trail lacks a change of them.
 */
export interface PastStart {
  /** The open ones. */
  readonly orders: readonly OpenOrder[];
  /** Of contracts that have traded, cents/MWh. */
  readonly lastPrices: Readonly<Record<string, number>>;
  /** Of all markets. */
  readonly statuses: Readonly<Record<string, MarketStatus>>;
  /** The last changes of the status of markets, at most 200, newest first. */
  readonly changes: readonly PastEvent[];
  /** There are more changes, earlier. */
  readonly isCut: boolean;
  /** The time from which on no event is missing, and that just after the newest. Null: there is no event. */
  readonly oldest: string | null;
  readonly to: string | null;
}

export interface OpenOrder {
  readonly id: string;
  readonly contractId: string;
  readonly entityId: string;
  readonly side: Side;
  /** Cents/MWh. */
  readonly price: number;
  /** Still open, MW. */
  readonly quantity: number;
  /** It waits until the market trades, so it is not in the book. */
  readonly isHeld: boolean;
}
