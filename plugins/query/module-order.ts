// Modules sorted by one of their properties, joined ones included. Modules without a value come last in both directions, equal
// ones in the order of their list. A sorted answer has no cursor, because values change between two calls.
//
// Cost: all matches are read and sorted, so there may be MAX_SORTED of them.

import { propertiesOf, propertyReader } from "../../core/market/module-properties.ts";
import type { SnapshotQuery, SnapshotReader } from "../../core/market/snapshot-reader.ts";
import { ToolError } from "../../core/error.ts";
import type { ModuleData, ModuleType } from "../../protocol/modules/registry.ts";
import type { Page } from "../toolkit/list-page.ts";

const MAX_SORTED = 20_000;

interface SortRequest {
  /** Property name; descending with a minus sign in front. */
  readonly sort: string;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** Throws ToolError `invalid_input`. */
export function sortedModules<Type extends ModuleType>(
  snapshot: SnapshotReader,
  type: Type,
  query: Pick<SnapshotQuery, "equals" | "where">,
  { sort, limit, cursor }: SortRequest,
): Page<ModuleData<Type>> {
  if (cursor !== undefined) throw invalid("sort and cursor can't be combined", "Leave cursor out, and raise limit.");
  const descending = sort.startsWith("-");
  const name = descending ? sort.slice(1) : sort;
  checkSortable(type, name);
  const { total, modules } = snapshot.find(type, { ...query, limit: MAX_SORTED });
  if (total > MAX_SORTED) {
    throw invalid(`sort: ${total} modules match, and at most ${MAX_SORTED} can be sorted`, "Give more filters.");
  }
  const read = propertyReader(type, snapshot);
  const isTime = propertiesOf(type).get(name)?.type === "time";
  const keyed = modules.map((module) => ({ module, key: keyOf(read(module, name), isTime) }));
  keyed.sort((a, b) => compareKeys(a.key, b.key, descending ? -1 : 1));
  const items = keyed.slice(0, limit).map(({ module }) => module);
  return { items, total, hasMore: total > items.length, cursor: null };
}

type Key = string | number | null;

function keyOf(value: unknown, isTime: boolean): Key {
  if (isTime && typeof value === "string") return Date.parse(value);
  if (typeof value === "boolean") return Number(value);
  return typeof value === "string" || typeof value === "number" ? value : null;
}

function compareKeys(a: Key, b: Key, direction: 1 | -1): number {
  if (a === b) return 0;
  if (a === null) return 1;
  if (b === null) return -1;
  return (a < b ? -1 : 1) * direction;
}

function checkSortable(type: ModuleType, name: string): void {
  const sortable = [...propertiesOf(type)].filter(([, property]) =>
    property.type !== "array" && property.type !== "object"
  );
  if (sortable.some(([known]) => known === name)) return;
  const names = sortable.map(([known]) => known).join(", ");
  throw invalid(`sort: ${type} can't be sorted by ${JSON.stringify(name)}`, `Sort by one of ${names}.`);
}

function invalid(message: string, hint: string): ToolError {
  return new ToolError("invalid_input", `${message}.`, hint);
}
