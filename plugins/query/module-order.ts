// Modules sorted by one of their properties, joined ones included. Modules without a value come last in both directions, and
// modules with equal values are in the order of their ids. A cursor continues after the value and id of the last module. A
// module whose value changes between two calls may be on both pages, or on none.
//
// Cost: all matches are read and sorted, so more than MAX_SORTED of them are refused.

import { propertiesOf, propertyReader } from "../../core/market/module-properties.ts";
import type { SnapshotQuery, SnapshotReader } from "../../core/market/snapshot-reader.ts";
import { encodeCursor, type ListPosition, type ListRequest, positionOf } from "../../core/tools/cursor.ts";
import { ToolError } from "../../core/error.ts";
import type { ModuleData, ModuleType } from "../../protocol/modules/registry.ts";
import type { Page } from "../toolkit/list-page.ts";

const MAX_SORTED = 20_000;

interface SortRequest extends ListRequest {
  /** Property name; descending with a minus sign in front. */
  readonly sort: string;
}

/** Throws ToolError `invalid_input`. */
export function sortedModules<Type extends ModuleType>(
  snapshot: SnapshotReader,
  type: Type,
  query: Pick<SnapshotQuery, "equals" | "where">,
  { sort, ...request }: SortRequest,
): Page<ModuleData<Type>> {
  const descending = sort.startsWith("-");
  const name = descending ? sort.slice(1) : sort;
  checkSortable(type, name);
  const { total, modules } = snapshot.find(type, { ...query, limit: MAX_SORTED });
  if (total > MAX_SORTED) {
    throw invalid(`sort: ${total} modules match, and at most ${MAX_SORTED} can be sorted`, "Give more filters.");
  }
  const read = propertyReader(type, snapshot);
  const isTime = propertiesOf(type).get(name)?.type === "time";
  const compare = comparison(descending ? -1 : 1);
  const after = positionOf(request);
  const rest = modules
    .map((module): Ranked<Type> => ({ module, rank: keyOf(read(module, name), isTime), id: module.id }))
    .filter((module) => after === undefined || compare(module, after) > 0)
    .sort(compare);
  const page = rest.slice(0, request.limit);
  const last = page.at(-1);
  const hasMore = rest.length > page.length;
  const cursor = hasMore && last !== undefined ? encodeCursor(request, last) : null;
  return { items: page.map(({ module }) => module), total, hasMore, cursor };
}

type Ranked<Type extends ModuleType> = ListPosition & { readonly module: ModuleData<Type> };

function keyOf(value: unknown, isTime: boolean): ListPosition["rank"] {
  if (isTime && typeof value === "string") return Date.parse(value);
  if (typeof value === "boolean") return Number(value);
  return typeof value === "string" || typeof value === "number" ? value : null;
}

/** By rank in the direction, then by id. */
function comparison(direction: 1 | -1) {
  return (a: ListPosition, b: ListPosition): number => {
    if (a.rank === b.rank) return a.id === b.id ? 0 : a.id < b.id ? -1 : 1;
    if (a.rank === null) return 1;
    if (b.rank === null) return -1;
    return (a.rank < b.rank ? -1 : 1) * direction;
  };
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
