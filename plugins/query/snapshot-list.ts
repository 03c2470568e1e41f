// What the list tools share: modules of one type from the snapshot, by the properties that were given.

import type { SnapshotReader } from "../../core/market/snapshot-reader.ts";
import type { ModuleData, ModuleType } from "../../core/modules/registry.ts";

/** Properties that are undefined are no condition. The cost is that of the matches. */
export function listModules<Type extends ModuleType>(
  snapshot: SnapshotReader,
  type: Type,
  properties: Readonly<Record<string, string | undefined>>,
  limit: number,
): { total: number; modules: ModuleData<Type>[] } {
  const equals = Object.fromEntries(Object.entries(properties).filter(([, value]) => value !== undefined));
  return snapshot.find(type, { equals, limit });
}
