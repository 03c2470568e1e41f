// The continuous market in its simplest form: all orders in one list, the best found by a scan, a new view for every
// order. Slow and obviously correct. The reference of the randomised test, and the peer of bench/simulator.ts.

import type { ContinuousOutcome, ContinuousSetting } from "../../../support/laboratory/continuous-market.ts";
import type { LaboratoryTrader } from "../../../support/laboratory/trader.ts";
import { BUY, crosses, opposite, SELL, type Side } from "../../../../engine/market/order-book.ts";
import type { MarketView } from "../../../../sim/strategies/strategy.ts";

interface Order {
  readonly trader: LaboratoryTrader;
  readonly price: number;
}

export class ObviousMarket {
  /** In the order of arrival. */
  private orders: Order[] = [];
  private time = 0;
  private lastPrice: number | null = null;

  constructor(private readonly setting: ContinuousSetting) {
    for (const trader of setting.traders) trader.setQuantity(1);
  }

  get restingOrders(): number {
    return this.orders.length;
  }

  run(orders: number): ContinuousOutcome {
    const { traders, random } = this.setting;
    const outcome = { orders: 0, trades: 0, priceSum: 0, surplus: 0 };
    for (let turn = 0; turn < orders; turn++) {
      const trader = traders[random.integer(0, traders.length - 1)]!;
      this.time += 1;
      const price = trader.quote(this.view());
      this.withdraw(trader);
      if (Number.isNaN(price)) continue;
      outcome.orders += 1;
      const resting = this.best(opposite(trader.side));
      const isTrade = resting !== undefined && crosses(trader.side, price, resting.price);
      if (isTrade) {
        this.withdraw(resting.trader);
        this.lastPrice = resting.price;
        outcome.trades += 1;
        outcome.priceSum += resting.price;
        outcome.surplus += trader.surplusAt(resting.price) + resting.trader.surplusAt(resting.price);
      } else {
        this.orders.push({ trader, price });
        trader.setWorkingPrice(price);
      }
      const update = { side: trader.side, price: isTrade ? resting.price : price, quantity: 1, isTrade };
      const view = this.view();
      for (const each of traders) each.observe(update, view);
    }
    return outcome;
  }

  /** The oldest order at the best price. */
  private best(side: Side): Order | undefined {
    const ofSide = this.orders.filter(({ trader }) => trader.side === side);
    const best = (side === BUY ? Math.max : Math.min)(...ofSide.map(({ price }) => price));
    return ofSide.find(({ price }) => price === best);
  }

  private withdraw(trader: LaboratoryTrader): void {
    this.orders = this.orders.filter((order) => order.trader !== trader);
    trader.setWorkingPrice(null);
  }

  private view(): MarketView {
    return {
      time: this.time,
      timeLeftMs: Infinity,
      bestBid: this.best(BUY)?.price ?? null,
      bestAsk: this.best(SELL)?.price ?? null,
      lastPrice: this.lastPrice,
      tick: 1,
      ...this.setting.prices,
    };
  }
}
