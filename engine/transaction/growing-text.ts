// The events and removals of one call after the other, as the text of one array. A frame that shows all of them is this text as
// it is, so nothing is copied for it.
//
// The string is made when someone first reads it. Until then the next call goes on with the same text, up to FULL_TEXT
// characters. Invariant: nobody reads it during a call.

import type { SharedText } from "../api/messages.ts";
import type { TextWriter } from "../text/text-writer.ts";

/** Less than a frame of the server, which has room for some states besides. */
const FULL_TEXT = 48 << 10;

export class GrowingText implements SharedText {
  #text: string | null = null;

  /** Begins the writer's next text. */
  constructor(private readonly writer: TextWriter) {
    writer.text("[");
  }

  get text(): string {
    return this.#text ??= this.#made();
  }

  /** Begins the next message. Returns where it begins. */
  begin(): number {
    if (this.writer.length > 1) this.writer.text(",");
    return this.writer.length;
  }

  /** The text that the next call goes on with: this one, or a new one. */
  next(): GrowingText {
    if (this.#text === null && this.writer.length < FULL_TEXT) return this;
    this.#text ??= this.#made();
    return new GrowingText(this.writer);
  }

  #made(): string {
    this.writer.text("]");
    return this.writer.take();
  }
}
