// Orders of the headless exchange, and the results of its commands.
//
// Quantities are kW, prices cents/MWh. `Owner` is the caller's identification of an order.

import { type ContractState, isMatching } from "../engine/state/market-state.ts";
import type { Side } from "../market/order-book.ts";

export interface ExchangeOrder<Owner> {
  readonly key: number;
  readonly owner: Owner;
  readonly contract: ContractState;
  readonly party: number;
  readonly side: Side;
  price: number;
  /** Ordered quantity, including the filled part. */
  quantity: number;
  filledQuantity: number;
  /** Time priority: grows with each order that enters or re-enters the book. */
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

/** A contract was listed, went to delivery, or was removed from the market. */
export interface ContractChange {
  readonly kind: "listed" | "expired" | "removed";
  readonly contract: ContractState;
}

export interface DeadlineOutcome<Owner> {
  readonly changes: readonly ContractChange[];
  /** Orders closed because their contract went to delivery. */
  readonly expired: readonly ExchangeOrder<Owner>[];
  readonly trades: readonly ExchangeTrade<Owner>[];
}

/** Null if the exchange accepts an order with these terms. The checks are in the engine's order. */
export function refusalOf(contract: ContractState, price: number, quantity: number): Refusal | null {
  const { lot, expired, product: { tick, minimumPrice, maximumPrice } } = contract;
  if (!(quantity > 0) || quantity % lot !== 0) return "invalid_quantity";
  if (!Number.isInteger(price) || price % tick !== 0 || price < minimumPrice || price > maximumPrice) {
    return "invalid_price";
  }
  if (expired) return "contract_expired";
  return isMatching(contract) ? null : "not_open";
}
