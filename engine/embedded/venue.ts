// A market in this process as those who trade in it use it: by the methods of an exchange, and without the protocol.
//
// Quantities are kW, prices cents/MWh. Times are milliseconds since the epoch and never go back. Every order is good until
// cancelled. An order is refused, not held, while its market is not open.

import type { Rejection } from "../api/outcome.ts";
import type { Side } from "../market/order-book.ts";
import type { MarketFacts, TradeFact } from "./fact-recorder.ts";
import type { ReadonlyContract, ReadonlyOrder } from "./read-only.ts";

export type Acceptance =
  | { readonly accepted: true; readonly order: ReadonlyOrder; readonly trades: readonly TradeFact[] }
  /** A rejection code of the engine, or `not_open`. */
  | { readonly accepted: false; readonly code: Rejection["code"] | "not_open" };

export const NOT_OPEN: Acceptance = { accepted: false, code: "not_open" };

export interface Venue {
  /** In the order of listing. */
  readonly contracts: Iterable<ReadonlyContract>;
  /** Throws if the contract is not in the market. */
  contract(id: string): ReadonlyContract;
  /** Commands that were carried out or rejected, without those that came while a market was not open. */
  readonly commands: number;
  readonly openOrders: number;
  isOpen(contract: ReadonlyContract): boolean;
  /** Whether an entity's credit limits exclude trades with every counterparty. */
  isCreditExhausted(entityId: string): boolean;
  /** Undefined if the order is not open. */
  order(key: number): ReadonlyOrder | undefined;
  /** Throws if there is no such user. */
  submit(userId: string, contract: ReadonlyContract, side: Side, price: number, quantity: number): Acceptance;
  /** Changes an open order in the name of its user. */
  modify(order: ReadonlyOrder, price: number, quantity: number): Acceptance;
  /** The order must be open. */
  cancel(order: ReadonlyOrder): void;
  /** The next time at which a session or delivery begins or ends, or a contract is listed or removed; Infinity if none. */
  readonly nextDeadline: number;
  /** Carries out what is due at the next deadline. Call it before any other command once the deadline has been reached. */
  processDeadline(): MarketFacts;
  /** The time of the commands from now on, before the next deadline. */
  moveTo(time: number): void;
}
