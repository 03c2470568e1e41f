// Hashes of a book and its trades that other implementations can reproduce (docs/replay.md).
//
// A hash starts at HASH_START and takes one 32-bit word at a time: the lowest 32 bits of a larger number.

import { BUY, type OrderBook, SELL, slotsOf } from "../market/order-book.ts";

export const HASH_START = 0x811c9dc5;
const MULTIPLIER = 0x01000193;

export function hashWord(hash: number, word: number): number {
  return Math.imul(hash ^ word, MULTIPLIER) >>> 0;
}

interface BookHashes {
  /** For each level, bids best to worst, then asks best to worst: side, price, total quantity. */
  readonly levelHash: number;
  /** In the same order, for each order by priority: side, price, id, remaining quantity. */
  readonly orderHash: number;
}

/** Reads the whole book. */
export function hashBook(book: OrderBook): BookHashes {
  let levelHash = HASH_START;
  let orderHash = HASH_START;
  for (const side of [BUY, SELL] as const) {
    for (const level of book.depth(side, Infinity)) {
      levelHash = hashWord(hashWord(hashWord(levelHash, side), level.price), level.volume);
    }
    for (const slot of slotsOf(book, side)) {
      orderHash = hashWord(hashWord(orderHash, side), book.priceOf(slot));
      orderHash = hashWord(hashWord(orderHash, book.idOf(slot)), book.quantityOf(slot));
    }
  }
  return { levelHash, orderHash };
}
