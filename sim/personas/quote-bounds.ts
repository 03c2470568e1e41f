// Turns the quotes that a strategy wants into quotes that its persona may place: prices on the tick and within bounds,
// quantities in whole lots within the allowed quantity, and never a bid at or above an ask of the persona or of its entity.
// A quote with NaN is dropped, and one of a strategy that only takes quotes if it would rest.

import { BUY, crosses, SELL, type Side } from "../../engine/market/order-book.ts";
import type { Quotes } from "../strategies/strategy.ts";
import type { ContractTrader } from "./contract-trader.ts";
import type { PersonaLimits } from "./limits.ts";

/** Sets the allowed price range: the contract's, within the collar around the valuation. */
export function setPriceBounds(
  { contract, terms, market }: ContractTrader,
  { collarCents, collarShare }: PersonaLimits,
): void {
  const { tick, minimumPrice, maximumPrice } = contract;
  const collar = Math.max(collarCents, collarShare * Math.abs(terms.value));
  market.lowestPrice = onTick(Math.max(minimumPrice, terms.value - collar), tick, SELL);
  market.highestPrice = onTick(Math.min(maximumPrice, terms.value + collar), tick, BUY);
}

/** Changes `quotes` into quotes that may be placed. */
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

/** Rounded down; 0 for less than one lot or NaN. */
export function wholeLots({ contract: { lot } }: ContractTrader, quantity: number): number {
  return quantity >= lot ? quantity - quantity % lot : 0;
}

/** Null if no price in bounds is possible. */
function boundPrice(trader: ContractTrader, price: number, side: Side): number | null {
  const { tick, lowestPrice, highestPrice } = trader.market;
  const bound = trader.behindOwnEntity(
    side,
    trader.behindBlockingPrice(side, onTick(price, tick, side)),
  );
  if (trader.strategy?.onlyTakes === true && !reachesQuote(trader, side, bound)) return null;
  return bound >= lowestPrice && bound <= highestPrice ? bound : null;
}

/** Whether an order at the price would trade with the best quote of the other side. */
function reachesQuote({ market: { bestBid, bestAsk } }: ContractTrader, side: Side, price: number): boolean {
  const facing = side === BUY ? bestAsk : bestBid;
  return facing !== null && crosses(side, price, facing);
}

/** Rounds to the tick, down for a buyer and up for a seller, so the price is never worse for the trader. */
function onTick(price: number, tick: number, side: Side): number {
  return (side === BUY ? Math.floor(price / tick) : Math.ceil(price / tick)) * tick;
}
