// The orders of others in an episode, as somebody could have traded with them who knew everything: each at most once, at its
// own limit. The limits of an order that is changed are known by quarter of an hour: of those in a quarter the best one for
// whoever trades with it.

import { BUY, type Side } from "../../protocol/sides.ts";
import { megawattsOf } from "../../engine/market/units.ts";
import { remainingOf } from "../../engine/embedded/read-only.ts";
import type { TradedContract } from "../../sim/personas/traded-contract.ts";
import type { Named, ObservedOrder, OrderAction, RunObserver } from "../../sim/tape/run-observer.ts";
import type { World } from "../world/world.ts";

export const QUARTER_MS = 15 * 60_000;

export interface Offer {
  readonly contractId: string;
  readonly side: Side;
  /** MW: the most that it was for. */
  megawatts: number;
  /** cents/MWh, by the number of the quarter of an hour, from 0. */
  readonly prices: Map<number, number>;
  /** What it had traded at the beginning, MW; null if it came later. */
  readonly tradedBefore: number | null;
}

export class Offers implements Partial<RunObserver> {
  readonly #offers = new Map<number, Offer>();
  #start = Infinity;

  /** In the order in which they came; those that were there at the beginning first, oldest first. */
  get all(): readonly Offer[] {
    return [...this.#offers.values()];
  }

  /** Offers count from now on, and those that rest now. */
  begin({ engine, now }: World): void {
    this.#start = now;
    for (const order of engine.state.openOrders) {
      this.#offers.set(order.key, {
        contractId: order.contract.id,
        side: order.side,
        megawatts: megawattsOf(remainingOf(order)),
        prices: new Map([[0, order.price]]),
        tradedBefore: megawattsOf(order.filledQuantity),
      });
    }
  }

  onOrder(time: number, action: OrderAction, order: ObservedOrder, contract: TradedContract, _trader: Named): void {
    if (time < this.#start || action === "cancel") return;
    const { key, side, price } = order;
    const megawatts = megawattsOf(order.quantity);
    let offer = this.#offers.get(key);
    if (offer === undefined) {
      offer = { contractId: contract.id, side, megawatts, prices: new Map(), tradedBefore: null };
      this.#offers.set(key, offer);
    }
    offer.megawatts = Math.max(offer.megawatts, megawatts - (offer.tradedBefore ?? 0));
    const quarter = Math.floor((time - this.#start) / QUARTER_MS);
    const known = offer.prices.get(quarter) ?? price;
    offer.prices.set(quarter, side === BUY ? Math.max(known, price) : Math.min(known, price));
  }
}
