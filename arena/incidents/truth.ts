// The hidden truth of an operating episode: the facts that its incidents have left, and what had to be done to others.

import { isDeepStrictEqual } from "node:util";

export type Fact = string | number | readonly string[];
type Payload = Readonly<Record<string, unknown>>;

interface NeededChange {
  readonly action: string;
  /** Fields that the request must have; it may have others. */
  readonly payload: Payload;
}

export class Truth {
  readonly #facts = new Map<string, Fact>();
  readonly #needed: NeededChange[] = [];
  readonly #culprits = new Set<string>();

  /** Undefined if it did not happen, or has not yet. */
  fact(name: string): Fact | undefined {
    return this.#facts.get(name);
  }

  /** The value of a fact that is an id. */
  id(name: string): string | undefined {
    const fact = this.#facts.get(name);
    return typeof fact === "string" ? fact : undefined;
  }

  tell(facts: Readonly<Record<string, Fact>>): void {
    for (const [name, fact] of Object.entries(facts)) this.#facts.set(name, fact);
  }

  /** The agent may make this change, once or more. */
  need(action: string, payload: Payload): void {
    this.#needed.push({ action, payload });
  }

  isNeeded(action: string, payload: Payload): boolean {
    return this.#needed.some((change) =>
      change.action === action &&
      Object.entries(change.payload).every(([name, value]) => isDeepStrictEqual(payload[name], value))
    );
  }

  /** The orders of this user may be cancelled. */
  blame(userId: string): void {
    this.#culprits.add(userId);
  }

  isBlamed(userId: string): boolean {
    return this.#culprits.has(userId);
  }
}
