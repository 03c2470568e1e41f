// What the page knows of the market, as signals. Updates of the stream change it; at most once a frame.

import { batch, signal } from "@preact/signals";
import type { Book, Connection, ContractRow, Frozen, Market } from "../../contract/market.ts";
import type { FeedEvent, Update } from "../../contract/update.ts";
import { EventRing } from "./event-ring.ts";

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
  /** Grows with each change of `events`, so whatever reads it is drawn again. */
  eventsVersion: signal(0),
  /** Another number than before: GET /dashboard/credit gives something else. Null: unknown. */
  creditRevision: signal<number | null>(null),
  /** Of the last update. */
  sequence: signal(0),
  /** Whether a state has come. Before that, empty lists say nothing. */
  isKnown: signal(false),
};

/** The newest events. Read `market.eventsVersion.value` before it in whatever shows them. */
export const events = new EventRing(MAX_EVENTS);

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
  market.sequence.value = update.sequence;
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
  applyEvents(update);
}

/** Events of another history are forgotten, because their numbers mean something else. */
function applyEvents({ continues, events: added }: Update): void {
  if (!continues) events.clear();
  events.add(added);
  if (!continues || added.length > 0) market.eventsVersion.value++;
}

function callListener(listener: Listener, update: Update): void {
  try {
    listener(update.events, update);
  } catch (error) {
    // The fault of one part of the page must not stop the others.
    reportError(error);
  }
}
