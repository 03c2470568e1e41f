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
  const parts: (string | number)[] = [texts.bookChange, bids.changesText, ',"asks":', asks.changesText];
  addNumbers(parts, contract);
  parts.push("}");
  return parts.join("");
}

/** A state message of the ENGINE module, of a book that has not changed since its last change.book. */
export function engineStateText(contract: ContractState): string {
  const { engineState, book: { bids, asks } } = textsOf(contract);
  const parts: (string | number)[] = [engineState, bids.text, ',"asks":', asks.text];
  addNumbers(parts, contract);
  parts.push(',"lastUpdate":"', isoTime(contract.bookUpdatedAt), '"}}');
  return parts.join("");
}

function addNumbers(parts: (string | number)[], contract: ContractState): void {
  const { book, lastPrice } = contract;
  parts.push(
    ',"bestBid":',
    book.bestPrice(BUY) ?? "null",
    ',"bestAsk":',
    book.bestPrice(SELL) ?? "null",
    ',"lastPrice":',
    lastPrice ?? "null",
    ',"totalWorkingOrders":',
    book.orderCount,
    ',"heldOrders":',
    contract.heldOrders.size,
    ',"tradedQuantity":',
    megawattsOf(contract.tradedQuantity),
  );
}
