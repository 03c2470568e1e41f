// Makes the frames of a backup from its lines: counts them, adds them to the checksum, and compresses them.

import {
  type BackupCounts,
  type BackupDescription,
  callLine,
  endLine,
  eventsLine,
  failedLine,
  valueLine,
} from "./backup-format.ts";

const FRAME_CHARACTERS = 1 << 20;
const LEVEL = 3;

export class BackupEncoder {
  readonly #hash = new Bun.CryptoHasher("sha256");
  readonly #counts = { parts: 0, calls: 0, blocks: 0 };
  #lines: string[] = [];
  #characters = 0;

  get counts(): BackupCounts {
    return this.#counts;
  }

  describe(description: BackupDescription): void {
    this.#add(`${JSON.stringify(description)}\n`);
  }

  /** `text`: JSON in one line. */
  addHeader(text: string): void {
    this.#add(valueLine("header", text));
  }

  addPart(text: string): void {
    this.#counts.parts += 1;
    this.#add(valueLine("part", text));
  }

  addCall(number: number, text: string): void {
    this.#counts.calls += 1;
    this.#add(callLine(number, text));
  }

  addEvents(first: number, last: number, lines: string): void {
    this.#counts.blocks += 1;
    this.#add(eventsLine(first, last, lines));
  }

  /** Whether enough lines wait for a frame. */
  get hasFrame(): boolean {
    return this.#characters >= FRAME_CHARACTERS;
  }

  /** The lines since the last frame, compressed. */
  frame(): Uint8Array<ArrayBuffer> {
    const text = this.#lines.join("");
    this.#lines = [];
    this.#characters = 0;
    return compressed(text);
  }

  /** The last frame: the lines that are left, and the line that makes the backup whole. */
  lastFrame(): Uint8Array<ArrayBuffer> {
    const sha256 = this.#hash.digest("hex");
    this.#lines.push(endLine(this.#counts, sha256));
    return this.frame();
  }

  #add(line: string): void {
    this.#hash.update(line);
    this.#lines.push(line);
    this.#characters += line.length;
  }
}

/** The last frame of a backup that can't be finished. */
export function failureFrame(reason: string): Uint8Array<ArrayBuffer> {
  return compressed(failedLine(reason));
}

function compressed(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Bun.zstdCompressSync(Buffer.from(text), { level: LEVEL }));
}
