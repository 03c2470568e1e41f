// The ENGINE state and the data of change.book as JSON texts.

import { BUY, SELL } from "../market/order-book.ts";
import type { Levels } from "../state/shown-book.ts";
import { type ContractState, textsOf } from "../state/market-state.ts";
import { isoTime } from "../../common/iso-time.ts";
import type { TextWriter } from "../text/text-writer.ts";

/** Writes the data of a change.book event: what has changed since the last one. */
export function writeBookChange(writer: TextWriter, contract: ContractState): void {
  const texts = textsOf(contract);
  const { bids, asks } = texts.book;
  texts.book.read(contract.book);
  writer.text(texts.bookChange);
  writeLevels(writer, bids.changes);
  writer.text(',"asks":');
  writeLevels(writer, asks.changes);
  writeNumbers(writer, contract);
  writer.text("}");
}

/** Writes a state message of the ENGINE module, of a book that has not changed since its last change.book. */
export function writeEngineState(writer: TextWriter, contract: ContractState): void {
  const { engineState, book: { bids, asks } } = textsOf(contract);
  writer.text(engineState);
  writeLevels(writer, bids.levels);
  writer.text(',"asks":');
  writeLevels(writer, asks.levels);
  writeNumbers(writer, contract);
  writer.text(',"lastUpdate":"');
  writer.text(isoTime(contract.bookUpdatedAt));
  writer.text('"}}');
}

function writeLevels(writer: TextWriter, { count, prices, volumes, orderCounts }: Levels): void {
  if (count === 0) return writer.text("[]");
  for (let at = 0; at < count; at++) {
    writer.text(at === 0 ? '[{"price":' : ',{"price":');
    writer.number(prices[at]!);
    writer.text(',"volume":');
    writer.decimal(volumes[at]!, 3);
    writer.text(',"orderCount":');
    writer.number(orderCounts[at]!);
    writer.text("}");
  }
  writer.text("]");
}

function writeNumbers(writer: TextWriter, { book, lastPrice, heldOrders, tradedQuantity }: ContractState): void {
  writer.text(',"bestBid":');
  writePrice(writer, book.bestPrice(BUY));
  writer.text(',"bestAsk":');
  writePrice(writer, book.bestPrice(SELL));
  writer.text(',"lastPrice":');
  writePrice(writer, lastPrice);
  writer.text(',"totalWorkingOrders":');
  writer.number(book.orderCount);
  writer.text(',"heldOrders":');
  writer.number(heldOrders.size);
  writer.text(',"tradedQuantity":');
  writer.decimal(tradedQuantity, 3);
}

function writePrice(writer: TextWriter, price: number | null): void {
  if (price === null) writer.text("null");
  else writer.number(price);
}
