// Which searches of an audit trail may run. A search reads and parses thousands of events, so only a few run at once: the
// others wait, and take no memory meanwhile. Users take turns, so the searches of one user don't hold up another's. A user with
// too many searches that run or wait is refused.

import { AuditFailure } from "./audit-failure.ts";

/** When a refused user may try again. */
export const RETRY_SECONDS = 1;

interface AuditSearchesOptions {
  /** Searches that run at once. */
  readonly atOnce: number;
  /** Searches of one user that run or wait. */
  readonly ofUser: number;
}

type Turn = PromiseWithResolvers<void>;

export class AuditSearches {
  readonly #counts = new Map<string, number>();
  /** The searches that wait, by user; the user whose turn is next comes first. */
  readonly #waiting = new Map<string, Set<Turn>>();
  #running = 0;

  constructor(private readonly options: AuditSearchesOptions) {}

  /**
   * Gives what `search` gives, which begins when it is its turn. Throws AuditFailure `rate_limited`, and the reason of `signal`
   * if that aborts before the search has begun.
   */
  async run<Result>(
    userId: string,
    signal: AbortSignal | undefined,
    search: () => Promise<Result>,
  ): Promise<Result> {
    const { ofUser } = this.options;
    const count = this.#counts.get(userId) ?? 0;
    if (count >= ofUser) {
      throw new AuditFailure(
        "rate_limited",
        `${ofUser} searches of the audit trail by this user run or wait, and no more are accepted`,
        `Wait ${RETRY_SECONDS} s and call again.`,
      );
    }
    this.#counts.set(userId, count + 1);
    try {
      await this.#turnOf(userId, signal);
      try {
        return await search();
      } finally {
        this.#passOn();
      }
    } finally {
      const left = (this.#counts.get(userId) ?? 0) - 1;
      if (left === 0) this.#counts.delete(userId);
      else this.#counts.set(userId, left);
    }
  }

  async #turnOf(userId: string, signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    if (this.#running < this.options.atOnce) {
      this.#running += 1;
      return;
    }
    const turn: Turn = Promise.withResolvers();
    const turns = this.#waiting.getOrInsertComputed(userId, () => new Set());
    turns.add(turn);
    const giveUp = () => {
      if (turns.delete(turn)) turn.reject(signal?.reason);
    };
    signal?.addEventListener("abort", giveUp);
    try {
      await turn.promise;
    } finally {
      signal?.removeEventListener("abort", giveUp);
    }
  }

  /** Ends the turn of a search, and begins the next one. */
  #passOn(): void {
    for (const [userId, turns] of this.#waiting) {
      this.#waiting.delete(userId);
      const [next] = turns;
      if (next === undefined) continue;
      turns.delete(next);
      if (turns.size > 0) this.#waiting.set(userId, turns);
      return next.resolve();
    }
    this.#running -= 1;
  }
}
