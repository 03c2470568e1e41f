// Forecasts of contract values: the expected mean spot price over the delivery. The forecast is public knowledge. It is
// read at every decision, so it is cached until spot prices move.

import type { SpotPrices } from "../spot/spot-prices.ts";
import type { TradedContract } from "./traded-contract.ts";

export class Forecasts {
  /** cents/MWh, by the contract's index. */
  readonly #known = new Map<number, number>();

  constructor(private readonly spot: SpotPrices) {}

  /** cents/MWh. Throws for a contract at a node without spot prices. */
  of(contract: TradedContract): number {
    let price = this.#known.get(contract.index);
    if (price === undefined) {
      const { node, deliveryStart, deliveryEnd, shape } = contract;
      price = this.spot.expectedPrice(node, deliveryStart, deliveryEnd, shape);
      this.#known.set(contract.index, price);
    }
    return price;
  }

  /** Call it whenever spot prices have moved. */
  forget(): void {
    this.#known.clear();
  }
}
