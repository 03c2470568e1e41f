// A contract as units and loads see it.

import type { PeriodKind } from "../../../engine/market/listing-rule.ts";

export interface Delivery {
  readonly node: string;
  readonly type: PeriodKind;
  /** peak: only some of the hours between start and end are delivered. */
  readonly shape: "base" | "peak";
  /** Milliseconds since the epoch. */
  readonly deliveryStart: number;
  readonly deliveryEnd: number;
}
