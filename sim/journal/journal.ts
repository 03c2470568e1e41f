// What a journal is: the calls that have changed an engine, in order, and now and then a checkpoint of its whole state.
//
// The engine is deterministic, so header, newest checkpoint and the calls after it give back its state. Records are numbered
// from 1, without a hole, over all restarts. A store keeps texts; what is in them is journal-call.ts's and
// engine-checkpoint.ts's business, but for the header.
//
// A store knows the number of the last record that was committed, apart from the records. So it can tell an end that a
// power failure left incomplete, of which nothing was confirmed and which is cut off, from records that were committed and
// are gone. The second is damage: `load` throws it and changes nothing.
//
// Everything is synchronous: a commit of a group of records is short, and nothing may leave the engine meanwhile. Every
// method throws an Error of one line if it fails. After StorageFull the store is as it was before the call, and the call
// may be repeated; after any other failure it is of no use, and nothing it held back may be told to anyone.

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
export interface JournalCheckpoint {
  readonly upTo: number;
  readonly parts: Iterable<string>;
}

/** An incomplete last write that was cut off. Nothing in it was confirmed to anyone. */
export interface TornWrite {
  /** Number of the last whole record. */
  readonly after: number;
  readonly reason: string;
}

export interface StorageFault {
  /** Name of the file, in the data directory. */
  readonly file: string;
  /** What is wrong with it, to follow the file's name. */
  readonly fault: string;
}

/** What was committed is not all there. */
export class JournalDamage extends Error {
  constructor(readonly faults: readonly StorageFault[]) {
    super(`the journal is damaged: ${faults.map(({ file, fault }) => `${file} ${fault}`).join("; ")}`);
  }
}

/** There is no room for what was to be written, and nothing of it was. */
export class StorageFull extends Error {}

export interface LoadedJournal {
  readonly header: JournalHeader;
  /** Null before the first. */
  readonly checkpoint: JournalCheckpoint | null;
  /** The records after the checkpoint. */
  readonly records: Iterable<JournalRecord>;
  /** Number of the last record; where there is none, the checkpoint's, or 0. */
  readonly lastNumber: number;
  readonly tornWrite: TornWrite | null;
}

export interface JournalStore {
  /** What the journal holds; null for a new one, which begins with `create`. Throws JournalDamage. */
  load(): LoadedJournal | null;
  /** Begins the journal. Durable when it returns. */
  create(header: JournalHeader): void;
  /** Adds records, the first with the number after the last one's. Durable after the next `sync`. */
  append(records: readonly JournalRecord[]): void;
  /** When it returns, everything appended is durable. */
  sync(): void;
  /**
   * Replaces the checkpoint and drops the records up to `checkpoint.upTo`, all or nothing. Durable when it returns. Comes after a
   * `sync`, with nothing appended since.
   */
  saveCheckpoint(checkpoint: JournalCheckpoint): void;
  close(): void;
}
