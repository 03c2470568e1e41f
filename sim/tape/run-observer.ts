// What a headless run tells whoever watches it: each order, trade, change of a book and spot price, when it happens. A run
// without an observer skips the calls.
//
// Invariant: an observer changes nothing, so a run with one is the same as a run without.
//
// Times are market time, in milliseconds since the epoch; prices are integer cents/MWh; quantities are kW.

import type { Side } from "../../engine/market/order-book.ts";
import type { PriceTimeBook } from "../../engine/market/price-time-book.ts";
import type { Persona } from "../personas/persona.ts";
import type { TradedContract } from "../personas/traded-contract.ts";
import type { SpotEvent, SpotPoint } from "../spot/spot-prices.ts";

/** A persona, or somebody else whose orders meet those of personas. */
export type Named = Pick<Persona, "id">;

export type OrderAction = "submit" | "change" | "cancel";

export interface ObservedOrder {
  /** Unique in a run. */
  readonly key: number;
  readonly side: Side;
  readonly price: number;
  /** As ordered, including the filled part. */
  readonly quantity: number;
}

/** The levels of a book. The observer may only read it, and only during the call. */
export type ObservedBook = Pick<
  PriceTimeBook,
  "bestLevel" | "nextLevel" | "priceOfLevel" | "volumeOfLevel" | "orderCountOfLevel"
>;

/** The market at a point of the spot prices. */
export interface ObservedMarket {
  readonly time: number;
  /** IANA name: of the first market. */
  readonly timezone: string;
  readonly personas: readonly Persona[];
  /** The contracts that personas trade now, nearest delivery first. */
  readonly tradedNow: readonly TradedContract[];
  bookOf(contract: TradedContract): ObservedBook;
  /** The best forecast, in cents/MWh. */
  bestForecast(contract: TradedContract): number;
  /** The price at which positions in a contract are valued, in cents/MWh. */
  markPrice(contract: TradedContract): number;
}

export interface RunObserver {
  /** An order that somebody submitted, changed or cancelled, as it is after that. Refused actions are not reported. */
  onOrder(time: number, action: OrderAction, order: ObservedOrder, contract: TradedContract, trader: Named): void;
  /** Follows the order that caused the trade. */
  onTrade(
    time: number,
    contract: TradedContract,
    price: number,
    quantity: number,
    aggressorSide: Side,
    buyer: Named,
    seller: Named,
  ): void;
  /** A book after a call that may have changed it. */
  onBook(time: number, contract: TradedContract, book: ObservedBook): void;
  /** The contract has gone to delivery. Its book is empty, and nothing else is reported of it. */
  onDelivery(contract: TradedContract): void;
  /** The contract is about to leave the market: positions in it become cash. */
  onRemoval(market: ObservedMarket, contract: TradedContract): void;
  onEvent(event: SpotEvent): void;
  onSpot(points: readonly SpotPoint[]): void;
  /** After the spot prices of every five minutes. */
  onPoint(market: ObservedMarket): void;
  /** The run is over. */
  onEnd(market: ObservedMarket): void;
}
