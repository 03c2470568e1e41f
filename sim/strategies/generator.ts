// Generator: sells its unit's capacity forward, and buys back what it sold and cannot make.
//
// Marginal cost is heat rate x fuel price + variable operation and maintenance (Wood & Wollenberg, "Power Generation,
// Operation, and Control", 1996; Stoft, "Power System Economics", 2002). It never sells below that. Long before delivery
// it asks for what the spot market is expected to pay, which it could have instead; that premium over its cost melts away
// over the horizon, until at delivery it offers at marginal cost, as units do in the spot market.
//
// Outages: a two-state chain, up and down for exponentially distributed times. A unit knows when it will be back, so only
// an outage that lasts into delivery takes its capacity away from a contract; what it has sold beyond its capacity then,
// it buys back for what it is worth, and `buyBackPremium` more.
//
// Cost: O(1) a quote, and a random number for each outage since the last.

import { BUY, SELL } from "../market/order-book.ts";
import type { SeededRandom } from "../random/seeded-random.ts";
import { quoteAt } from "./quotes.ts";
import type { Account, MarketView, Quotes, Strategy } from "./strategy.ts";

export interface GeneratorParameters {
  /** In the unit of quantities. */
  readonly capacity: number;
  /** MMBtu of fuel for each MWh. */
  readonly heatRate: number;
  /** Price of an MMBtu. */
  readonly fuelPrice: number;
  /** Of operation and maintenance, for each MWh. */
  readonly variableCost: number;
  /** Before delivery, for how long the premium over marginal cost melts, in milliseconds. */
  readonly horizonMs: number;
  /** Over what the contract is expected to be worth, in price. */
  readonly buyBackPremium: number;
  /** Mean times between outages and of one, in milliseconds; above 0. */
  readonly meanUpMs: number;
  readonly meanDownMs: number;
}

export function marginalCost({ heatRate, fuelPrice, variableCost }: GeneratorParameters): number {
  return heatRate * fuelPrice + variableCost;
}

export class Generator implements Strategy {
  private readonly cost: number;
  private isUp = true;
  /** When it goes down or comes back; NaN before it was first asked. */
  private changeTime = NaN;

  constructor(private readonly parameters: GeneratorParameters, private readonly random: SeededRandom) {
    this.cost = marginalCost(parameters);
  }

  quote(market: MarketView, account: Account, quotes: Quotes): void {
    const { capacity, horizonMs, buyBackPremium } = this.parameters;
    this.advanceTo(market.time);
    // Position is negative where it has sold.
    const unsold = (this.delivers(market) ? capacity : 0) + account.position;
    if (unsold < 0) {
      const most = account.fundamentalValue + buyBackPremium;
      quoteAt(market, BUY, most, Math.min(-unsold, account.buyQuantity), quotes);
      return;
    }
    const premium = Math.max(0, account.fundamentalValue - this.cost) * Math.min(1, market.timeLeftMs / horizonMs);
    quoteAt(market, SELL, this.cost + premium, Math.min(unsold, account.sellQuantity), quotes);
  }

  /** Whether, as far as is known now, it runs when delivery begins. */
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
