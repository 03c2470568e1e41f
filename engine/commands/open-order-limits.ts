// Limits on open orders, held ones included: of each user, and in each book. They bound the work of one call, even of a call
// that concerns every order of a book. They are checked before anything changes.
//
// The limits are a setting of the process and no part of the state. A journal holds accepted orders only and is replayed
// without limits, so a lower limit after a restart rejects nothing that was accepted before.

import type { OpenOrderLimits } from "../api/market-engine.ts";
import { rejected, type Rejection } from "../api/outcome.ts";
import { type ContractState, openOrderCountOf } from "../state/market-state.ts";
import type { UserState } from "../state/party-state.ts";

export const UNLIMITED: OpenOrderLimits = { openOrdersPerUser: Infinity, openOrdersPerBook: Infinity };

/** The rejection of one more order; null if there may be one more. */
export function checkOpenOrders(
  { openOrdersPerUser, openOrdersPerBook }: OpenOrderLimits,
  contract: ContractState,
  user: UserState,
): Rejection | null {
  const ofUser = user.exposure.openOrders;
  if (ofUser >= openOrdersPerUser) {
    return exceeded(
      `User ${user.id} has ${ofUser} open orders, and at most ${openOrdersPerUser} are allowed: cancel some first.`,
    );
  }
  const inBook = openOrderCountOf(contract);
  if (inBook < openOrdersPerBook) return null;
  return exceeded(
    `${inBook} orders of ${contract.id} are open, and at most ${openOrdersPerBook} are allowed: try again later.`,
  );
}

function exceeded(message: string): Rejection {
  return rejected("limit_exceeded", message);
}
