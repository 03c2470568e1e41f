// A second witness of what was committed, DIR/journal.witness: the number of the last record that was committed, and its
// checksum. A journal whose end is gone can look like a valid, shorter one; the witness tells.
//
// It is written and synced after each commit of the journal and before anything of that commit is confirmed. So:
//   - what was confirmed is at most the witness's number;
//   - the witness is never ahead of a whole journal, which may be ahead of it by the last commit.
// Two slots are written in turn, each in a block of its own, so that a write that a power failure tears leaves the slot
// before it. The journal then holds more than that slot says. If it does not, the unreadable slot was damaged, and nobody
// can tell what it said.
//
// The file has its whole size from the beginning, so that writing a slot takes no room on the disk.

import { closeSync, fdatasyncSync, fsyncSync, openSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { makePrivateFile, syncDirectory } from "./private-files.ts";

export const WITNESS_FILE = "journal.witness";

export interface Witnessed {
  readonly format: number;
  /** Of the journal's header, which tells one journal from another. */
  readonly header: number;
  /** Number of the last record that was committed; 0 before the first. */
  readonly number: number;
  /** Of that record; of the header before the first. */
  readonly checksum: number;
}

export type WitnessReading =
  | { readonly kind: "missing" }
  | { readonly kind: "unreadable" }
  | { readonly kind: "read"; readonly witnessed: Slot; readonly unreadableSlot: 0 | 1 | null };

const BLOCK = 4096;
const SLOT_LENGTH = 256;

export interface Slot extends Witnessed {
  /** Grows with each write; the slot is its lowest bit. */
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

  /** Begins the witness of a journal, in place of any other: both slots say `witnessed`. */
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

  /** Goes on with the witness that `reading` was read from. */
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

  /** When it returns, the witness outlasts a power failure. Nothing is written if it says the same already. */
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
