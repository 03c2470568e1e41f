// The modules that a transaction changes. Each is sent at most once, with its value at the end of the transaction.

import type { AnyModuleData, ModuleType } from "../../../protocol/modules/registry.ts";
import type { StateMessage } from "../../../protocol/index.ts";
import { PUBLISHED_TYPES, statePath } from "../modules/snapshot.ts";

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

  /** Parents before children; of one type, in the order of their first change. */
  states(): StateMessage[] {
    return PUBLISHED_TYPES.flatMap((type) =>
      [...this.#byType.get(type) ?? []].map(([id, read]) => ({ statePath: statePath(type, id), state: read() }))
    );
  }

  #of(type: ModuleType): Map<string, () => AnyModuleData | null> {
    return this.#byType.getOrInsertComputed(type, () => new Map());
  }
}
