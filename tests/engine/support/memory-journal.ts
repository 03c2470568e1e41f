// A journal in memory, on a disk that outlives the journal: a later journal on the same disk finds all synced records, and
// no others.

import {
  JournalDamage,
  type JournalHeader,
  type JournalRecord,
  type JournalStore,
  type LoadedJournal,
  type NewCheckpoint,
  type RecordSlice,
  type WrittenCheckpoint,
} from "../../../engine/journal/journal.ts";

export interface MemoryCheckpoint {
  readonly upTo: number;
  readonly state: readonly string[];
  /** Of this checkpoint and the ones before. */
  readonly operations: readonly string[];
  /** `time` of the state. */
  readonly until: number;
}

/** The durable content. */
export class MemoryDisk {
  header: JournalHeader | null = null;
  checkpoint: MemoryCheckpoint | null = null;
  /** Written checkpoints that are not in use. */
  readonly written = new Map<string, MemoryCheckpoint>();
  records: JournalRecord[] = [];
  /** Number of the last committed record: the witness. */
  committed = 0;
}

export class MemoryJournal implements JournalStore {
  protected appended: JournalRecord[] = [];
  protected lastNumber = 0;

  constructor(readonly disk: MemoryDisk = new MemoryDisk()) {}

  load(): LoadedJournal | null {
    const { header, checkpoint: inUse, records } = this.disk;
    if (header === null) return null;
    const checkpoint = inUse && { upTo: inUse.upTo, parts: [...inUse.state, ...inUse.operations] };
    this.lastNumber = records.at(-1)?.number ?? checkpoint?.upTo ?? 0;
    const fault = faultOf(this.disk, this.lastNumber);
    if (fault !== null) throw new JournalDamage([{ file: "the disk in memory", fault }]);
    const after = checkpoint?.upTo ?? 0;
    const later = records.filter(({ number }) => number > after);
    return { header, checkpoint, records: later, lastNumber: this.lastNumber, tornWrite: null };
  }

  create(header: JournalHeader): void {
    if (this.disk.header !== null) throw new Error("the journal was begun already");
    this.disk.header = header;
  }

  append(records: readonly JournalRecord[]): void {
    for (const record of records) {
      if (record.number !== this.lastNumber + 1) {
        throw new Error(`record ${record.number} can't follow record ${this.lastNumber}`);
      }
      this.appended.push(record);
      this.lastNumber = record.number;
    }
  }

  sync(): void {
    this.disk.records.push(...this.appended);
    this.disk.committed = this.lastNumber;
    this.appended = [];
  }

  recordsAfter(after: number): RecordSlice {
    return sliceAfter(this.disk.records, after);
  }

  writeCheckpoint(checkpoint: NewCheckpoint): WrittenCheckpoint {
    return writeTo(this.disk, checkpoint);
  }

  useCheckpoint({ state }: WrittenCheckpoint): void {
    const checkpoint = this.disk.written.get(state.file);
    if (checkpoint === undefined) throw new Error(`there is no ${state.file}`);
    this.disk.checkpoint = checkpoint;
  }

  deleteReplaced(): boolean {
    const upTo = this.disk.checkpoint?.upTo ?? 0;
    this.disk.records = this.disk.records.filter(({ number }) => number > upTo);
    return false;
  }

  async removeReplacedFile(): Promise<void> {
    await Promise.resolve();
    this.disk.written.clear();
  }

  close(): void {
    this.appended = [];
  }
}

function faultOf({ checkpoint, records, committed }: MemoryDisk, lastNumber: number): string | null {
  let number = checkpoint?.upTo ?? 0;
  for (const record of records.filter((each) => each.number > number)) {
    if (record.number !== ++number) return `record ${number} is missing`;
  }
  return lastNumber < committed ? `ends at record ${lastNumber}, but record ${committed} was committed` : null;
}

/** A few records, so that a checkpoint takes several slices. */
function sliceAfter(records: readonly JournalRecord[], after: number): RecordSlice {
  const some = records.filter(({ number }) => number > after).slice(0, 3);
  return { texts: some.map(({ text }) => text).join("\n"), last: some.at(-1)?.number ?? after };
}

export function writeTo(
  { checkpoint: inUse, written }: Pick<MemoryDisk, "checkpoint" | "written">,
  { upTo, state, operations, time }: NewCheckpoint,
): WrittenCheckpoint {
  const file = `checkpoint-${upTo}`;
  const kept = inUse?.operations ?? [];
  const all = [...kept, ...operations(inUse?.until ?? -Infinity)];
  written.set(file, { upTo, state: [...state], operations: all, until: time });
  return { upTo, state: { file, parts: written.get(file)!.state.length, checksum: 0 }, operations: [] };
}
