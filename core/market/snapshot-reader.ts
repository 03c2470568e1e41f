// The snapshot cache as tools read it. snapshot.ts implements it.

import type { AnyModuleData, ModuleData, ModuleType } from "../../protocol/modules/registry.ts";

export interface SnapshotQuery {
  /** Properties that must equal a value (undefined: any); indexed ones make the cost that of the matches. */
  readonly equals?: Readonly<Record<string, unknown>>;
  /** A further condition, tried on what `equals` leaves. */
  readonly where?: (module: AnyModuleData) => boolean;
  /** Modules returned at most. */
  readonly limit: number;
}

export interface SnapshotReader {
  get<Type extends ModuleType>(type: Type, id: string): ModuleData<Type> | undefined;
  /** Newest first for ORDER, FILL and TRADE, else in the order the modules were first seen. `total` is what matched. */
  find<Type extends ModuleType>(type: Type, query: SnapshotQuery): { total: number; modules: ModuleData<Type>[] };
  /** The first module of a type, in the order they were first seen. */
  first<Type extends ModuleType>(type: Type): ModuleData<Type> | undefined;
  count(type: ModuleType): number;
  /** ISO engine time at which what is shown is known to have held; null while empty. */
  readonly asOf: string | null;
}
