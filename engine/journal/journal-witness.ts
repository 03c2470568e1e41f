// The witness of a journal, DIR/journal.witness: the number and checksum of the last committed record. A journal that has
// lost its end can look like a valid, shorter one. The witness shows the difference.
//
// The witness is written and synced after each commit of the journal, before anything of that commit is confirmed. So:
//   - no record after the witness's number has been confirmed;
//   - a whole journal reaches the witness's record, and may be one commit ahead of it.
// The commits go alternately to two slots, each in its own block. If a power failure tears one slot, the other names the
// commit before, and the journal is ahead of it. If the journal is not ahead, the torn slot was damaged later: it may have
// named a later commit.
//
// Without a sync of its own the witness would help after a kill, but not after a power failure that damaged the
// log's end too.
//
// The file gets its full size at once, so writing a slot needs no more disk space.

import { closeSync, fdatasyncSync, fsyncSync, openSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { makePrivateFile, syncDirectory } from "./private-files.ts";

export const WITNESS_FILE = "journal.witness";

interface Witnessed {
  readonly format: number;
  /** Checksum of the journal's header, which identifies the journal. */
  readonly header: number;
  /** Number of the last committed record; 0 before the first. */
  readonly number: number;
  /** Checksum of that record; before the first, of the header. */
  readonly checksum: number;
}

export type WitnessReading =
  | { readonly kind: "missing" }
  | { readonly kind: "unreadable" }
  | { readonly kind: "read"; readonly witnessed: Slot; readonly hasUnreadableSlot: boolean };

const BLOCK = 4096;
const SLOT_LENGTH = 256;

interface Slot extends Witnessed {
  /** Counts the writes. Its lowest bit is the slot. */
  readonly generation: number;
}

export function readWitness(directory: string): WitnessReading {
  const bytes = contentOf(join(directory, WITNESS_FILE));
  if (bytes === null) return { kind: "missing" };
  const slots = [0, 1].map((at) => parseSlot(bytes.subarray(at * BLOCK, at * BLOCK + SLOT_LENGTH), at));
  const [newest] = slots.filter((slot) => slot !== null).sort((a, b) => b.generation - a.generation);
  if (newest === undefined) return { kind: "unreadable" };
  return { kind: "read", witnessed: newest, hasUnreadableSlot: slots.includes(null) };
}

export class JournalWitness {
  readonly #file: number;
  /** The last write. */
  #last: Slot;

  /** Replaces the witness file: both slots hold `witnessed`. */
  static begin(directory: string, witnessed: Witnessed): JournalWitness {
    const path = join(directory, WITNESS_FILE);
    makePrivateFile(path);
    const file = openSync(path, "r+");
    try {
      writeSync(file, new Uint8Array(2 * BLOCK), 0, 2 * BLOCK, 0);
      const witness = new JournalWitness(file, { ...witnessed, generation: 0 });
      witness.#writeSlot(witnessed);
      witness.#writeSlot(witnessed);
      fsyncSync(file);
      syncDirectory(directory);
      return witness;
    } catch (error) {
      closeSync(file);
      throw error;
    }
  }

  /** Opens the witness file that `reading` was read from. */
  static open(directory: string, reading: WitnessReading & { readonly kind: "read" }): JournalWitness {
    const path = join(directory, WITNESS_FILE);
    makePrivateFile(path);
    return new JournalWitness(openSync(path, "r+"), reading.witnessed);
  }

  private constructor(file: number, last: Slot) {
    this.#file = file;
    this.#last = last;
  }

  /** Makes a commit durable in the witness. Writes nothing if the witness names that record already. */
  write(number: number, checksum: number): void {
    if (number === this.#last.number) return;
    this.#writeSlot({ ...this.#last, number, checksum });
    fdatasyncSync(this.#file);
  }

  close(): void {
    closeSync(this.#file);
  }

  #writeSlot(witnessed: Witnessed): void {
    const slot = { ...witnessed, generation: this.#last.generation + 1 };
    const bytes = slotBytes(slot);
    const written = writeSync(this.#file, bytes, 0, bytes.length, (slot.generation % 2) * BLOCK);
    if (written !== bytes.length) throw new Error(`${WITNESS_FILE}: ${written} of ${bytes.length} bytes were written`);
    this.#last = slot;
  }
}

function slotBytes({ format, generation, number, checksum, header }: Slot): Uint8Array {
  const text =
    `mkt journal witness format ${format} generation ${generation} record ${number} checksum ${checksum} header ${header}`;
  return new TextEncoder().encode(`${text} crc ${Bun.hash.crc32(text)}\n`.padEnd(SLOT_LENGTH, " "));
}

function parseSlot(bytes: Uint8Array, at: number): Slot | null {
  const text = new TextDecoder("latin1").decode(bytes).trimEnd();
  const match =
    /^(mkt journal witness format (\d+) generation (\d+) record (\d+) checksum (\d+) header (\d+)) crc (\d+)$/
      .exec(text);
  if (match === null) return null;
  const [, signed = "", ...numbers] = match;
  const [format = 0, generation = 0, number = 0, checksum = 0, header = 0, crc] = numbers.map(Number);
  if (Bun.hash.crc32(signed) !== crc || generation % 2 !== at) return null;
  return { format, generation, number, checksum, header };
}

function contentOf(path: string): Uint8Array | null {
  try {
    return readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}
