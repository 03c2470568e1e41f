// GET /dashboard/stream: server-sent events, each of which holds one Update as JSON. Its id is `EPOCH.SEQUENCE`, which a
// browser sends back when it connects again; the stream then goes on after that event. The first Update of a stream
// that does not go on after an event holds the whole state; each later one holds what has changed since the one before it.

import type { Book, Connection, ContractRow, Frozen, Market } from "./market.ts";

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
  /** The events are complete up to this sequence number. */
  readonly sequence: number;
  /** Another epoch numbers its events anew; null before the first connect. */
  readonly epoch: number | null;
  /** The whole state, not changes: the page forgets what it has. */
  readonly isWhole: boolean;
  /** Events since the last update that are lost; null if unknown. The state is right all the same. */
  readonly missed: number | null;
  /** Oldest first. */
  readonly events: readonly FeedEvent[];
  /** Those that changed. */
  readonly contracts: readonly ContractRow[];
  /** Contracts that are no longer listed. */
  readonly unlisted: readonly string[];
  /** The books that the page watches (`?contracts=`), if they changed. */
  readonly books: readonly Book[];
  /** All of them, if one has changed. */
  readonly markets?: readonly Market[];
  readonly connection?: Connection;
  /** Present if it has changed; null: not frozen. */
  readonly frozen?: Frozen | null;
}
