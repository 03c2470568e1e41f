// What a persona holds and may come to hold: positions, and what its open orders would make of them. It answers how much
// more an order may be, so that positions stay within the limits whichever orders are filled and whichever are not.
//
// Invariant: in each contract |position + open bids| and |position - open asks| are at most the contract's limit, and the
// sums over the contracts of the greater of the two at most the total limit, as long as no order is larger than `room`
// said when it was opened. Contracts whose delivery has begun count no more. A fill only moves quantity from open to position, so it breaks neither.
//
// Quantities are kW.

import { BUY, type Side } from "../market/order-book.ts";
import type { PersonaLimits } from "./limits.ts";

const KILOWATTS_PER_MEGAWATT = 1_000;

/** Of one contract. */
export class ContractExposure {
  /** Whether delivery has begun: what is held counts no more. */
  isOver = false;
  position = 0;
  openBids = 0;
  openAsks = 0;

  /** The furthest from 0 that the position may come. */
  get worst(): number {
    return Math.max(Math.abs(this.position + this.openBids), Math.abs(this.position - this.openAsks));
  }
}

export class Exposure {
  readonly #contractLimit: number;
  readonly #totalLimit: number;
  #total = 0;

  constructor({ contractPositionMw, totalPositionMw }: PersonaLimits) {
    this.#contractLimit = contractPositionMw * KILOWATTS_PER_MEGAWATT;
    this.#totalLimit = totalPositionMw * KILOWATTS_PER_MEGAWATT;
  }

  /** The worst of all contracts, added up. */
  get total(): number {
    return this.#total;
  }

  /** The most that all orders on a side of a contract may have open together. */
  headroom(exposure: ContractExposure, side: Side): number {
    const left = this.#totalLimit - (this.#total - exposure.worst);
    const most = Math.min(this.#contractLimit, left);
    return Math.max(0, side === BUY ? most - exposure.position : most + exposure.position);
  }

  setOpen(exposure: ContractExposure, side: Side, quantity: number): void {
    this.#total -= countedOf(exposure);
    if (side === BUY) exposure.openBids = quantity;
    else exposure.openAsks = quantity;
    this.#total += countedOf(exposure);
  }

  /** Delivery of the contract has begun: its position counts no more. */
  end(exposure: ContractExposure): void {
    this.#total -= countedOf(exposure);
    exposure.isOver = true;
  }

  /** Moves what was traded; `open` is what the side has open after it. */
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
