import type { Quotes } from "../strategies/strategy.ts";
// From the quotes that a strategy wants to those that its persona may have: prices on the tick and in bounds, quantities
// whole lots of what is allowed, and no bid that would cross its own ask. Numbers that are none come to no quote.

import { BUY, SELL, type Side } from "../market/order-book.ts";
import type { ContractTrader } from "./contract-trader.ts";
import type { PersonaLimits } from "./limits.ts";

/** Sets the prices that quotes at a trader may have: what the contract takes, within the collar around its value. */
export function setPriceBounds(
  { contract, terms, market }: ContractTrader,
  { collarCents, collarShare }: PersonaLimits,
): void {
  const { tick, minimumPrice, maximumPrice } = contract;
  const collar = Math.max(collarCents, collarShare * Math.abs(terms.value));
  market.lowestPrice = onTick(Math.max(minimumPrice, terms.value - collar), tick, SELL);
  market.highestPrice = onTick(Math.min(maximumPrice, terms.value + collar), tick, BUY);
}

/** Changes quotes into what a trader may have in the book. */
export function boundQuotes(trader: ContractTrader, quotes: Quotes): void {
  const { buyQuantity, sellQuantity } = trader.account;
  const bid = boundPrice(trader, quotes.bidPrice, BUY);
  const ask = boundPrice(trader, quotes.askPrice, SELL);
  const bidQuantity = bid === null ? 0 : wholeLots(trader, Math.min(quotes.bidQuantity, buyQuantity));
  const askQuantity = ask === null ? 0 : wholeLots(trader, Math.min(quotes.askQuantity, sellQuantity));
  quotes.clear();
  if (bid !== null && ask !== null && bidQuantity > 0 && askQuantity > 0 && bid >= ask) return;
  quotes.set(BUY, bid ?? 0, bidQuantity);
  quotes.set(SELL, ask ?? 0, askQuantity);
}

/** 0 for what is less than a lot, or no number. */
export function wholeLots({ contract: { lot } }: ContractTrader, quantity: number): number {
  return quantity >= lot ? quantity - quantity % lot : 0;
}

/** Null where there is none in bounds. */
function boundPrice(trader: ContractTrader, price: number, side: Side): number | null {
  const { tick, lowestPrice, highestPrice } = trader.market;
  const bound = trader.behindBarrier(side, onTick(price, tick, side));
  return bound >= lowestPrice && bound <= highestPrice ? bound : null;
}

/** The multiple of the tick at a price or next to it, on the side that is no worse for a trader on `side`. */
function onTick(price: number, tick: number, side: Side): number {
  return (side === BUY ? Math.floor(price / tick) : Math.ceil(price / tick)) * tick;
}
