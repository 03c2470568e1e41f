// Generator: sells the capacity of its unit forward, and buys back what it has sold and can't generate.
//
// Marginal cost is heat rate x fuel price + variable operation and maintenance (Wood & Wollenberg, "Power Generation,
// Operation, and Control", 1996; Stoft, "Power System Economics", 2002). It never sells below that. Long before
// delivery it asks for the expected spot price, its alternative. The premium over marginal cost shrinks over the
// horizon to 0 at delivery, when units offer at marginal cost.
//
// Outages follow a two-state chain with exponentially distributed up and down times. A unit knows its return time, so
// an outage takes capacity from a contract only if it lasts into delivery. The generator then buys back the excess at
// the contract's value plus `buyBackPremium`.
//
// Cost: O(1) for a quote, and one random number for each change since the last.

import { BUY, SELL } from "../market/order-book.ts";
import type { SeededRandom } from "../random/seeded-random.ts";
import { quoteAt } from "./quotes.ts";
import type { Account, MarketView, Quotes, Strategy } from "./strategy.ts";

interface GeneratorParameters {
  /** In the unit of quantities. */
  readonly capacity: number;
  /** MMBtu of fuel for each MWh. */
  readonly heatRate: number;
  /** Price of one MMBtu. */
  readonly fuelPrice: number;
  /** Operation and maintenance, for each MWh. */
  readonly variableCost: number;
  /** Time before delivery over which the premium shrinks, in milliseconds. */
  readonly horizonMs: number;
  /** Premium over the expected value of the contract, in price. */
  readonly buyBackPremium: number;
  /** Mean time between outages and mean outage, in milliseconds; above 0. */
  readonly meanUpMs: number;
  readonly meanDownMs: number;
}

export function marginalCost({ heatRate, fuelPrice, variableCost }: GeneratorParameters): number {
  return heatRate * fuelPrice + variableCost;
}

export class Generator implements Strategy {
  private readonly cost: number;
  private isUp = true;
  /** Time of the next outage or return; NaN before the first quote. */
  private changeTime = NaN;

  constructor(private readonly parameters: GeneratorParameters, private readonly random: SeededRandom) {
    this.cost = marginalCost(parameters);
  }

  quote(market: MarketView, account: Account, quotes: Quotes): void {
    const { capacity, horizonMs, buyBackPremium } = this.parameters;
    this.advanceTo(market.time);
    // The position is negative for sold quantity.
    const unsold = (this.delivers(market) ? capacity : 0) + account.position;
    if (unsold < 0) {
      const most = account.fundamentalValue + buyBackPremium;
      quoteAt(market, BUY, most, Math.min(-unsold, account.buyQuantity), quotes);
      return;
    }
    const premium = Math.max(0, account.fundamentalValue - this.cost) * Math.min(1, market.timeLeftMs / horizonMs);
    quoteAt(market, SELL, this.cost + premium, Math.min(unsold, account.sellQuantity), quotes);
  }

  /** Whether the unit will run at delivery, as far as is known now. */
  private delivers({ time, timeLeftMs }: MarketView): boolean {
    return this.isUp || this.changeTime <= time + timeLeftMs;
  }

  private advanceTo(time: number): void {
    if (Number.isNaN(this.changeTime)) this.changeTime = time + this.duration();
    while (this.changeTime <= time) {
      this.isUp = !this.isUp;
      this.changeTime += this.duration();
    }
  }

  private duration(): number {
    const { meanUpMs, meanDownMs } = this.parameters;
    return this.random.exponential() * (this.isUp ? meanUpMs : meanDownMs);
  }
}
