// The limits of this process (MKT_MAX_...) as bounds that are sent with every order, whichever pack submits or modifies it.
// The engine checks them when it executes the request, because the book and the open orders may change until then.

import type { Configuration } from "../config/configuration.ts";
import type { Action, OrderBounds } from "../../protocol/index.ts";

/** Null if no limit is set. */
export function orderBoundsOf({ limits }: Pick<Configuration, "limits">): OrderBounds | null {
  const bounds: OrderBounds = {
    maxQuantity: limits.maxOrderQuantity ?? undefined,
    maxNotional: limits.maxOrderNotional ?? undefined,
    maxOpenOrders: limits.maxOpenOrders ?? undefined,
    maxOpenNotional: limits.maxOpenNotional ?? undefined,
    maxNetPosition: limits.maxNetPosition ?? undefined,
  };
  return Object.values(bounds).some((bound) => bound !== undefined) ? bounds : null;
}

/** The payload with the bounds, if the action submits or modifies an order. They replace the payload's own bounds. */
export function boundedPayload<Payload extends object>(
  action: Action,
  payload: Payload,
  bounds: OrderBounds | null,
): Payload {
  if (bounds === null || (action !== "order.submit" && action !== "order.modify")) return payload;
  return { ...payload, bounds };
}
