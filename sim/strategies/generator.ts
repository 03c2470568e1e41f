// Generator: sells its share of a unit's capacity forward, and buys back what it has sold and can't generate.
//
// It never sells below the unit's marginal cost (Stoft, "Power System Economics", 2002). Long before delivery it asks for
// the expected spot price, its alternative. The premium over marginal cost shrinks over the horizon to 0 at delivery, when
// units offer at marginal cost. If an outage takes away capacity that it has sold, it buys the excess back at the contract's
// value plus `buyBackPremium`, before others know of the outage.
//
// The account says how much the unit delivers in the contract, and at which cost. Without a unit there it quotes nothing.
// It learns nothing and draws no random numbers. Cost: O(1).

import { BUY, SELL } from "../../engine/market/order-book.ts";
import { quoteAt } from "./quotes.ts";
import type { Account, MarketView, Quotes, Strategy } from "./strategy.ts";

interface GeneratorParameters {
  /** Time before delivery over which the premium shrinks, in milliseconds. */
  readonly horizonMs: number;
  /** Premium over the expected value of the contract, in price. */
  readonly buyBackPremium: number;
}

export class Generator implements Strategy {
  constructor(private readonly parameters: GeneratorParameters) {}

  quote(market: MarketView, account: Account, quotes: Quotes): void {
    const { physical, fundamentalValue, position } = account;
    if (physical === null) return;
    const { horizonMs, buyBackPremium } = this.parameters;
    // The position is negative for sold quantity.
    const unsold = physical.quantity + position;
    if (unsold < 0) {
      quoteAt(market, BUY, fundamentalValue + buyBackPremium, Math.min(-unsold, account.buyQuantity), quotes);
      return;
    }
    const cost = physical.unitCost;
    const premium = Math.max(0, fundamentalValue - cost) * Math.min(1, market.timeLeftMs / horizonMs);
    quoteAt(market, SELL, cost + premium, Math.min(unsold, account.sellQuantity), quotes);
  }
}
