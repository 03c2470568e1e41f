// What a journal is: the calls that changed an engine, in order, and sometimes a checkpoint of its whole state.
//
// The engine is deterministic, so its state follows from the header, the newest checkpoint and the calls after it. Records
// are numbered from 1 without gaps, over all restarts. A store keeps texts and knows nothing of their content but the
// header: journal-call.ts and the engine's checkpoint define it.
//
// A checkpoint is made while calls go on (engine/server/checkpoints), or at a stop: it is written beside the one in use, then
// used from one moment to the next, and then what it replaces is deleted in small steps. A process that ends in between
// leaves a journal that begins with the old checkpoint or with the new one.
//
// A store keeps the number of the last committed record apart from the records, so it can tell a torn write from lost
// records. A power failure leaves a torn write: nothing in it was confirmed, and it is discarded. Lost records had been
// committed. That is damage: `load` throws JournalDamage and changes nothing.
//
// Every method but `removeReplacedFile` is synchronous: a commit is short, and nothing may be sent during it. Every method
// throws an Error of one line if it fails. After StorageFull the store is as it was before the call, and the call may be
// repeated. After any other failure the store must not be used any more, and nothing that waited for the commit may be sent.

import type { ClockSetting } from "../../protocol/index.ts";
import type { MarketDefinition } from "../definition/market-definition.ts";

export interface JournalHeader {
  readonly engineId: string;
  readonly epoch: number;
  /** Market time at which the market began, in milliseconds since the epoch. */
  readonly startedAt: number;
  /** The clock with which it began; real time if absent. */
  readonly clock?: ClockSetting;
  readonly definition: MarketDefinition;
}

export interface JournalRecord {
  readonly number: number;
  /** A call of the engine, as JSON. */
  readonly text: string;
}

/** The state of an engine after record `upTo`, in parts, so no text is as long as the whole state. */
export interface JournalCheckpoint {
  readonly upTo: number;
  readonly parts: Iterable<string>;
}

/** A checkpoint to be written. */
export interface NewCheckpoint {
  readonly upTo: number;
  /** Parts of the state, without the remembered operations. */
  readonly state: Iterable<string>;
  /** Parts with the operations that were answered at `since` or later; a store keeps the earlier ones. */
  operations(since: number): Iterable<string>;
  /** Real time of the state, in milliseconds since the epoch. No later operation was answered before it. */
  readonly time: number;
}

/** A file of a checkpoint. */
export interface CheckpointFile {
  /** Where the store has it. */
  readonly file: string;
  readonly parts: number;
  readonly checksum: number;
}

export interface OperationsFile extends CheckpointFile {
  /** `time` of the checkpoint for which it was written. */
  readonly until: number;
}

/** A checkpoint that is durable, and which a store may begin to use. */
export interface WrittenCheckpoint {
  /** Number of the last record that the checkpoint replaces. It must be the last one of a commit. */
  readonly upTo: number;
  readonly state: CheckpointFile;
  /** Oldest first. */
  readonly operations: readonly OperationsFile[];
}

/** Some records in their order, one a line: no record has a line break. */
export interface RecordSlice {
  readonly texts: string;
  /** Number of the last of them. */
  readonly last: number;
}

/** An incomplete last write, which was discarded. Nothing in it was confirmed to anyone. */
export interface TornWrite {
  /** Number of the last whole record. */
  readonly after: number;
  readonly reason: string;
}

export interface StorageFault {
  /** Name of the file, in the data directory. */
  readonly file: string;
  /** What is wrong with the file; follows its name in a sentence. */
  readonly fault: string;
}

/** Committed records are damaged or missing. */
export class JournalDamage extends Error {
  constructor(readonly faults: readonly StorageFault[]) {
    super(`the journal is damaged: ${faults.map(({ file, fault }) => `${file} ${fault}`).join("; ")}`);
  }
}

/** The disk is full. Nothing of the call was written. */
export class StorageFull extends Error {}

export interface LoadedJournal {
  readonly header: JournalHeader;
  /** Null before the first one. */
  readonly checkpoint: JournalCheckpoint | null;
  /** The records after the checkpoint. */
  readonly records: Iterable<JournalRecord>;
  /** Number of the last record; if there is none, the checkpoint's `upTo`, or 0. */
  readonly lastNumber: number;
  readonly tornWrite: TornWrite | null;
}

export interface JournalStore {
  /** The content of the journal; null for a new one, which must be begun with `create`. Throws JournalDamage. */
  load(): LoadedJournal | null;
  /** Begins the journal, durably. */
  create(header: JournalHeader): void;
  /** Adds records, whose numbers continue those of the journal. They are durable after the next `sync`. */
  append(records: readonly JournalRecord[]): void;
  /** Makes all appended records durable. */
  sync(): void;
  /** Some of the committed records after number `after`. The size of a slice does not depend on that of the journal. */
  recordsAfter(after: number): RecordSlice;
  /** Writes a checkpoint of everything committed, durably, beside the one in use. For a stop: no call goes on meanwhile. */
  writeCheckpoint(checkpoint: NewCheckpoint): WrittenCheckpoint;
  /** Begins the journal with a written checkpoint from now on, durably and all or nothing. */
  useCheckpoint(checkpoint: WrittenCheckpoint): void;
  /** Deletes some of the records that the checkpoint in use replaces. False if none are left. */
  deleteReplaced(): boolean;
  /** Deletes the checkpoints that are not in use. */
  removeReplacedFile(): Promise<void>;
  close(): void;
}
