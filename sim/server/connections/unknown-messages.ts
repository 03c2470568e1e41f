// Counts messages of kinds that this engine does not know, and logs each kind once. They are otherwise skipped, so a newer
// client can talk to an older engine.

import type { Logger } from "../../../common/logger.ts";

/** Kinds remembered as logged. Further kinds are only counted, so a flood of invented kinds costs no memory. */
const REMEMBERED_KINDS = 100;

export class UnknownMessages {
  #count = 0;
  readonly #logged = new Set<string>();

  constructor(readonly log: Logger) {}

  get count(): number {
    return this.#count;
  }

  note(kind: string): void {
    this.#count += 1;
    if (this.#logged.has(kind) || this.#logged.size >= REMEMBERED_KINDS) return;
    this.#logged.add(kind);
    this.log.warn("skipped a message of unknown kind {kind}; further ones are only counted", {
      kind: kind.slice(0, 100),
    });
  }
}
