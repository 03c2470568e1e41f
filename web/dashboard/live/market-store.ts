// What the page knows of the market, as signals. Updates of the stream change it; at most once a frame.

import { batch, signal } from "@preact/signals";
import type { Book, Connection, ContractRow, Frozen, Market } from "../../contract/market.ts";
import type { FeedEvent, Update } from "../../contract/update.ts";
import { Ring } from "./ring.ts";

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
  /** Another number than before: GET /dashboard/credit gives something else. Null: unknown. */
  creditRevision: signal<number | null>(null),
  /** Whether a state has come. Before that, empty lists say nothing. */
  isKnown: signal(false),
};

/** The newest events. */
export const events = new Ring<FeedEvent>(MAX_EVENTS);

/** `update.isWhole`: events may have been missed, so whoever adds up events begins anew. */
type Listener = (events: readonly FeedEvent[], update: Update) => void;
const listeners = new Set<Listener>();

/** Calls `listener` with the events of each update, oldest first, each event once. Returns what ends that. */
export function onEvents(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Applies updates in their order, as one change. */
export function applyUpdates(updates: readonly Update[]): void {
  batch(() => {
    for (const update of updates) applyUpdate(update);
  });
  for (const update of updates) {
    if (update.events.length === 0 && !update.isWhole) continue;
    for (const listener of listeners) callListener(listener, update);
  }
}

/** Forgets the books that the page no longer asks for. */
export function keepBooks(contractIds: readonly string[]): void {
  const kept = [...market.books.value].filter(([id]) => contractIds.includes(id));
  if (kept.length < market.books.value.size) market.books.value = new Map(kept);
}

function applyUpdate(update: Update): void {
  const { isWhole } = update;
  market.isKnown.value = true;
  if (update.connection !== undefined) market.connection.value = update.connection;
  if (update.markets !== undefined) market.markets.value = update.markets;
  if (update.frozen !== undefined) market.frozen.value = update.frozen;
  if (update.creditRevision !== undefined) market.creditRevision.value = update.creditRevision;
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
  // Events of another history are forgotten, because their numbers mean something else.
  if (!update.continues) events.clear();
  for (const event of update.events) events.add(event);
}

function callListener(listener: Listener, update: Update): void {
  try {
    listener(update.events, update);
  } catch (error) {
    // The fault of one part of the page must not stop the others.
    reportError(error);
  }
}
