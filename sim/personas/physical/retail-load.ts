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
  /** By local hour, in any unit; absent: the usual one. */
  readonly profile?: readonly number[] | undefined;
  /** Load at weekends, as a share of that on weekdays; absent: the usual one. */
  readonly weekend?: number;
}

/** By local hour. */
const PROFILE = normalised([
  ...[0.78, 0.74, 0.72, 0.71, 0.73, 0.8],
  ...[0.92, 1.02, 1.05, 1.05, 1.06, 1.07],
  ...[1.08, 1.09, 1.1, 1.12, 1.15, 1.2],
  ...[1.23, 1.22, 1.17, 1.08, 0.97, 0.86],
]);
const WEEKEND = 0.9;

export class RetailLoad implements PhysicalAsset {
  #result: ExactInteger = 0;
  readonly #profile: readonly number[];
  readonly #weekend: number;
  readonly #peakMean: number;
  readonly #weekMean: number;

  constructor(
    readonly node: string,
    readonly parameters: LoadParameters,
    private readonly calendar: LocalCalendar,
  ) {
    const { profile, weekend = WEEKEND } = parameters;
    this.#profile = profile === undefined ? PROFILE : normalised(profile);
    this.#weekend = weekend;
    this.#peakMean = peakMean(this.#profile);
    this.#weekMean = (5 + 2 * weekend) / 7;
  }

  get result(): ExactInteger {
    return this.#result;
  }

  /** kW in the hour that contains `time`. */
  loadAt(time: number): number {
    const { calendar } = this;
    calendar.moveTo(time);
    return Math.round(this.parameters.load * this.#profile[calendar.hour]! * (calendar.isWeekend ? this.#weekend : 1));
  }

  settle({ start, from, end, price }: SettledHour): void {
    const energy = productOf(this.loadAt(start), Math.round((end - from) / MINUTE_MS));
    this.#result = sumOf(this.#result, productOf(energy, this.parameters.tariff - price));
  }

  termsOf(contract: Delivery): PhysicalTerms | null {
    if (contract.node !== this.node) return null;
    return { quantity: shareOf(contract) * this.meanLoad(contract), unitCost: this.parameters.tariff };
  }

  /** kW over the contract's hours; of periods of several days, a mean of all such periods. */
  protected meanLoad({ type, shape, deliveryStart }: Delivery): number {
    const { load } = this.parameters;
    if (type === "hour") return this.loadAt(deliveryStart);
    if (shape === "peak") return load * this.#peakMean;
    if (type === "weekend") return load * this.#weekend;
    if (type !== "base") return load * this.#weekMean;
    this.calendar.moveTo(deliveryStart);
    return load * (this.calendar.isWeekend ? this.#weekend : 1);
  }
}

function peakMean(profile: readonly number[]): number {
  return profile.slice(PEAK_START, PEAK_END).reduce((sum, share) => sum + share, 0) / (PEAK_END - PEAK_START);
}

function normalised(shares: readonly number[]): number[] {
  const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length;
  return shares.map((share) => share / mean);
}
