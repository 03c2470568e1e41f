// The double auction of Smith's experiments, by the rules of the reference market: every trader has one unit a day; one of
// those who still have theirs, at random, calls out a quote; a quote counts only where it betters the best of its side, and
// where it meets the best of the other side it trades at that one's price. Each trade wipes the book; a day ends after so
// many shouts without a trade. All who learn hear every update, also one that did not count.
//
// Since a quote must better the best, the best of each side is all that the book holds.
//
// Cost of a update: O(1) and one hearing for each trader who learns. Nothing is allocated but for the day's prices.

import { BUY, type Side } from "../market/order-book.ts";
import type { SeededRandom } from "../random/seeded-random.ts";
import { type LaboratoryTrader, LaboratoryUpdate, LaboratoryView } from "./trader.ts";

export interface AuctionRules {
  /** Of a quote. */
  readonly lowestPrice: number;
  readonly highestPrice: number;
  /** So many shouts without a trade end the day. */
  readonly idleQuotes: number;
}

export interface AuctionDay {
  /** Of each trade, in their order. */
  readonly prices: readonly number[];
  /** What buyers and sellers gained together. */
  readonly surplus: number;
}

export class SingleUnitAuction {
  private readonly view: LaboratoryView;
  private readonly update = new LaboratoryUpdate();
  private readonly learners: readonly LaboratoryTrader[];
  /** Those who still have their unit, in no order. */
  private active: LaboratoryTrader[] = [];
  private bestBuyer: LaboratoryTrader | null = null;
  private bestSeller: LaboratoryTrader | null = null;

  constructor(
    private readonly traders: readonly LaboratoryTrader[],
    private readonly rules: AuctionRules,
    private readonly random: SeededRandom,
  ) {
    this.view = new LaboratoryView(rules.lowestPrice, rules.highestPrice);
    this.learners = traders.filter(({ learns }) => learns);
  }

  runDay(): AuctionDay {
    this.active = [...this.traders];
    for (const trader of this.active) trader.setQuantity(1);
    this.wipeBook();
    const prices: number[] = [];
    let surplus = 0;
    for (let idle = 0; idle < this.rules.idleQuotes && this.active.length > 0; idle++) {
      const trader = this.active[this.random.integer(0, this.active.length - 1)]!;
      const counterparty = this.submitQuote(trader);
      if (counterparty === null) continue;
      const { price } = this.update;
      surplus += trader.surplusAt(price) + counterparty.surplusAt(price);
      prices.push(price);
      this.retire(trader);
      this.retire(counterparty);
      idle = -1;
    }
    return { prices, surplus };
  }

  /** Returns whom the quote traded with; null where it did not. */
  private submitQuote(trader: LaboratoryTrader): LaboratoryTrader | null {
    const { update, view } = this;
    const price = trader.quote(view);
    view.time += 1;
    if (Number.isNaN(price)) return null;
    const counterparty = this.meets(trader.side, price);
    update.side = trader.side;
    update.isTrade = counterparty !== null;
    update.price = counterparty === null ? price : (trader.side === BUY ? view.bestAsk! : view.bestBid!);
    if (counterparty !== null) {
      view.lastPrice = update.price;
      this.wipeBook();
    } else if (this.betters(trader.side, price)) {
      this.post(trader, price);
    }
    for (const learner of this.learners) learner.observe(update, view);
    return counterparty;
  }

  private meets(side: Side, price: number): LaboratoryTrader | null {
    const { bestBid, bestAsk } = this.view;
    if (side === BUY) return bestAsk !== null && price >= bestAsk ? this.bestSeller : null;
    return bestBid !== null && price <= bestBid ? this.bestBuyer : null;
  }

  private betters(side: Side, price: number): boolean {
    const { bestBid, bestAsk } = this.view;
    return side === BUY ? bestBid === null || price > bestBid : bestAsk === null || price < bestAsk;
  }

  private post(trader: LaboratoryTrader, price: number): void {
    if (trader.side === BUY) {
      this.view.bestBid = price;
      this.bestBuyer = trader;
    } else {
      this.view.bestAsk = price;
      this.bestSeller = trader;
    }
  }

  private wipeBook(): void {
    this.view.bestBid = this.view.bestAsk = null;
    this.bestBuyer = this.bestSeller = null;
  }

  private retire(trader: LaboratoryTrader): void {
    trader.setQuantity(0);
    const at = this.active.indexOf(trader);
    this.active[at] = this.active.at(-1)!;
    this.active.pop();
  }
}
