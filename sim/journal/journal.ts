// What a journal is: the calls that have changed an engine, in order, and now and then an image of its whole state.
//
// The engine is deterministic, so header, newest image and the calls after it give back its state. Records are numbered
// from 1, without a hole, over all restarts. A store keeps texts; what is in them is journal-call.ts's and
// engine-image.ts's business, but for the header.
//
// Everything is synchronous: a commit of a group of records is short, and nothing may leave the engine meanwhile. Every
// method throws an Error of one line where it fails; after that a store is of no use and nothing it held back may be
// told to anyone.

import type { MarketDefinition } from "../definition/market-definition.ts";

export interface JournalHeader {
  readonly engineId: string;
  readonly epoch: number;
  /** When the engine was made, in milliseconds since the epoch. */
  readonly startedAt: number;
  readonly definition: MarketDefinition;
}

export interface JournalRecord {
  readonly number: number;
  /** A call of the engine, as JSON. */
  readonly text: string;
}

/** The state of an engine after record `upTo`, in parts so that no text gets as long as the state is large. */
export interface JournalImage {
  readonly upTo: number;
  readonly parts: Iterable<string>;
}

/** Records that were there and have been deleted, because the first of them is damaged. */
export interface JournalCut {
  readonly from: number;
  readonly records: number;
  readonly reason: string;
}

export interface LoadedJournal {
  readonly header: JournalHeader;
  /** Null before the first. */
  readonly image: JournalImage | null;
  /** The records after the image. */
  readonly records: Iterable<JournalRecord>;
  /** Number of the last record; where there is none, the image's, or 0. */
  readonly lastNumber: number;
  readonly cut: JournalCut | null;
}

export interface JournalStore {
  /** What the journal holds, damaged records cut off; null for a new one, which begins with `create`. */
  load(): LoadedJournal | null;
  /** Begins the journal. Durable when it returns. */
  create(header: JournalHeader): void;
  /** Adds records, the first with the number after the last one's. Durable after the next `sync`. */
  append(records: readonly JournalRecord[]): void;
  /** When it returns, everything appended is durable. */
  sync(): void;
  /**
   * Replaces the image and drops the records up to `image.upTo`, all or nothing. Durable when it returns. Comes after a
   * `sync`, with nothing appended since.
   */
  saveImage(image: JournalImage): void;
  close(): void;
}
