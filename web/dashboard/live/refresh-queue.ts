// Which items to read next, if reading all of them at once would be too much: first those that were never read, in their order,
// then those that have changed since they were read, the longest waiting first.

export class RefreshQueue {
  readonly #unread = new Set<string>();
  readonly #changed = new Set<string>();
  readonly #known = new Set<string>();

  /** The items from now on. Those that were read stay read. */
  want(ids: readonly string[]): void {
    const wanted = new Set(ids);
    for (const id of [...this.#known, ...this.#unread]) if (!wanted.has(id)) this.#forget(id);
    for (const id of ids) if (!this.#known.has(id)) this.#unread.add(id);
  }

  /** Ignored for an item that is not wanted, or was not read yet. */
  changed(id: string): void {
    if (this.#known.has(id)) this.#changed.add(id);
  }

  /** At most `limit` items, which count as read. A changed one that is not `due` stays. */
  take(limit: number, due: (id: string) => boolean = () => true): string[] {
    const taken = [...this.#unread, ...[...this.#changed].filter(due)].slice(0, limit);
    for (const id of taken) {
      this.#unread.delete(id);
      this.#changed.delete(id);
      this.#known.add(id);
    }
    return taken;
  }

  #forget(id: string): void {
    this.#unread.delete(id);
    this.#changed.delete(id);
    this.#known.delete(id);
  }
}
