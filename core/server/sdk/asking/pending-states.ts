// Pending request states in the memory of this process.

import { MAX_PENDING, PENDING_SECONDS, type PendingStates } from "../../../tools/pending-states.ts";

export class OwnPendingStates implements PendingStates {
  readonly #key = crypto.getRandomValues(new Uint8Array(32));
  /** By caller: the expiry time of each pending state by its id, oldest first; milliseconds since the epoch. */
  readonly #pending = new Map<string | null, Map<string, number>>();

  constructor(private readonly now: () => number) {}

  key(): Promise<Uint8Array<ArrayBuffer>> {
    return Promise.resolve(this.#key);
  }

  put(id: string, caller: string | null): Promise<void> {
    const pending = this.#pending.get(caller) ?? new Map<string, number>();
    this.#pending.set(caller, pending);
    pending.set(id, this.now() + PENDING_SECONDS * 1000);
    for (const [oldest, until] of pending) {
      if (pending.size <= MAX_PENDING && until >= this.now()) break;
      pending.delete(oldest);
    }
    return Promise.resolve();
  }

  take(id: string, caller: string | null): Promise<boolean> {
    const pending = this.#pending.get(caller);
    const until = pending?.get(id) ?? -Infinity;
    pending?.delete(id);
    if (pending?.size === 0) this.#pending.delete(caller);
    return Promise.resolve(this.now() <= until);
  }
}
