// What the page knows of the market, as signals. Updates of the stream change it; at most once a frame.

import { batch, signal } from "@preact/signals";
import type { Book, Connection, ContractRow, Frozen, Market } from "../../contract/market.ts";
import type { FeedEvent, Update } from "../../contract/update.ts";

/** Events kept for the feed. */
const MAX_EVENTS = 5_000;

export const market = {
  connection: signal<Connection | null>(null),
  /** By contract id, in order of delivery. */
  contracts: signal<ReadonlyMap<string, ContractRow>>(new Map()),
  /** Those that the stream was asked for, by contract id. */
  books: signal<ReadonlyMap<string, Book>>(new Map()),
  markets: signal<readonly Market[]>([]),
  frozen: signal<Frozen | null>(null),
  /** The newest events, oldest first. */
  events: signal<readonly FeedEvent[]>([]),
  /** Of the last update. */
  sequence: signal(0),
};

type Listener = (events: readonly FeedEvent[]) => void;
const listeners = new Set<Listener>();

/** Calls `listener` with the events of each update. Returns what ends that. */
export function onEvents(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function applyUpdate(update: Update): void {
  const { isWhole } = update;
  batch(() => {
    market.sequence.value = update.sequence;
    if (update.connection !== undefined) market.connection.value = update.connection;
    if (update.markets !== undefined) market.markets.value = update.markets;
    if (update.frozen !== undefined) market.frozen.value = update.frozen;
    if (isWhole || update.contracts.length + update.unlisted.length > 0) {
      const rows = new Map(isWhole ? [] : market.contracts.value);
      for (const row of update.contracts) rows.set(row.contractId, row);
      for (const id of update.unlisted) rows.delete(id);
      market.contracts.value = rows;
    }
    if (isWhole || update.books.length > 0) {
      const books = new Map(isWhole ? [] : market.books.value);
      for (const book of update.books) books.set(book.contractId, book);
      market.books.value = books;
    }
    if (isWhole || update.events.length > 0) {
      market.events.value = [...(isWhole ? [] : market.events.value), ...update.events].slice(-MAX_EVENTS);
    }
  });
  if (update.events.length > 0) { for (const listener of listeners) listener(update.events); }
}
