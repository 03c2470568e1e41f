// What a strategy answers with, and how it sets a price: on the tick, allowed by the contract, and never worse for the
// trader than it meant.

import { BUY, type Side } from "../market/order-book.ts";
import type { Account, MarketView, Quotes } from "./strategy.ts";

/**
 * The multiple of the tick next to `price` that is no worse for the trader, below for a buyer, above for a seller; NaN
 * where the contract allows no such price.
 */
export function allowedPrice({ lowestPrice, highestPrice, tick }: MarketView, side: Side, price: number): number {
  if (side === BUY) {
    const bid = Math.floor(price / tick) * tick;
    return bid < lowestPrice ? NaN : Math.min(bid, highestPrice);
  }
  const ask = Math.ceil(price / tick) * tick;
  return ask > highestPrice ? NaN : Math.max(ask, lowestPrice);
}

/** The allowed price next to `price`, or within the limit where that is beyond it; NaN where none is allowed. */
export function priceWithinLimit(market: MarketView, account: Account, side: Side, price: number): number {
  const { limitPrice } = account;
  const kept = side === BUY
    ? Math.min(limitPrice, Math.max(price, market.lowestPrice))
    : Math.max(limitPrice, Math.min(price, market.highestPrice));
  return allowedPrice(market, side, kept);
}

/** Quotes the allowed price next to `price`; nothing where there is none, or no quantity. */
export function quoteAt(market: MarketView, side: Side, price: number, quantity: number, quotes: Quotes): void {
  const allowed = allowedPrice(market, side, price);
  if (quantity > 0 && allowed === allowed) quotes.set(side, allowed, quantity);
}

/** Quotes all that is left to trade on a side, at the price next to `price` within the limit. */
export function quoteWithinLimit(
  market: MarketView,
  account: Account,
  side: Side,
  price: number,
  quotes: Quotes,
): void {
  quoteAt(market, side, priceWithinLimit(market, account, side, price), quantityOn(account, side), quotes);
}

/** What an account may still trade on a side in one order. */
export function quantityOn(account: Account, side: Side): number {
  return side === BUY ? account.buyQuantity : account.sellQuantity;
}

/** The best price of a side; null where it is empty. */
export function bestOn(market: MarketView, side: Side): number | null {
  return side === BUY ? market.bestBid : market.bestAsk;
}

/** The price of the account's own order on a side; null without one. */
export function workingOn(account: Account, side: Side): number | null {
  return side === BUY ? account.workingBid : account.workingAsk;
}
