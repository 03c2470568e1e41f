// The ENGINE state and the data of change.book as JSON texts. A level that has not changed keeps its text.

import { BUY, SELL } from "../../market/order-book.ts";
import { megawattsOf } from "../../market/units.ts";
import { type ContractState, textsOf } from "../state/market-state.ts";
import { isoTime } from "./iso-time.ts";

/** The data of a change.book event. */
export function bookChangeText(contract: ContractState): string {
  const { book, lastPrice } = contract;
  const texts = textsOf(contract);
  texts.book.read(book);
  return `${texts.bookChange}${texts.book.bids.text},"asks":${texts.book.asks.text},"lastPrice":${lastPrice},` +
    `"totalWorkingOrders":${book.orderCount}}`;
}

/** A state message of the ENGINE module. */
export function engineStateText(contract: ContractState): string {
  const { book, lastPrice, heldOrders } = contract;
  const texts = textsOf(contract);
  texts.book.read(book);
  return `${texts.engineState}${texts.book.bids.text},"asks":${texts.book.asks.text},"bestBid":${
    book.bestPrice(BUY)
  },` +
    `"bestAsk":${book.bestPrice(SELL)},"lastPrice":${lastPrice},"totalWorkingOrders":${book.orderCount},` +
    `"heldOrders":${heldOrders.size},"tradedQuantity":${megawattsOf(contract.tradedQuantity)},` +
    `"lastUpdate":"${isoTime(contract.bookUpdatedAt)}"}}`;
}
