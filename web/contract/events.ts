// The data of a FeedEvent by its type, as far as pages show it: what a reader needs of the event that the market has sent. A
// field is absent if it is null. Prices are cents/MWh, quantities MW; sides 0 buy, 1 sell. An event of a type that is not here
// has all its data, unless that is longer than 4,000 characters: then it has none.

import type { CloseReason, OrderStatus } from "../../protocol/modules/registry.ts";

type Side = 0 | 1;

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

/** reject.order. */
export interface RejectEventData {
  readonly clientOrderId: string;
  readonly contractId: string;
  readonly entityId: string;
  readonly side: Side;
  readonly price: number;
  readonly quantity: number;
  readonly code: string;
  readonly message: string;
}

/** new.fill: one for each order of a trade. */
export interface FillEventData {
  readonly orderId: string;
  readonly tradeId: string;
  readonly contractId: string;
  readonly entityId: string;
  readonly side: Side;
  readonly price: number;
  readonly quantity: number;
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

/** change.book: the book itself comes with the state. */
export interface BookEventData {
  readonly contractId: string;
  readonly bestBid?: number;
  readonly bestAsk?: number;
  readonly lastPrice?: number;
}

/** change.spot. */
export interface SpotEventData {
  readonly node: string;
  readonly price: number;
  readonly regime: string;
  readonly time: string;
}

/** halt.market, resume.market, change.market. */
export interface MarketEventData {
  readonly marketId: string;
  readonly status: string;
  readonly previousStatus: string;
  readonly reason?: string;
  readonly userId?: string;
}

/** new.contract, change.contract. remove.contract has `contractId` only. */
export interface ContractEventData {
  readonly id: string;
  readonly name: string;
  readonly deliveryStart: string;
  readonly deliveryEnd: string;
  readonly status: string;
}
