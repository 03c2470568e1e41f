// What changed between two books of a contract, each of which shows the best BOOK_DEPTH levels of a side.
//
// A level that only the earlier book has is gone if the later book would show it. Otherwise BOOK_DEPTH levels are better, and
// nothing is known of that level. So a reader who applies the changes one after the other and then keeps the best BOOK_DEPTH
// levels of each side has the prices and volumes of every later book.

import type { BufferedEvent } from "../../core/market/event-reader.ts";
import { BOOK_DEPTH, type BookLevel } from "../../protocol/modules/registry.ts";
import type { SideName } from "../toolkit/sides.ts";

type BookData = BufferedEvent["data"];

/** Price in cents/MWh and volume in MW; a level that is gone has volume 0. */
export type ChangedLevel = readonly [price: number, volume: number];

/** The data of a change.book event as tools show it; null if it holds no book. `earlier`: the contract's previous book. */
export function bookChange(data: BookData, earlier: BookData | undefined): Record<string, unknown> | null {
  const book = sidesOf(data);
  if (book === null) return null;
  const before = earlier === undefined ? null : sidesOf(earlier);
  const bids = changedLevels("BUY", before?.bids ?? [], book.bids);
  const asks = changedLevels("SELL", before?.asks ?? [], book.asks);
  return {
    contractId: data["contractId"],
    bestBid: book.bids[0]?.price ?? null,
    bestAsk: book.asks[0]?.price ?? null,
    ...isNewPrice(data["lastPrice"], earlier) && { lastPrice: data["lastPrice"] },
    ...before === null && { whole: true },
    ...bids.length > 0 && { bids },
    ...asks.length > 0 && { asks },
  };
}

/** The price of the last trade is shown only if it has changed. */
function isNewPrice(lastPrice: unknown, earlier: BookData | undefined): boolean {
  return typeof lastPrice === "number" && lastPrice !== earlier?.["lastPrice"];
}

/** Both are sorted, best first. */
function changedLevels(side: SideName, before: readonly BookLevel[], now: readonly BookLevel[]): ChangedLevel[] {
  const old = new Map(before.map(({ price, volume }) => [price, volume]));
  const changed = now.filter(({ price, volume }) => {
    const earlier = old.get(price);
    old.delete(price);
    return earlier !== volume;
  });
  const worst = now.length < BOOK_DEPTH ? undefined : now.at(-1)?.price;
  const isShown = (price: number) => worst === undefined || (side === "BUY" ? price > worst : price < worst);
  const gone = [...old.keys()].filter(isShown).map((price) => [price, 0] as const);
  return [...changed.map(({ price, volume }) => [price, volume] as const), ...gone];
}

function sidesOf({ bids, asks }: BookData): { bids: readonly BookLevel[]; asks: readonly BookLevel[] } | null {
  return isLevels(bids) && isLevels(asks) ? { bids, asks } : null;
}

function isLevels(value: unknown): value is readonly BookLevel[] {
  return Array.isArray(value) && value.every((level) => typeof level?.price === "number");
}
