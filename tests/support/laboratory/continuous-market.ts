// A market that never closes, on the engine's order book. At each step one trader, chosen at random, quotes for its one
// unit; the quote replaces its resting order. A quote that crosses a resting order trades at the resting price;
// otherwise it rests. A trader that has traded gets a new unit with the same limit at once, so supply and demand stay
// constant.
//
// Cost of an order: O(1) for the book, and one call of each trader that learns. Traders that don't learn cost nothing
// until it is their turn. No allocation.

import { BUY, SELL } from "../../../engine/market/order-book.ts";
import { sweep } from "../../../engine/market/matching.ts";
import { PriceTimeBook } from "../../../engine/market/price-time-book.ts";
import type { SeededRandom } from "../../../sim/random/seeded-random.ts";
import { EMPTY_MARKET } from "../../../sim/strategies/strategy.ts";
import type { LaboratoryTrader, LaboratoryUpdate, LaboratoryView } from "./trader.ts";

export interface ContinuousSetting {
  readonly traders: readonly LaboratoryTrader[];
  /** The range of allowed quote prices. */
  readonly prices: { readonly lowestPrice: number; readonly highestPrice: number };
  /** Chooses the trader of each step. */
  readonly random: SeededRandom;
}

/** Counts and sums over the orders of one run. */
export interface ContinuousOutcome {
  readonly orders: number;
  readonly trades: number;
  /** Sum of trade prices, and total surplus of buyers and sellers. */
  readonly priceSum: number;
  readonly surplus: number;
}

export class ContinuousMarket {
  private readonly traders: readonly LaboratoryTrader[];
  private readonly random: SeededRandom;
  private readonly book = new PriceTimeBook();
  private readonly view: LaboratoryView;
  private readonly update: LaboratoryUpdate = { side: BUY, price: 0, quantity: 1, isTrade: false };
  private readonly learners: readonly LaboratoryTrader[];
  private orders = 0;
  private trades = 0;
  private priceSum = 0;
  private surplus = 0;

  constructor({ traders, prices, random }: ContinuousSetting) {
    this.traders = traders;
    this.random = random;
    this.view = { ...EMPTY_MARKET, lowestPrice: prices.lowestPrice, highestPrice: prices.highestPrice };
    this.learners = traders.filter(({ learns }) => learns);
    for (const trader of traders) trader.setQuantity(1);
  }

  /** Resting orders: at most one for each trader. */
  get restingOrders(): number {
    return this.book.orderCount;
  }

  /** Runs this many steps. */
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

  /** A trader's index is also its party and the id of its order. */
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
