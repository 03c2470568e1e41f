// Counts messages of unknown kinds, and logs each kind once. The engine skips such messages, so a newer client can talk
// to an older engine.

import type { Logger } from "../../../common/logger.ts";

/** Number of kinds that are logged. Other kinds are only counted, so a flood of invented kinds takes no memory. */
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
