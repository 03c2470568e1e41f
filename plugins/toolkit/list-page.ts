// Pages of lists: modules in the snapshot, and items that a tool holds in an array.

import { encodeCursor, type ListRequest, lostPosition, notACursor, positionOf } from "../../core/tools/cursor.ts";
import type { ModulePosition, SnapshotQuery, SnapshotReader } from "../../core/market/snapshot-reader.ts";
import type { ModuleData, ModuleType } from "../../protocol/modules/registry.ts";

export interface Page<Item> {
  readonly items: Item[];
  /** All matches, returned or not. */
  readonly total: number;
  readonly hasMore: boolean;
  /** Null on the last page. */
  readonly cursor: string | null;
}

/** A page of the modules that match. Throws ToolError `invalid_input` for a cursor that can't be continued. */
export function pageOfModules<Type extends ModuleType>(
  snapshot: SnapshotReader,
  type: Type,
  query: Pick<SnapshotQuery, "equals" | "where">,
  request: ListRequest,
): Page<ModuleData<Type>> {
  const after = modulePositionOf(request);
  if (after?.rank === null && snapshot.get(type, after.id) === undefined) throw lostPosition();
  const { total, modules, next } = snapshot.find(type, { ...query, after, limit: request.limit });
  return { items: modules, total, hasMore: next !== null, cursor: next === null ? null : encodeCursor(request, next) };
}

function modulePositionOf(request: ListRequest): ModulePosition | undefined {
  const position = positionOf(request);
  if (position === undefined) return undefined;
  const { rank, id } = position;
  if (typeof rank === "string") throw notACursor();
  return { rank, id };
}

/**
 * A page of an array that keeps its order. `idOf` gives an item's id, unique in the array. Throws ToolError `invalid_input`
 * for a cursor that can't be continued.
 */
export function pageOf<Item>(items: readonly Item[], idOf: (item: Item) => string, request: ListRequest): Page<Item> {
  const start = startOf(items, idOf, request);
  const page = items.slice(start, start + request.limit);
  const last = page.at(-1);
  const hasMore = start + page.length < items.length;
  const cursor = hasMore && last !== undefined ? encodeCursor(request, { rank: null, id: idOf(last) }) : null;
  return { items: page, total: items.length, hasMore, cursor };
}

function startOf<Item>(items: readonly Item[], idOf: (item: Item) => string, request: ListRequest): number {
  const after = positionOf(request);
  if (after === undefined) return 0;
  const index = items.findIndex((item) => idOf(item) === after.id);
  if (index < 0) throw lostPosition();
  return index + 1;
}
