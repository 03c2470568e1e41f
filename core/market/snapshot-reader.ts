// The snapshot cache as tools read it. snapshot.ts implements it.

import type { AnyModuleData, ModuleData, ModuleType } from "../../protocol/modules/registry.ts";

export interface SnapshotQuery {
  /** Required values by property; undefined means any. On indexed properties the cost depends on the matches only. */
  readonly equals?: Readonly<Record<string, unknown>>;
  /** A further condition on the modules that match `equals`; it is tested on each of them. */
  readonly where?: (module: AnyModuleData) => boolean;
  /** Only modules that come later in the list: `next` of the previous page. */
  readonly after?: ModulePosition | undefined;
  /** The maximum number of modules returned. */
  readonly limit: number;
}

/** The place of a module in the list of its type. It stays valid while other modules come and go. */
export interface ModulePosition {
  /**
   * Creation time in milliseconds, for types that are listed newest first; the list continues there even if the module is
   * gone. Null for other types, whose list continues only from a module that is still there.
   */
  readonly rank: number | null;
  readonly id: string;
}

export interface ModulePage<Type extends ModuleType> {
  /** All matches, returned or not, before and after the page. */
  readonly total: number;
  readonly modules: ModuleData<Type>[];
  /** Position of the last module returned, if more follow. */
  readonly next: ModulePosition | null;
}

export type PropertyName<Type extends ModuleType> = string & keyof ModuleData<Type>;

export interface SnapshotReader {
  get<Type extends ModuleType>(type: Type, id: string): ModuleData<Type> | undefined;
  /**
   * ORDER, FILL and TRADE newest first, other types in the order first seen. Throws if `after` has no rank and its module
   * is gone.
   */
  find<Type extends ModuleType>(type: Type, query: SnapshotQuery): ModulePage<Type>;
  /** The first module of a type, in the order they were first seen. */
  first<Type extends ModuleType>(type: Type): ModuleData<Type> | undefined;
  count(type: ModuleType): number;
  /**
   * Another number after each change of a module of this type. It never comes again, also not after another snapshot or a
   * change of the acting user. Cost: O(1).
   */
  revision(type: ModuleType): number;
  /**
   * The same for the modules with this value of a property, before or after the change. It may also change without them. Once
   * somebody has asked for a property, each change of a module of the type costs one or two more entries of a map.
   */
  revisionOf<Type extends ModuleType>(type: Type, property: PropertyName<Type>, value: string): number;
  /** ISO market time at which the state is known to have held; null if empty. */
  readonly asOf: string | null;
}
