// Which items to read next, if reading all of them at once would be too much: first those that were never read, in their order,
// then those that have changed since they were read, the longest waiting first, then those that were read long ago.

interface Pauses {
  /** The shortest time between two reads of an item. */
  readonly changedMs: number;
  /** After this time an item is read again, although it has not changed. */
  readonly unchangedMs: number;
}

export class RefreshQueue {
  readonly #unread = new Set<string>();
  readonly #changed = new Set<string>();
  /** When each was taken last, the longest ago first. */
  readonly #taken = new Map<string, number>();

  constructor(readonly pauses: Pauses) {}

  /** The items from now on. Those that were read stay read. */
  want(ids: readonly string[]): void {
    const wanted = new Set(ids);
    for (const id of [...this.#taken.keys(), ...this.#unread]) if (!wanted.has(id)) this.#forget(id);
    for (const id of ids) if (!this.#taken.has(id)) this.#unread.add(id);
  }

  /** Ignored for an item that is not wanted, or was not read yet. */
  changed(id: string): void {
    if (this.#taken.has(id)) this.#changed.add(id);
  }

  /** At most `limit` items, which count as read at `now`, milliseconds. */
  take(limit: number, now: number): string[] {
    const { changedMs, unchangedMs } = this.pauses;
    const isOlder = (id: string, ms: number) => now - this.#taken.get(id)! >= ms;
    const changed = [...this.#changed].filter((id) => isOlder(id, changedMs));
    const old = [...this.#taken.keys()].filter((id) => isOlder(id, unchangedMs));
    const next = [...new Set([...this.#unread, ...changed, ...old])].slice(0, limit);
    for (const id of next) {
      this.#forget(id);
      this.#taken.set(id, now);
    }
    return next;
  }

  #forget(id: string): void {
    this.#unread.delete(id);
    this.#changed.delete(id);
    this.#taken.delete(id);
  }
}
