// The snapshot cache as tools read it. snapshot.ts implements it.

import type { AnyModuleData, ModuleData, ModuleType } from "../../protocol/modules/registry.ts";

export interface SnapshotQuery {
  /** Required values by property; undefined means any. On indexed properties the cost depends on the matches only. */
  readonly equals?: Readonly<Record<string, unknown>>;
  /** A further condition on the modules that match `equals`. */
  readonly where?: (module: AnyModuleData) => boolean;
  /** Modules returned at most. */
  readonly limit: number;
}

export interface SnapshotReader {
  get<Type extends ModuleType>(type: Type, id: string): ModuleData<Type> | undefined;
  /** ORDER, FILL and TRADE newest first, other types in the order first seen. `total` counts all matches. */
  find<Type extends ModuleType>(type: Type, query: SnapshotQuery): { total: number; modules: ModuleData<Type>[] };
  /** The first module of a type, in the order they were first seen. */
  first<Type extends ModuleType>(type: Type): ModuleData<Type> | undefined;
  count(type: ModuleType): number;
  /** ISO engine time at which the state is known to have held; null if empty. */
  readonly asOf: string | null;
}
