// The data of a change.book event as tools show it.
//
// The event has the levels that changed since the contract's last change.book, among the best BOOK_DEPTH of each side. They
// are shown as they are if the reader has seen that last event, or could have: it is still buffered. Otherwise the whole book
// is shown, if it is known. So a reader who takes a whole book and applies the changes after it one by one has the prices
// and volumes of every later book.

import type { BufferedEvent } from "../../core/market/event-reader.ts";
import type { EventData } from "../../protocol/index.ts";
import type { BookLevel } from "../../protocol/modules/registry.ts";

/** Price in cents/MWh and volume in MW; a level that is gone has volume 0. */
export type ShownLevel = readonly [price: number, volume: number];

/** `earlier`: the contract's last change.book, if it is buffered. */
export function bookChange(
  { data, book }: Pick<BufferedEvent, "data" | "book">,
  earlier: BufferedEvent | undefined,
): Record<string, unknown> {
  const { contractId, bestBid, bestAsk, lastPrice, bids, asks } = data as EventData<"change.book">;
  const whole = earlier === undefined ? book : null;
  return {
    contractId,
    bestBid,
    bestAsk,
    ...isNewPrice(lastPrice, earlier) && { lastPrice },
    ...whole !== null && { whole: true },
    ...sideShown("bids", whole?.bids ?? bids),
    ...sideShown("asks", whole?.asks ?? asks),
  };
}

/** The price of the last trade is shown only if it has changed. */
function isNewPrice(lastPrice: number | null, earlier: BufferedEvent | undefined): boolean {
  return lastPrice !== null && lastPrice !== earlier?.data["lastPrice"];
}

function sideShown(name: "bids" | "asks", levels: readonly BookLevel[]): Record<string, readonly ShownLevel[]> {
  return levels.length === 0 ? {} : { [name]: levels.map(({ price, volume }) => [price, volume]) };
}
