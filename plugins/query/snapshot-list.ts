// Shared by the list tools: modules of one type in the snapshot, by given property values. If nothing matches, each id in
// the values must exist, so that an empty list never hides a mistyped id.

import type { SnapshotReader } from "../../core/market/snapshot-reader.ts";
import { checkNamedModules } from "../toolkit/named-modules.ts";
import type { ModuleData, ModuleType } from "../../protocol/modules/registry.ts";

/** Ignores properties that are undefined. Cost: O(matches). Throws ToolError `not_found`. */
export function listModules<Type extends ModuleType>(
  snapshot: SnapshotReader,
  type: Type,
  properties: Readonly<Record<string, string | undefined>>,
  limit: number,
): { total: number; modules: ModuleData<Type>[] } {
  const equals = Object.fromEntries(Object.entries(properties).filter(([, value]) => value !== undefined));
  const found = snapshot.find(type, { equals, limit });
  if (found.total === 0) checkNamedModules(snapshot, equals);
  return found;
}
