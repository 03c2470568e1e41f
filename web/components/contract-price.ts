// What the market says a contract is worth now.

import type { ContractRow } from "../contract/market.ts";

interface ContractPrice {
  /** Cents/MWh, to a whole cent. */
  readonly cents: number;
  /** The middle between best bid and best ask, or the price of the last trade. */
  readonly source: "middle" | "trade";
}

/** The middle of a book with two sides; else the last trade; null without either: a bid alone says little. */
export function contractPrice(
  { bestBid, bestAsk, lastPrice }: Pick<ContractRow, "bestBid" | "bestAsk" | "lastPrice">,
): ContractPrice | null {
  if (bestBid !== null && bestAsk !== null) return { cents: Math.round((bestBid + bestAsk) / 2), source: "middle" };
  return lastPrice === null ? null : { cents: lastPrice, source: "trade" };
}
