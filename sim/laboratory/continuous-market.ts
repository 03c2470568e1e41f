// A market that never closes, on the book that the engine trades on: at each step one trader, at random, calls out a quote
// for the one unit that it wants to trade, in place of the order that it has in the book. What meets a resting order trades
// at that one's price; the rest waits in the book. Whoever has traded gets a new unit with the same limit at once, so that
// supply and demand stay as they are.
//
// Cost of an order: O(1) with the book, and one hearing for each trader who learns from shouts; traders who learn nothing
// cost nothing until it is their order. Nothing is allocated.

import { BUY, SELL } from "../market/order-book.ts";
import { sweep } from "../market/matching.ts";
import { PriceTimeBook } from "../market/price-time-book.ts";
import type { SeededRandom } from "../random/seeded-random.ts";
import { type LaboratoryTrader, LaboratoryUpdate, LaboratoryView } from "./trader.ts";

export interface ContinuousSetting {
  readonly traders: readonly LaboratoryTrader[];
  /** That a quote may have. */
  readonly prices: { readonly lowestPrice: number; readonly highestPrice: number };
  /** Says whose order it is. */
  readonly random: SeededRandom;
}

/** What came of some orders. */
export interface ContinuousOutcome {
  readonly orders: number;
  readonly trades: number;
  /** Of the trades, the sum of their prices and what buyers and sellers gained together. */
  readonly priceSum: number;
  readonly surplus: number;
}

export class ContinuousMarket {
  private readonly traders: readonly LaboratoryTrader[];
  private readonly random: SeededRandom;
  private readonly book = new PriceTimeBook();
  private readonly view: LaboratoryView;
  private readonly update = new LaboratoryUpdate();
  private readonly learners: readonly LaboratoryTrader[];
  private orders = 0;
  private trades = 0;
  private priceSum = 0;
  private surplus = 0;

  constructor({ traders, prices, random }: ContinuousSetting) {
    this.traders = traders;
    this.random = random;
    this.view = new LaboratoryView(prices.lowestPrice, prices.highestPrice);
    this.learners = traders.filter(({ learns }) => learns);
    for (const trader of traders) trader.setQuantity(1);
  }

  /** Orders that wait in the book: at most one for each trader. */
  get restingOrders(): number {
    return this.book.orderCount;
  }

  /** Takes so many orders. */
  run(orders: number): ContinuousOutcome {
    const { orders: ordersBefore, trades, priceSum, surplus } = this;
    for (let order = 0; order < orders; order++) this.takeOrder(this.random.integer(0, this.traders.length - 1));
    return {
      orders: this.orders - ordersBefore,
      trades: this.trades - trades,
      priceSum: this.priceSum - priceSum,
      surplus: this.surplus - surplus,
    };
  }

  private takeOrder(party: number): void {
    const { view, update } = this;
    const trader = this.traders[party]!;
    view.time += 1;
    const price = trader.quote(view);
    this.book.remove(party);
    const isOrder = !Number.isNaN(price);
    if (isOrder) this.carryOut(trader, party, price);
    trader.setWorkingPrice(isOrder && !update.isTrade ? price : null);
    view.bestBid = this.book.bestPrice(BUY);
    view.bestAsk = this.book.bestPrice(SELL);
    if (!isOrder) return;
    for (const learner of this.learners) learner.observe(update, view);
  }

  /** A trader's place is the id of its one order and its party too. */
  private carryOut(trader: LaboratoryTrader, party: number, price: number): void {
    const { book, update } = this;
    const { side } = trader;
    this.orders += 1;
    update.side = side;
    update.price = price;
    update.isTrade = sweep(book, side, price, 1, this.noteTrade) === 0;
    if (update.isTrade) this.surplus += trader.surplusAt(update.price);
    else book.add(party, side, price, 1, party, this.orders);
  }

  private readonly noteTrade = (_id: number, party: number, price: number): void => {
    this.trades += 1;
    this.priceSum += price;
    const resting = this.traders[party]!;
    this.surplus += resting.surplusAt(price);
    resting.setWorkingPrice(null);
    this.update.price = this.view.lastPrice = price;
  };
}
