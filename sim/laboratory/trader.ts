// What the laboratory's markets share: traders with a limit and one unit at a time, the view that all of them see, and the
// update that those who learn hear. All of it is changed in place, so that a quote allocates nothing.

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

  /** Whether it listens to shouts. */
  get learns(): boolean {
    return this.strategy.observe !== undefined;
  }

  /** Gives it a unit to trade, or takes it away. */
  setQuantity(quantity: 0 | 1): void {
    if (this.side === BUY) this.account.buyQuantity = quantity;
    else this.account.sellQuantity = quantity;
  }

  /** Notes the price of the order that it has in the book; null where it has none any more. */
  setWorkingPrice(price: number | null): void {
    if (this.side === BUY) this.account.workingBid = price;
    else this.account.workingAsk = price;
  }

  /** The price that it calls out; NaN where it calls none. */
  quote(market: MarketView): number {
    quotes.clear();
    this.strategy.quote(market, this.account, quotes);
    if (this.side === BUY) return quotes.bidQuantity > 0 ? quotes.bidPrice : NaN;
    return quotes.askQuantity > 0 ? quotes.askPrice : NaN;
  }

  observe(update: MarketUpdate, market: MarketView): void {
    this.strategy.observe?.(update, market, this.account);
  }

  /** What a trade at a price leaves it with. */
  surplusAt(price: number): number {
    return this.side === BUY ? this.limitPrice - price : price - this.limitPrice;
  }
}
