// What a person prepares in the ladder, and what it is called: an order to place, or a change or a cancel of an open order of
// their entity.

import { price, quantity } from "../../components/format.ts";
import type { OrderResult } from "../../contract/tool-results.ts";

/** An open order of the acting user's entity. */
export type OpenOrder = Pick<
  OrderResult,
  | "id"
  | "contractId"
  | "userId"
  | "side"
  | "price"
  | "quantity"
  | "filledQuantity"
  | "remainingQuantity"
  | "status"
>;

export type TradeSide = OpenOrder["side"];

/** Price in $/MWh and quantity in MW as they were typed, which may be anything. */
export interface Typed {
  readonly price: string;
  readonly megawatts: string;
}

export type TypedDeed =
  | { readonly kind: "place"; readonly contractId: string; readonly side: TradeSide } & Typed
  | { readonly kind: "change"; readonly contractId: string; readonly order: OpenOrder } & Typed;

export type Deed = TypedDeed | { readonly kind: "cancel"; readonly contractId: string; readonly order: OpenOrder };

export function sideOf(deed: Deed): TradeSide {
  return deed.kind === "place" ? deed.side : deed.order.side;
}

/** `Change order ORD-7: buy 5 MW at 46.00 $/MWh`. */
export function deedWords(deed: Deed): string {
  switch (deed.kind) {
    case "place":
      return `New order: ${deed.side === "BUY" ? "buy" : "sell"} ${deed.megawatts} MW at ${deed.price} $/MWh`;
    case "change":
      return `Change order ${orderWords(deed.order)}`;
    case "cancel":
      return `Cancel order ${orderWords(deed.order)}`;
  }
}

/** `ORD-7: buy 5 MW at 46.00 $/MWh`, with what is left of it. */
function orderWords({ id, side, price: cents, remainingQuantity }: OpenOrder): string {
  return `${id}: ${side === "BUY" ? "buy" : "sell"} ${quantity(remainingQuantity)} MW at ${price(cents)} $/MWh`;
}
