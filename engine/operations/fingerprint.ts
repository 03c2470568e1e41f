// Identifies the content of a request by 64 bits. Each command says what its content is (commands/command-contents.ts).
//
// The key is no secret: a fingerprint outlives the process in journal and checkpoint. Whoever finds two contents with the
// same fingerprint only gets the answer to the first of them, which are both their own requests.

import type { Fingerprint } from "../api/fingerprint.ts";
import { KeyedHash } from "./keyed-hash.ts";

/** The fingerprint of an operation whose content is unknown: any content is a repeat. No content has it. */
export const ANY_CONTENT: Fingerprint = { high: 0, low: 0 };

/** Takes the fields of one content after the other, always in the same order. */
export class ContentHash {
  readonly #hash = new KeyedHash([0x6d6b7421, 0x6f707321]);

  begin(action: string): void {
    this.#hash.begin();
    this.#hash.text(action);
  }

  text(value: string): void {
    this.#hash.text(value);
  }

  number(value: number): void {
    this.#hash.number(value);
  }

  flag(value: boolean): void {
    this.#hash.word(value ? 1 : 0);
  }

  optionalText(value: string | undefined): void {
    this.flag(value !== undefined);
    if (value !== undefined) this.text(value);
  }

  optionalNumber(value: number | undefined): void {
    this.flag(value !== undefined);
    if (value !== undefined) this.number(value);
  }

  end(): Fingerprint {
    const high = this.#hash.end();
    const low = this.#hash.more();
    return high === 0 && low === 0 ? { high, low: 1 } : { high, low };
  }
}
