// The limits of this process (MKT_MAX_...) as the bounds that go with every order it sends or changes, whichever tool or
// pack makes the request. The engine checks them as it carries the request out: the book, and what else is open, may
// change until then.

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

/** The payload with the bounds in it, if the action makes or changes an order; bounds that it names itself give way. */
export function boundedPayload<Payload extends object>(
  action: Action,
  payload: Payload,
  bounds: OrderBounds | null,
): Payload {
  if (bounds === null || (action !== "order.submit" && action !== "order.modify")) return payload;
  return { ...payload, bounds };
}
