// What the list tools share: modules of one type from the snapshot, by the properties that were given. What they name must
// exist: an empty list is an answer only about something that the market knows.

import type { SnapshotReader } from "../../core/market/snapshot-reader.ts";
import { checkNamedModules } from "../toolkit/named-modules.ts";
import type { ModuleData, ModuleType } from "../../protocol/modules/registry.ts";

/** Properties that are undefined are no condition. The cost is that of the matches. Throws ToolError `not_found`. */
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
