// What a strategy answers with, and the one rule that all who have a limit share: a quote never betrays it.

import { BUY, type Side } from "../market/order-book.ts";
import type { Account, MarketView } from "./strategy.ts";

/** The quotes that a strategy wants: the same price again keeps an order, a quantity of 0 leaves the side. */
export class Quotes {
  bidPrice = 0;
  bidQuantity = 0;
  askPrice = 0;
  askQuantity = 0;

  clear(): void {
    this.bidQuantity = 0;
    this.askQuantity = 0;
  }

  set(side: Side, price: number, quantity: number): void {
    if (side === BUY) {
      this.bidPrice = price;
      this.bidQuantity = quantity;
    } else {
      this.askPrice = price;
      this.askQuantity = quantity;
    }
  }
}

/** What an account has left to trade on a side, in MW. */
export function quantityOn(account: Account, side: Side): number {
  return side === BUY ? account.buyQuantity : account.sellQuantity;
}

/**
 * Sets a quote for all that is left to trade on a side, at the multiple of the tick next to `price` that is no worse for
 * the trader, and never beyond its limit; none where nothing is left or the contract allows no price within the limit.
 */
export function quoteWithinLimit(
  market: MarketView,
  account: Account,
  side: Side,
  price: number,
  quotes: Quotes,
): void {
  const quantity = quantityOn(account, side);
  if (quantity <= 0) return;
  const { lowestPrice, highestPrice, tick } = market;
  const sign = side === BUY ? 1 : -1;
  const limited = sign * Math.min(sign * price, sign * account.limitPrice);
  const rounded = sign * Math.floor(sign * limited / tick) * tick;
  if (side === BUY ? rounded < lowestPrice : rounded > highestPrice) return;
  quotes.set(side, Math.min(highestPrice, Math.max(lowestPrice, rounded)), quantity);
}
