// How many orders may be open at once, held ones included: of each user, and in each book. So the work of one call is
// bounded, also if it concerns every order of a book. Checked before anything changes.
//
// The limits are a setting of the process and no part of the state. They only refuse, and a journal holds what was
// accepted: a replay is carried out without limits, so a lower limit after a restart refuses nothing that was accepted.

import type { ContractState, EngineState } from "../state/engine-state.ts";
import { exposureOf } from "../state/open-orders.ts";
import { rejected, type Rejection } from "../api/outcome.ts";

export interface OpenOrderLimits {
  readonly openOrdersPerUser: number;
  readonly openOrdersPerBook: number;
}

export const UNLIMITED: OpenOrderLimits = { openOrdersPerUser: Infinity, openOrdersPerBook: Infinity };

/** The refusal of one more order; null if there is room for it. */
export function checkOpenOrders(
  state: EngineState,
  { openOrdersPerUser, openOrdersPerBook }: OpenOrderLimits,
  { id, book, heldOrders }: ContractState,
  userId: string,
): Rejection | null {
  const ofUser = exposureOf(state, userId).openOrders;
  if (ofUser >= openOrdersPerUser) {
    return rejected(
      "limit_exceeded",
      `User ${userId} has ${ofUser} open orders, the most there may be: cancel some first.`,
    );
  }
  const inBook = book.orderCount + heldOrders.size;
  if (inBook >= openOrdersPerBook) {
    return rejected("limit_exceeded", `${inBook} orders of ${id} are open, the most there may be: try again later.`);
  }
  return null;
}
