// The witness of a journal, DIR/journal.witness: the number and checksum of the last committed record. A journal that has
// lost its end can look like a valid, shorter one. The witness shows the difference.
//
// The witness is written and synced after each commit of the journal, before anything of that commit is confirmed. So:
//   - no record after the witness's number has been confirmed;
//   - a whole journal reaches the witness's record, and may be one commit ahead of it.
// Two slots, each in a block of its own, are written in turn. If a power failure tears one slot, the other holds the commit
// before, and the journal is ahead of it. If the journal is not ahead of it, the unreadable slot was damaged later, and its
// number is unknown.
//
// The file gets its full size at once, so writing a slot needs no more disk space.

import { closeSync, fdatasyncSync, fsyncSync, openSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { makePrivateFile, syncDirectory } from "./private-files.ts";

export const WITNESS_FILE = "journal.witness";

export interface Witnessed {
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
  | { readonly kind: "read"; readonly witnessed: Slot; readonly unreadableSlot: 0 | 1 | null };

const BLOCK = 4096;
const SLOT_LENGTH = 256;

export interface Slot extends Witnessed {
  /** Counts the writes. Its lowest bit is the slot. */
  readonly generation: number;
}

export function readWitness(directory: string): WitnessReading {
  const bytes = contentOf(join(directory, WITNESS_FILE));
  if (bytes === null) return { kind: "missing" };
  const slots = [0, 1].map((at) => parseSlot(bytes.subarray(at * BLOCK, at * BLOCK + SLOT_LENGTH), at));
  const [newest] = slots.filter((slot) => slot !== null).sort((a, b) => b.generation - a.generation);
  if (newest === undefined) return { kind: "unreadable" };
  const unreadable = slots.indexOf(null);
  return { kind: "read", witnessed: newest, unreadableSlot: unreadable < 0 ? null : unreadable === 0 ? 0 : 1 };
}

export class JournalWitness {
  readonly #file: number;
  readonly #journal: Pick<Witnessed, "format" | "header">;
  #generation = 0;
  #number = -1;

  /** Replaces the witness file: both slots hold `witnessed`. */
  static begin(directory: string, witnessed: Witnessed): JournalWitness {
    const path = join(directory, WITNESS_FILE);
    makePrivateFile(path);
    const file = openSync(path, "r+");
    try {
      writeSync(file, new Uint8Array(2 * BLOCK), 0, 2 * BLOCK, 0);
      const witness = new JournalWitness(file, witnessed, 0);
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
    const { witnessed } = reading;
    return new JournalWitness(openSync(path, "r+"), witnessed, witnessed.generation, witnessed.number);
  }

  private constructor(
    file: number,
    { format, header }: Pick<Witnessed, "format" | "header">,
    generation: number,
    number = -1,
  ) {
    this.#file = file;
    this.#journal = { format, header };
    this.#generation = generation;
    this.#number = number;
  }

  /** Makes a commit durable in the witness. Writes nothing if the witness names that record already. */
  write(number: number, checksum: number): void {
    if (number === this.#number) return;
    this.#writeSlot({ ...this.#journal, number, checksum });
    fdatasyncSync(this.#file);
  }

  close(): void {
    closeSync(this.#file);
  }

  #writeSlot({ number, checksum }: Pick<Witnessed, "number" | "checksum">): void {
    const generation = this.#generation + 1;
    const bytes = slotBytes({ ...this.#journal, number, checksum, generation });
    const written = writeSync(this.#file, bytes, 0, bytes.length, (generation % 2) * BLOCK);
    if (written !== bytes.length) throw new Error(`${WITNESS_FILE}: ${written} of ${bytes.length} bytes were written`);
    this.#generation = generation;
    this.#number = number;
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
