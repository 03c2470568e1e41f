// An order of the headless exchange, what comes of sending or changing one, and which the exchange refuses.
//
// Quantities are kW, prices cents/MWh. `Owner`: whatever the caller wants to know it by.

import { type ContractState, isMatching } from "../engine/state/engine-state.ts";
import type { Side } from "../market/order-book.ts";

export interface ExchangeOrder<Owner> {
  readonly key: number;
  readonly owner: Owner;
  readonly contract: ContractState;
  readonly party: number;
  readonly side: Side;
  price: number;
  /** Ordered, what is filled included. */
  quantity: number;
  filledQuantity: number;
  /** Grows with the time from which the order counts. */
  priority: number;
}

export interface ExchangeTrade<Owner> {
  readonly resting: ExchangeOrder<Owner>;
  readonly aggressor: ExchangeOrder<Owner>;
  readonly price: number;
  readonly quantity: number;
}

/** The engine's codes, and `not_open`. */
export type Refusal = "contract_expired" | "invalid_price" | "invalid_quantity" | "not_found" | "not_open";

export type Acceptance<Owner> =
  | {
    readonly accepted: true;
    readonly order: ExchangeOrder<Owner>;
    readonly trades: readonly ExchangeTrade<Owner>[];
  }
  | { readonly accepted: false; readonly code: Refusal };

/** A contract that has been listed, gone to delivery, or left the market. */
export interface ContractChange {
  readonly kind: "listed" | "expired" | "removed";
  readonly contract: ContractState;
}

/** What the clock brought about. */
export interface Passage<Owner> {
  readonly changes: readonly ContractChange[];
  /** Orders whose contract went to delivery. */
  readonly expired: readonly ExchangeOrder<Owner>[];
  readonly trades: readonly ExchangeTrade<Owner>[];
}

/** Why the exchange does not take an order with these terms; null where it does. The ladder is the engine's. */
export function refusalOf(contract: ContractState, price: number, quantity: number): Refusal | null {
  const { lot, expired, product: { tick, minimumPrice, maximumPrice } } = contract;
  if (!(quantity > 0) || quantity % lot !== 0) return "invalid_quantity";
  if (!Number.isInteger(price) || price % tick !== 0 || price < minimumPrice || price > maximumPrice) {
    return "invalid_price";
  }
  if (expired) return "contract_expired";
  return isMatching(contract) ? null : "not_open";
}
