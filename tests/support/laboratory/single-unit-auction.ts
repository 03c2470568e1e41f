// The double auction of Smith's experiments, by the rules of the reference market. Every trader has one unit a day. At
// each step one trader that still has its unit, chosen at random, quotes. A quote rests only if it improves on the best
// of its side. If it meets the best of the other side, it trades at that price. Each trade clears the book. A day ends
// after `idleQuotes` quotes without a trade. Traders that learn see every quote, including those that don't rest.
//
// A quote must improve on the best, so the book needs only the best of each side.
//
// Cost of a quote: O(1), and one call of each trader that learns. It allocates nothing but the day's list of prices.

import { BUY, type Side } from "../../../engine/market/order-book.ts";
import type { SeededRandom } from "../../../sim/random/seeded-random.ts";
import { EMPTY_MARKET } from "../../../sim/strategies/strategy.ts";
import type { LaboratoryTrader, LaboratoryUpdate, LaboratoryView } from "./trader.ts";

export interface AuctionRules {
  /** The range of allowed quote prices. */
  readonly lowestPrice: number;
  readonly highestPrice: number;
  /** A day ends after this many quotes without a trade. */
  readonly idleQuotes: number;
}

export interface AuctionDay {
  /** Trade prices in order. */
  readonly prices: readonly number[];
  /** Total surplus of buyers and sellers. */
  readonly surplus: number;
}

export class SingleUnitAuction {
  private readonly view: LaboratoryView;
  private readonly update: LaboratoryUpdate = { side: BUY, price: 0, quantity: 1, isTrade: false };
  private readonly learners: readonly LaboratoryTrader[];
  /** Traders that still have their unit, in no particular order. */
  private active: LaboratoryTrader[] = [];
  private bestBuyer: LaboratoryTrader | null = null;
  private bestSeller: LaboratoryTrader | null = null;

  constructor(
    private readonly traders: readonly LaboratoryTrader[],
    private readonly rules: AuctionRules,
    private readonly random: SeededRandom,
  ) {
    this.view = { ...EMPTY_MARKET, lowestPrice: rules.lowestPrice, highestPrice: rules.highestPrice };
    this.learners = traders.filter(({ learns }) => learns);
  }

  runDay(): AuctionDay {
    this.active = [...this.traders];
    for (const trader of this.active) trader.setQuantity(1);
    this.clearBook();
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

  /** The counterparty; null if the quote doesn't trade. */
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
      this.clearBook();
    } else if (this.improves(trader.side, price)) {
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

  private improves(side: Side, price: number): boolean {
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

  private clearBook(): void {
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
