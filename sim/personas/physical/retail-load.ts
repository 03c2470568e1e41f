// The load of a retailer's customers. They pay a fixed tariff and use power by an hourly profile; the retailer serves them at
// the spot price. What it has bought forward is settled with its trades.
//
// The profile is that of a system with a morning and an evening peak, with a mean of 1 over the day, and less at weekends. Its
// figures are chosen.

import { type ExactInteger, productOf, sumOf } from "../../../engine/market/exact-integer.ts";
import { MINUTE_MS } from "../../../protocol/time-units.ts";
import { type LocalCalendar, PEAK_END, PEAK_START } from "../../spot/local-calendar.ts";
import type { PhysicalTerms } from "../../strategies/strategy.ts";
import type { Delivery, PhysicalAsset, SettledHour } from "./physical-asset.ts";
import { shareOf } from "./product-shares.ts";

interface LoadParameters {
  /** kW: mean over the hours of a weekday. */
  readonly load: number;
  /** What customers pay, whole cents/MWh. */
  readonly tariff: number;
}

/** By local hour. */
const PROFILE = normalised([
  ...[0.78, 0.74, 0.72, 0.71, 0.73, 0.8],
  ...[0.92, 1.02, 1.05, 1.05, 1.06, 1.07],
  ...[1.08, 1.09, 1.1, 1.12, 1.15, 1.2],
  ...[1.23, 1.22, 1.17, 1.08, 0.97, 0.86],
]);
const PEAK_MEAN = PROFILE.slice(PEAK_START, PEAK_END).reduce((sum, share) => sum + share, 0) / (PEAK_END - PEAK_START);
const WEEKEND = 0.9;
const WEEK_MEAN = (5 + 2 * WEEKEND) / 7;

export class RetailLoad implements PhysicalAsset {
  #result: ExactInteger = 0;

  constructor(
    readonly node: string,
    readonly parameters: LoadParameters,
    private readonly calendar: LocalCalendar,
  ) {}

  get result(): ExactInteger {
    return this.#result;
  }

  /** kW in the hour that contains `time`. */
  loadAt(time: number): number {
    const { calendar } = this;
    calendar.moveTo(time);
    return Math.round(this.parameters.load * PROFILE[calendar.hour]! * (calendar.isWeekend ? WEEKEND : 1));
  }

  settle({ start, from, end, price }: SettledHour): void {
    const energy = productOf(this.loadAt(start), Math.round((end - from) / MINUTE_MS));
    this.#result = sumOf(this.#result, productOf(energy, this.parameters.tariff - price));
  }

  termsOf(contract: Delivery): PhysicalTerms | null {
    if (contract.node !== this.node) return null;
    return { quantity: shareOf(contract) * this.#meanLoad(contract), unitCost: this.parameters.tariff };
  }

  /** kW over the contract's hours; of periods of several days, a mean of all such periods. */
  #meanLoad({ type, shape, deliveryStart }: Delivery): number {
    const { load } = this.parameters;
    if (type === "hour") return this.loadAt(deliveryStart);
    if (shape === "peak") return load * PEAK_MEAN;
    if (type === "weekend") return load * WEEKEND;
    if (type !== "base") return load * WEEK_MEAN;
    this.calendar.moveTo(deliveryStart);
    return load * (this.calendar.isWeekend ? WEEKEND : 1);
  }
}

function normalised(shares: readonly number[]): number[] {
  const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length;
  return shares.map((share) => share / mean);
}
