// How strategies set prices: on the tick, within the allowed range, and never worse for the trader than intended.

import { BUY, type Side } from "../../engine/market/order-book.ts";
import type { Account, MarketView, Quotes } from "./strategy.ts";

/**
 * Rounds to the tick, down for a buyer and up for a seller, and moves into the allowed range. NaN if that would make
 * the price worse for the trader.
 */
function allowedPrice({ lowestPrice, highestPrice, tick }: MarketView, side: Side, price: number): number {
  if (side === BUY) {
    const bid = Math.floor(price / tick) * tick;
    return bid < lowestPrice ? NaN : Math.min(bid, highestPrice);
  }
  const ask = Math.ceil(price / tick) * tick;
  return ask > highestPrice ? NaN : Math.max(ask, lowestPrice);
}

/** As `allowedPrice`, within the account's limit. NaN if there is no such price. */
export function priceWithinLimit(market: MarketView, account: Account, side: Side, price: number): number {
  const { limitPrice } = account;
  const kept = side === BUY
    ? Math.min(limitPrice, Math.max(price, market.lowestPrice))
    : Math.max(limitPrice, Math.min(price, market.highestPrice));
  return allowedPrice(market, side, kept);
}

/** Quotes the allowed price for `price`, or nothing if there is none or the quantity is 0. */
export function quoteAt(market: MarketView, side: Side, price: number, quantity: number, quotes: Quotes): void {
  const allowed = allowedPrice(market, side, price);
  if (quantity > 0 && allowed === allowed) quotes.set(side, allowed, quantity);
}

/** Quotes the whole quantity that the account may trade on a side, at the allowed price within the limit. */
export function quoteWithinLimit(
  market: MarketView,
  account: Account,
  side: Side,
  price: number,
  quotes: Quotes,
): void {
  quoteAt(market, side, priceWithinLimit(market, account, side, price), quantityOn(account, side), quotes);
}

/** The largest order that an account may place on a side. */
export function quantityOn(account: Account, side: Side): number {
  return side === BUY ? account.buyQuantity : account.sellQuantity;
}

/** Best price of a side; null if the side is empty. */
export function bestOn(market: MarketView, side: Side): number | null {
  return side === BUY ? market.bestBid : market.bestAsk;
}

/** The middle of the best prices; null if a side is empty. */
export function middleOf({ bestBid, bestAsk }: Pick<MarketView, "bestBid" | "bestAsk">): number | null {
  return bestBid === null || bestAsk === null ? null : (bestBid + bestAsk) / 2;
}

/** Price of the account's own order on a side; null without one. */
export function workingOn(account: Account, side: Side): number | null {
  return side === BUY ? account.workingBid : account.workingAsk;
}
