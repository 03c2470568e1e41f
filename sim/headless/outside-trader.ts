// A trader whose decisions come from outside the process. It takes part in a headless run like a persona, but the run stops
// when it is due, and its driver carries out its actions before the run goes on (sim/outside). So market time stands still
// while it decides.

import type { PrivateForecasts } from "../information/private-forecasts.ts";
import type { EntityOrders } from "../personas/entity-orders.ts";
import type { Persona } from "../personas/persona.ts";
import type { TradedContract } from "../personas/traded-contract.ts";

export interface OutsideTrader extends Persona {
  /** Market time of its next wake-up, not before the present; Infinity if it has left. */
  readonly nextTime: number;
  onListed(contract: TradedContract): void;
}

/** What outside traders are made with. */
export interface OutsideMarket {
  /** Market time. */
  readonly startTime: number;
  /** The orders of each entity, by its id, which its personas share. */
  readonly entityOrders: ReadonlyMap<string, EntityOrders>;
  /** Forecasts of a trader, as good as those of most personas; one call for each. */
  readonly forecaster: (traderId: string) => PrivateForecasts;
}

/** The trader that is due first; null if there are none. Of several at the same time, the first in the list. */
export function firstDue(traders: readonly OutsideTrader[]): OutsideTrader | null {
  let first: OutsideTrader | null = null;
  for (const trader of traders) if (first === null || trader.nextTime < first.nextTime) first = trader;
  return first;
}
