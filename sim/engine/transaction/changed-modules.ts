// The modules that a transaction changes. Each is sent at most once, with its value at the end of the transaction.

import type { AnyModuleData, ModuleType } from "../../../protocol/modules/registry.ts";
import type { PublishedState } from "../api/messages.ts";
import { PUBLISHED_TYPES, publishedRemoval, publishedState } from "../modules/snapshot.ts";

export class ChangedModules {
  /** By id; each reads its module's value, null if the module has been removed. */
  readonly #byType = new Map<ModuleType, Map<string, () => AnyModuleData | null>>();

  /** `read` gives the module's value; it is called once, at the end. */
  change(type: ModuleType, id: string, read: () => AnyModuleData): void {
    this.#of(type).getOrInsert(id, read);
  }

  remove(type: ModuleType, id: string): void {
    const changes = this.#of(type);
    changes.delete(id);
    changes.set(id, () => null);
  }

  /** The states and the removals, each parents before children; of one type, in the order of their first change. */
  published(): { readonly states: PublishedState[]; readonly removals: PublishedState[] } {
    const [states, removals]: [PublishedState[], PublishedState[]] = [[], []];
    for (const type of PUBLISHED_TYPES) {
      for (const [id, read] of this.#byType.get(type) ?? []) {
        const state = read();
        if (state === null) removals.push(publishedRemoval(type, id));
        else states.push(publishedState(type, state));
      }
    }
    return { states, removals };
  }

  #of(type: ModuleType): Map<string, () => AnyModuleData | null> {
    return this.#byType.getOrInsertComputed(type, () => new Map());
  }
}
