// GET /dashboard/stream: server-sent events, each of which holds one Update as JSON, at most every 100 ms. Without a change
// there is one each second, which has the market time.
//
// Parameters:
// - `contract`, once for each: the contracts whose books are sent, at most MAX_WATCHED.
// - `events`: which events are sent (EventChoice). `all` if absent.
// - `since`: the `position` of the last update, for a page that opens another stream because it watches other contracts. A
//   browser that connects again by itself sends it as Last-Event-ID. It is `EPOCH.SEQUENCE` of the last event, and if known
//   `.USER.STATE.VERSION`: marks of the acting user and of the rows. With another STATE the stream begins with the whole state.
//
// The events of all updates are the events of the market, each once, in order. An update with `continues` false begins anew
// with the newest ones. State (contracts, books, markets) is never older than the events of the same update.

import type { Book, Connection, ContractRow, Frozen, Market } from "./market.ts";

/** Contracts whose books a stream can have: those of all windows of a browser. */
export const MAX_WATCHED = 64;
/** Events of one update, at most. After one with so many the next comes at once, because there are more. */
export const MAX_UPDATE_EVENTS = 500;

/** `watched`: those of the watched contracts, and those of no contract, such as a halt. `none`: the state says it all. */
export const EVENT_CHOICES = ["all", "watched", "none"] as const;
export type EventChoice = (typeof EVENT_CHOICES)[number];

/** events.ts says what `data` has. */
export interface FeedEvent {
  readonly sequence: number;
  readonly category: "order" | "fill" | "pricing" | "market" | "credit" | "system" | "other";
  /** Such as `new.order`. */
  readonly type: string;
  /** ISO market time. */
  readonly time: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface Update {
  /** The events are complete up to this sequence number; 0 before the first connect. */
  readonly sequence: number;
  /** For `since`; null: another stream begins anew. */
  readonly position: string | null;
  /** Another epoch numbers its events anew; null before the first connect. */
  readonly epoch: number | null;
  /** The whole state, not changes: the page forgets the contracts and books that it has. */
  readonly isWhole: boolean;
  /** The events go on after those of the update before. False: the page forgets the events that it has. */
  readonly continues: boolean;
  /** Events since the update before that are lost, at least; null if unknown. The state is right all the same. */
  readonly missed: number | null;
  /** Oldest first. */
  readonly events: readonly FeedEvent[];
  /** Those that changed, in no order; all of them by start of delivery if `isWhole`. */
  readonly contracts: readonly ContractRow[];
  /** Contracts that are no longer listed. */
  readonly unlisted: readonly string[];
  /** The watched books that changed, also of contracts that have expired. */
  readonly books: readonly Book[];
  /** All of them, if one has changed. */
  readonly markets?: readonly Market[];
  readonly connection?: Connection;
  /** Present if it has changed; null: not frozen. */
  readonly frozen?: Frozen | null;
  /** Present if credit, limits or documents have changed: another number than before. GET /dashboard/credit has them. */
  readonly creditRevision?: number;
}
