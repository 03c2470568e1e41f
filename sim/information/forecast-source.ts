// What private forecasts are made from: the contracts and the versions of their best forecasts.

import type { ProductType } from "./price-moves.ts";
import type { DeliveryShape } from "../spot/spot-prices.ts";

/** The fields of a contract that matter here. */
export interface ForecastContract {
  /** Unique in a run; grows with each listed contract. */
  readonly index: number;
  readonly node: string;
  readonly type: ProductType;
  /** peak: only some of the hours between start and end are delivered. */
  readonly shape: DeliveryShape;
  /** Milliseconds since the epoch. */
  readonly deliveryStart: number;
  readonly deliveryEnd: number;
}

/** A contract with its forecasts. */
export interface ForecastEntry {
  readonly contract: ForecastContract;
  /** Place in arrays by contract; reused after the contract has gone. */
  readonly slot: number;
  /** Place in arrays by group; reused after the last contract of the group has gone. */
  readonly group: number;
  /** Best forecasts, by step modulo `VERSIONS_KEPT`. */
  readonly versions: Float64Array;
  /** Whether delivery has not begun. */
  isTraded: boolean;
}

export interface ForecastSource {
  /** The contracts whose delivery has not begun, in the order of listing. */
  readonly traded: Iterable<ForecastEntry>;
  /** Throws for an unknown contract. */
  entry(contract: ForecastContract): ForecastEntry;
  /** The best forecast now. Throws for an unknown contract. */
  best(contract: ForecastContract): number;
  /** The best forecast as the public knows it at a time. */
  publicAt(entry: ForecastEntry, time: number): number;
}
