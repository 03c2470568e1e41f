// What contracts are expected to be worth: the mean spot price expected over their delivery, as everyone in the market can
// work it out. Asked for at every decision, and worked out anew only when spot prices have moved.

import type { SpotPrices } from "../spot/spot-prices.ts";
import type { TradedContract } from "./traded-contract.ts";

export class Forecasts {
  /** By the contract's index; cents/MWh. */
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

  /** To be called when spot prices have moved. */
  forget(): void {
    this.#known.clear();
  }
}
