// What a company has besides its trades: a generating unit, or customers with a load. Each asset is at one node. As each hour
// of spot prices ends, what was generated or consumed is settled at the spot price.
//
// Prices are cents/MWh, quantities kW, money in cents/MWh x kW x min (`dollarsOf` in engine/market/units.ts).

import type { ExactInteger } from "../../../engine/market/exact-integer.ts";
import type { PhysicalTerms } from "../../strategies/strategy.ts";
import type { ForecastContract } from "../../information/forecast-source.ts";

/** A contract as units and loads see it. */
export type Delivery = Pick<ForecastContract, "node" | "type" | "shape" | "deliveryStart" | "deliveryEnd">;

/** The hours of one node that have ended. */
export interface SettledHour {
  /** Milliseconds since the epoch. */
  readonly start: number;
  /** From the start of the run or of the hour, whichever is later, to the end of the hour. */
  readonly from: number;
  readonly end: number;
  /** Whole cents/MWh. */
  readonly price: number;
  /** Present price of fuel over its normal price. */
  readonly fuelFactor: number;
}

export interface PhysicalAsset {
  readonly node: string;
  /** Earned less spent so far. */
  readonly result: ExactInteger;
  settle(hour: SettledHour): void;
  /** Its share in a contract, as it is known at `time`; null if the contract delivers at another node. */
  termsOf(contract: Delivery, time: number): PhysicalTerms | null;
}
