// A generating unit. It runs in an hour if the spot price is at least its marginal cost: heat rate x price of fuel + variable
// operation and maintenance (Wood & Wollenberg, "Power Generation, Operation, and Control", 1996). Fuel shocks change the
// price of fuel. During an outage it does not run. It knows of it what the market knows.
//
// A contract loses the part of the unit's capacity that outages take away over its delivery: all of it in an hour that lies
// within the outage, a small part in a month.
//
// Limits: the unit starts and stops at no cost and within the hour, and always at full capacity.

import { type ExactInteger, productOf, sumOf } from "../../../engine/market/exact-integer.ts";
import { MINUTE_MS } from "../../../protocol/time-units.ts";
import type { PhysicalTerms } from "../../strategies/strategy.ts";
import type { Delivery, PhysicalAsset, SettledHour } from "./physical-asset.ts";
import { shareOf } from "./product-shares.ts";

export interface UnitParameters {
  /** kW. */
  readonly capacity: number;
  /** MMBtu of fuel for each MWh. */
  readonly heatRate: number;
  /** Normal price of fuel, cents/MMBtu. */
  readonly fuelPrice: number;
  /** Operation and maintenance, cents/MWh. */
  readonly variableCost: number;
}

interface Outage {
  readonly id: string;
  readonly from: number;
  readonly until: number;
}

export class GeneratingUnit implements PhysicalAsset {
  /** Outages that have not ended, and those of hours that are not settled yet. */
  #outages: Outage[] = [];
  #result: ExactInteger = 0;

  /** `fuelFactor`: present price of fuel over its normal price. */
  constructor(
    readonly node: string,
    readonly parameters: UnitParameters,
    private readonly fuelFactor: () => number,
  ) {}

  get result(): ExactInteger {
    return this.#result;
  }

  isUpAt(time: number): boolean {
    return !this.#outages.some(({ from, until }) => from <= time && time < until);
  }

  /** Replaces what was known of this outage. */
  goDown(id: string, from: number, until: number): void {
    this.#outages = [...this.#outages.filter((outage) => outage.id !== id), { id, from, until }];
  }

  /** The outage has ended, at `time` at the latest. */
  goUp(id: string, time: number): void {
    this.#outages = this.#outages.map((each) => each.id === id ? { ...each, until: Math.min(each.until, time) } : each);
  }

  /** cents/MWh, at the present price of fuel. */
  get marginalCost(): number {
    return this.#costAt(this.fuelFactor());
  }

  settle(hour: SettledHour): void {
    const { from, end, price, fuelFactor } = hour;
    const minutes = (end - from - this.#downTime(from, end)) / MINUTE_MS;
    this.#outages = this.#outages.filter(({ until }) => until > end);
    const cost = Math.round(this.#costAt(fuelFactor));
    const output = this.outputIn(hour, cost);
    if (output === 0 || minutes <= 0) return;
    const energy = productOf(output, Math.round(minutes));
    this.#result = sumOf(this.#result, productOf(energy, price - cost));
  }

  termsOf(contract: Delivery, time: number): PhysicalTerms | null {
    if (contract.node !== this.node) return null;
    return {
      quantity: this.parameters.capacity * shareOf(contract) * this.shareUp(contract, time),
      unitCost: this.marginalCost,
    };
  }

  /** kW in an hour, while it is up. */
  protected outputIn({ price }: SettledHour, cost: number): number {
    return price < cost ? 0 : this.parameters.capacity;
  }

  /** The share of a delivery that outages leave. */
  protected shareUp({ deliveryStart, deliveryEnd }: Delivery, time: number): number {
    const from = Math.max(time, deliveryStart);
    return 1 - (deliveryEnd > from ? this.#downTime(from, deliveryEnd) / (deliveryEnd - deliveryStart) : 0);
  }

  #costAt(fuelFactor: number): number {
    const { heatRate, fuelPrice, variableCost } = this.parameters;
    return heatRate * fuelPrice * fuelFactor + variableCost;
  }

  /** Milliseconds from `from` to `until` in which it is out. */
  #downTime(from: number, until: number): number {
    let sum = 0;
    for (const outage of this.#outages) {
      sum += Math.max(0, Math.min(until, outage.until) - Math.max(from, outage.from));
    }
    return Math.min(sum, until - from);
  }
}
