// Recorded operations played into a book, with credit or without: what the engine and the peer must have traded.

import { matchAggressor, sweep } from "../../engine/market/matching.ts";
import type { Side } from "../../engine/market/order-book.ts";
import { PartyIndexedBook } from "../../engine/market/party-indexed-book.ts";
import { HASH_START, hashWord } from "../../engine/replay/book-hash.ts";
import type { PlainCredit } from "./market.ts";

/** Order ids count from 1, in the order of submission. Quantities are MW, prices cents/MWh. */
export type Operation =
  | {
    readonly kind: "submit";
    readonly id: number;
    readonly party: number;
    readonly side: Side;
    readonly price: number;
    readonly quantity: number;
  }
  /** It comes too late if the order is closed. */
  | { readonly kind: "cancel"; readonly id: number; readonly party: number }
  | {
    readonly kind: "modify";
    readonly id: number;
    readonly party: number;
    readonly side: Side;
    readonly price: number;
    /** The whole ordered quantity. */
    readonly quantity: number;
    /** What remains of it. */
    readonly remaining: number;
    /** Only the quantity is lowered, so the engine leaves the order its place. */
    readonly keepsPlace: boolean;
  };

/** All trades of a run, in order. */
export class TradeRecord {
  trades = 0;
  /** MW. */
  quantity = 0;
  hash = HASH_START;

  add(restingId: number, aggressorId: number, price: number, quantity: number): void {
    this.trades += 1;
    this.quantity += quantity;
    this.hash = [restingId, aggressorId, price, quantity].reduce(hashWord, this.hash);
  }
}

const LOT = 1_000;

export class PlainMarket {
  readonly book = new PartyIndexedBook();
  readonly record = new TradeRecord();
  readonly #credit: PlainCredit | null;
  #priority = 0;

  /** `credit` null: as in the peer, all orders may trade with each other, and every change costs an order its place. */
  constructor(credit: PlainCredit | null) {
    this.#credit = credit;
  }

  play(operation: Operation): void {
    const { book } = this;
    if (operation.kind === "submit") return this.#enter(operation, operation.quantity);
    if (operation.kind === "cancel") return void book.remove(operation.id);
    const { id, remaining, keepsPlace } = operation;
    const slot = book.slotOf(id);
    if (slot === 0) return;
    if (keepsPlace && this.#credit !== null) return book.reduceAt(slot, book.quantityOf(slot) - remaining * LOT);
    book.remove(id);
    this.#enter(operation, remaining);
  }

  #enter({ id, party, side, price }: Exclude<Operation, { kind: "cancel" }>, quantity: number): void {
    const { book, record } = this;
    const credit = this.#credit;
    const onTrade = (restingId: number, restingParty: number, tradePrice: number, traded: number) => {
      credit?.addTrade(restingParty, party, tradePrice, traded);
      record.add(restingId, id, tradePrice, traded / LOT);
    };
    const remaining = credit === null
      ? sweep(book, side, price, quantity * LOT, onTrade)
      : matchAggressor(book, side, price, quantity * LOT, party, LOT, credit.availableCredit, onTrade);
    if (remaining > 0) book.add(id, side, price, remaining, party, ++this.#priority);
  }
}
