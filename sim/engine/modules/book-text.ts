// The ENGINE state and the data of change.book as JSON texts. A level that has not changed keeps its text.

import { BUY, SELL } from "../../market/order-book.ts";
import { megawattsOf } from "../../market/units.ts";
import { type ContractState, textsOf } from "../state/market-state.ts";
import { isoTime } from "./iso-time.ts";

/** The data of a change.book event: what has changed since the last one. */
export function bookChangeText(contract: ContractState): string {
  const texts = textsOf(contract);
  texts.book.read(contract.book);
  const { bids, asks } = texts.book;
  return `${texts.bookChange}${bids.changesText},"asks":${asks.changesText},${numbersText(contract)}}`;
}

/** A state message of the ENGINE module, of a book that has not changed since its last change.book. */
export function engineStateText(contract: ContractState): string {
  const { engineState, book: { bids, asks } } = textsOf(contract);
  return `${engineState}${bids.text},"asks":${asks.text},${numbersText(contract)},` +
    `"lastUpdate":"${isoTime(contract.bookUpdatedAt)}"}}`;
}

function numbersText({ book, lastPrice, heldOrders, tradedQuantity }: ContractState): string {
  return `"bestBid":${book.bestPrice(BUY)},"bestAsk":${book.bestPrice(SELL)},"lastPrice":${lastPrice},` +
    `"totalWorkingOrders":${book.orderCount},"heldOrders":${heldOrders.size},` +
    `"tradedQuantity":${megawattsOf(tradedQuantity)}`;
}
