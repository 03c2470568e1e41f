// The mark of a contract: the price at which its open positions are valued.
//
// Until delivery it is the mid of the best bid and the best ask, if the bid is below the ask; otherwise the price of the
// last trade. From the start of delivery it is the mean of the spot prices that were published for the contract's node
// during the delivery; the price of the last trade as long as there is none. Every published price counts once, also in
// hours in which a peak contract delivers nothing. After the end of delivery the mark does not change.
//
// A mark is a whole number of millionths of a cent/MWh. Only the mean of spot prices is rounded to that.

import { roundedDivision, sumOf } from "../market/exact-integer.ts";
import { BUY, SELL } from "../market/order-book.ts";
import type { ContractState, SpotPrices } from "./market-state.ts";

/** Units of a mark in a cent/MWh. */
export const MARK_UNITS = 1_000_000n;

interface Mark {
  readonly source: "book" | "trade" | "spot";
  /** In millionths of a cent/MWh. */
  readonly price: bigint;
}

/** Null as long as there is no price: in a contract that has never traded, and so without positions. */
export function markOf({ book, expired, lastPrice, spotPrices }: ContractState): Mark | null {
  if (expired) {
    if (spotPrices.count > 0) return { source: "spot", price: meanOf(spotPrices) };
  } else {
    const [bid, ask] = [book.bestPrice(BUY), book.bestPrice(SELL)];
    if (bid !== null && ask !== null && bid < ask) {
      return { source: "book", price: BigInt(bid + ask) * MARK_UNITS / 2n };
    }
  }
  return lastPrice === null ? null : { source: "trade", price: BigInt(lastPrice) * MARK_UNITS };
}

/** Counts a spot price (cents/MWh) for the contracts of a node that deliver now. Cost: O(contracts). */
export function addSpotPrice(contracts: Iterable<ContractState>, node: string, price: number): void {
  for (const { expired, delivered, product, spotPrices } of contracts) {
    if (!expired || delivered || product.node !== node) continue;
    spotPrices.sum = sumOf(spotPrices.sum, price);
    spotPrices.count += 1;
  }
}

function meanOf({ sum, count }: SpotPrices): bigint {
  return roundedDivision(BigInt(sum) * MARK_UNITS, BigInt(count));
}
