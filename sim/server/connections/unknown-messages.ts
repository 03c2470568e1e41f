// Messages of kinds that this engine does not know: counted, each kind logged once, otherwise skipped, so that a newer
// client can talk to an older engine.

import type { Logger } from "../../../common/logger.ts";

/** Kinds remembered as logged; beyond it a flood of made-up kinds is only counted. */
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
