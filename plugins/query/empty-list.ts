// Why a list is empty: there is no such module at all, or the number of modules that each of several filters matches.

import { compileFilters } from "../../core/market/filter.ts";
import type { FilterContext } from "../../core/market/filter-values.ts";
import type { SnapshotReader } from "../../core/market/snapshot-reader.ts";
import type { ModuleType } from "../../protocol/modules/registry.ts";

/** Maximum number of filters to count; each costs a search. */
const MAX_COUNTED = 6;

type Context = FilterContext & { readonly snapshot: SnapshotReader };

/** `filters` matched nothing. Gives `note`, or nothing if the reason is unknown. */
export function emptyListNote(
  type: ModuleType,
  filters: Readonly<Record<string, unknown>>,
  context: Context,
): { readonly note?: string } {
  if (context.snapshot.count(type) === 0) return { note: `There is no ${type} now that you can see.` };
  const given = Object.entries(filters).filter(([, value]) => value !== undefined);
  if (given.length < 2 || given.length > MAX_COUNTED) return {};
  const counts = given.map(([name, value]) => `${name} ${countOf(type, { [name]: value }, context)}`);
  return { note: `Matches of each filter alone: ${counts.join(", ")}.` };
}

function countOf(type: ModuleType, filters: Readonly<Record<string, unknown>>, context: Context): number {
  return context.snapshot.find(type, { ...compileFilters(type, filters, context), limit: 1 }).total;
}
