// A persona's exposure: its positions, and what its open orders could make of them. It limits the size of new orders so
// that no combination of fills exceeds the position limits.
//
// Invariant: in each contract, |position + open bids| and |position - open asks| are at most the contract limit. The
// larger of the two, summed over contracts, is at most the total limit. This holds as long as no order is opened with
// more than `headroom` allows. A fill only moves quantity from open to position, so it can't break the invariant.
// Contracts in delivery no longer count.
//
// Quantities are kW.

import { BUY, type Side } from "../../engine/market/order-book.ts";
import { KILOWATTS_PER_MEGAWATT } from "../../engine/market/units.ts";
import type { PersonaLimits } from "./limits.ts";

export class ContractExposure {
  /** Whether delivery has begun. The position then no longer counts. */
  isOver = false;
  position = 0;
  openBids = 0;
  openAsks = 0;

  /** The largest absolute position that fills of open orders could lead to. */
  get worst(): number {
    return Math.max(Math.abs(this.position + this.openBids), Math.abs(this.position - this.openAsks));
  }
}

export class Exposure {
  readonly #contractLimit: number;
  readonly #totalLimit: number;
  /** The share of the limits that new orders may use. */
  share = 1;
  /** Sum of the worst positions of all contracts. */
  #total = 0;

  constructor({ contractPositionMw, totalPositionMw }: PersonaLimits) {
    this.#contractLimit = contractPositionMw * KILOWATTS_PER_MEGAWATT;
    this.#totalLimit = totalPositionMw * KILOWATTS_PER_MEGAWATT;
  }

  /** The largest total quantity of open orders allowed on a side of a contract. */
  headroom(exposure: ContractExposure, side: Side): number {
    const left = this.share * this.#totalLimit - (this.#total - exposure.worst);
    const most = Math.min(this.share * this.#contractLimit, left);
    return Math.max(0, side === BUY ? most - exposure.position : most + exposure.position);
  }

  setOpen(exposure: ContractExposure, side: Side, quantity: number): void {
    this.#total -= countedOf(exposure);
    if (side === BUY) exposure.openBids = quantity;
    else exposure.openAsks = quantity;
    this.#total += countedOf(exposure);
  }

  /** Called when delivery of the contract begins: it no longer counts. */
  end(exposure: ContractExposure): void {
    this.#total -= countedOf(exposure);
    exposure.isOver = true;
  }

  /** Records a fill. `open` is the side's open quantity after the fill. */
  fill(exposure: ContractExposure, side: Side, quantity: number, open: number): void {
    this.#total -= countedOf(exposure);
    exposure.position += side === BUY ? quantity : -quantity;
    this.#total += countedOf(exposure);
    this.setOpen(exposure, side, open);
  }
}

function countedOf(exposure: ContractExposure): number {
  return exposure.isOver ? 0 : exposure.worst;
}
