// Traders of the laboratory's markets, each with a limit and one unit at a time, and the view and market update that
// they share. All of it is changed in place, so a quote allocates nothing.

import { BUY, type Side } from "../../../engine/market/order-book.ts";
import {
  type Account,
  EMPTY_ACCOUNT,
  type MarketUpdate,
  type MarketView,
  Quotes,
  type Strategy,
  type Writable,
} from "../../../sim/strategies/strategy.ts";

export type LaboratoryView = Writable<MarketView>;
export type LaboratoryUpdate = Writable<MarketUpdate>;

const quotes = new Quotes();

export class LaboratoryTrader {
  private readonly account: Writable<Account>;

  constructor(readonly side: Side, readonly limitPrice: number, private readonly strategy: Strategy) {
    this.account = { ...EMPTY_ACCOUNT, limitPrice, fundamentalValue: limitPrice };
  }

  /** Whether its strategy learns from market updates. */
  get learns(): boolean {
    return this.strategy.observe !== undefined;
  }

  /** Sets whether it has a unit to trade. */
  setQuantity(quantity: 0 | 1): void {
    if (this.side === BUY) this.account.buyQuantity = quantity;
    else this.account.sellQuantity = quantity;
  }

  /** Sets the price of its resting order; null without one. */
  setWorkingPrice(price: number | null): void {
    if (this.side === BUY) this.account.workingBid = price;
    else this.account.workingAsk = price;
  }

  /** The price that it quotes; NaN if it doesn't quote. */
  quote(market: MarketView): number {
    quotes.clear();
    this.strategy.quote(market, this.account, quotes);
    if (this.side === BUY) return quotes.bidQuantity > 0 ? quotes.bidPrice : NaN;
    return quotes.askQuantity > 0 ? quotes.askPrice : NaN;
  }

  observe(update: MarketUpdate, market: MarketView): void {
    this.strategy.observe?.(update, market, this.account);
  }

  /** Its surplus from a trade at a price. */
  surplusAt(price: number): number {
    return this.side === BUY ? this.limitPrice - price : price - this.limitPrice;
  }
}
