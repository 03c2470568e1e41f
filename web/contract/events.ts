// The data of a FeedEvent of a type that a page reads by its fields: what a reader needs of the event that the market has
// sent (plugins/dashboard/feed-event.ts). A field is absent if it is null. Prices are cents/MWh, quantities MW; sides 0 buy, 1
// sell.

import type { CloseReason, OrderStatus } from "../../protocol/modules/registry.ts";
import type { Side } from "../../protocol/sides.ts";

/** new.order, change.order, cancel.order, expire.order, hold.order, release.order. */
export interface OrderEventData {
  readonly id: string;
  readonly contractId: string;
  readonly entityId: string;
  readonly side: Side;
  readonly price: number;
  readonly quantity: number;
  readonly filledQuantity: number;
  readonly status: OrderStatus;
  readonly closeReason?: CloseReason;
}

/** new.trade: with the time of the event it is a Trade (market.ts). */
export interface TradeEventData {
  readonly id: string;
  readonly contractId: string;
  readonly buyEntityId: string;
  readonly sellEntityId: string;
  readonly aggressorSide: Side;
  readonly price: number;
  readonly quantity: number;
}
