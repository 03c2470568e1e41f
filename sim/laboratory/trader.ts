// Traders of the laboratory's markets, each with a limit and one unit at a time, and the view and market update that
// they share. All of it is changed in place, so a quote allocates nothing.

import { BUY, type Side } from "../market/order-book.ts";
import { type Account, type MarketUpdate, type MarketView, Quotes, type Strategy } from "../strategies/strategy.ts";

export class LaboratoryView implements MarketView {
  time = 0;
  readonly timeLeftMs = Infinity;
  bestBid: number | null = null;
  bestAsk: number | null = null;
  lastPrice: number | null = null;
  readonly tick = 1;

  constructor(readonly lowestPrice: number, readonly highestPrice: number) {}
}

export class LaboratoryUpdate implements MarketUpdate {
  side: Side = BUY;
  price = 0;
  readonly quantity = 1;
  isTrade = false;
}

class LaboratoryAccount implements Account {
  position = 0;
  readonly averagePrice = null;
  buyQuantity = 0;
  sellQuantity = 0;
  workingBid: number | null = null;
  workingAsk: number | null = null;
  readonly related = null;

  constructor(readonly limitPrice: number, readonly fundamentalValue: number) {}
}

const quotes = new Quotes();

export class LaboratoryTrader {
  private readonly account: LaboratoryAccount;

  constructor(readonly side: Side, readonly limitPrice: number, private readonly strategy: Strategy) {
    this.account = new LaboratoryAccount(limitPrice, limitPrice);
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
