// What an event says about modules. An engine sends each fact once: there is no state message for what an event tells.
//
// - An event of an order, fill, trade or contract carries the module's whole data.
// - change.book carries what has changed in an ENGINE module: levels, each as it is now, and the numbers of the book.
//
// Invariant: after the snapshot and all later messages, in their order, the client has the engine's modules. So an event
// that the snapshot already contains must not be reduced (engine-client.ts).

import { BOOK_DEPTH, type BookLevel, type ModuleData } from "../modules/registry.ts";
import { carriedModule, type EventData, type EventMessage, type StateMessage } from "../index.ts";
import { BUY, SELL, type Side } from "../sides.ts";

/** The ENGINE module as the client has it; undefined if it has none. */
export type BookOf = (bookId: string) => ModuleData<"ENGINE"> | undefined;

/** A change.book that does not fit the book that the client has, so the client has missed something. */
interface Misfit {
  readonly misfit: true;
  /** The path of the ENGINE module. */
  readonly statePath: string;
}

/**
 * The state message that the event replaces; null if it replaces none. The event's data must fit its declaration.
 * `bookOf` null: the client keeps no books, and change.book is not reduced.
 */
export function reduceEvent({ type, time, data }: EventMessage, bookOf: BookOf | null): StateMessage | Misfit | null {
  if (type === "change.book") {
    return bookOf === null ? null : reduceBook(data as EventData<"change.book">, time, bookOf);
  }
  const module = carriedModule(type);
  return module === undefined ? null : { statePath: `/${module}/${data["id"]}`, state: data as StateMessage["state"] };
}

function reduceBook(change: EventData<"change.book">, time: string, bookOf: BookOf): StateMessage | Misfit {
  const { engineId: bookId, bestBid, bestAsk, lastPrice, totalWorkingOrders, heldOrders, tradedQuantity } = change;
  const statePath = `/ENGINE/${bookId}`;
  const book = bookOf(bookId);
  if (book === undefined) return { misfit: true, statePath };
  const bids = levelsAfter(book.bids, change.bids, BUY);
  const asks = levelsAfter(book.asks, change.asks, SELL);
  if (!isSide(bids, bestBid) || !isSide(asks, bestAsk)) return { misfit: true, statePath };
  const numbers = { bestBid, bestAsk, lastPrice, totalWorkingOrders, heldOrders, tradedQuantity };
  return { statePath, state: { ...book, bids, asks, ...numbers, lastUpdate: time } };
}

/** The levels of a side with the changes, best first. */
function levelsAfter(levels: readonly BookLevel[], changes: readonly BookLevel[], side: Side): BookLevel[] {
  const after = [...levels];
  // A buyer's higher price is better.
  const direction = side === BUY ? 1 : -1;
  for (const change of changes) {
    let at = 0;
    while (at < after.length && (after[at]!.price - change.price) * direction > 0) at += 1;
    const isKnown = after[at]?.price === change.price;
    if (change.volume === 0) after.splice(at, isKnown ? 1 : 0);
    else after.splice(at, isKnown ? 1 : 0, change);
  }
  return after;
}

/** Whether these can be the levels shown of a side with this best price. */
function isSide(levels: readonly BookLevel[], best: number | null): boolean {
  return levels.length <= BOOK_DEPTH && (levels[0]?.price ?? null) === best;
}
