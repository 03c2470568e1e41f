// The ENGINE state and the data of change.book as JSON texts. A level that has not changed keeps its text.

import { BUY, SELL } from "../../market/order-book.ts";
import { megawattsOf } from "../../market/units.ts";
import { type ContractState, textsOf } from "../state/market-state.ts";
import { isoTime } from "./iso-time.ts";
import type { TextPart } from "./json-text.ts";

/** Adds the data of a change.book event: what has changed since the last one. */
export function addBookChange(parts: TextPart[], contract: ContractState): void {
  const texts = textsOf(contract);
  texts.book.read(contract.book);
  const { bids, asks } = texts.book;
  parts.push(texts.bookChange, bids.changesText, ',"asks":', asks.changesText);
  addNumbers(parts, contract);
  parts.push("}");
}

/** A state message of the ENGINE module, of a book that has not changed since its last change.book. */
export function engineStateText(contract: ContractState): string {
  const { engineState, book: { bids, asks } } = textsOf(contract);
  const parts: TextPart[] = [engineState, bids.text, ',"asks":', asks.text];
  addNumbers(parts, contract);
  parts.push(',"lastUpdate":"', isoTime(contract.bookUpdatedAt), '"}}');
  return parts.join("");
}

function addNumbers(parts: TextPart[], contract: ContractState): void {
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
