// Shared by the list tools: a page of modules in the snapshot, by given property values. If nothing matches, each id in the
// values must exist, so that an empty list never hides a mistyped id.

import { compileFilters } from "../../core/market/filter.ts";
import type { FilterContext } from "../../core/market/filter-values.ts";
import type { SnapshotReader } from "../../core/market/snapshot-reader.ts";
import type { ToolContext } from "../../core/tools/context.ts";
import type { ListRequest } from "../../core/tools/cursor.ts";
import type { ModuleType } from "../../protocol/modules/registry.ts";
import { moduleView, type ShownModule } from "../toolkit/columns.ts";
import { type Page, pageOfModules } from "../toolkit/list-page.ts";
import { checkNamedModules, equalsMeant } from "../toolkit/named-modules.ts";

interface ModuleListRequest extends ListRequest {
  /** Property names; the default columns if absent. */
  readonly fields: readonly string[] | undefined;
}

/**
 * `filters` are property values; those that are undefined are ignored. Cost: the page, if an index fits the filters. Throws
 * ToolError `not_found`, or `invalid_input` for a wrong cursor or column.
 */
export function listModules(
  { snapshot, pubsub }: Pick<ToolContext, "snapshot" | "pubsub">,
  type: ModuleType,
  { fields, ...given }: ModuleListRequest,
): Page<ShownModule> & { readonly count: number; readonly note?: string } {
  const view = moduleView(type, fields, snapshot);
  const request = { ...given, filters: equalsMeant(snapshot, type, given.filters) };
  const page = pageOfModules(snapshot, type, { equals: request.filters }, request);
  const list = { count: page.items.length, ...page, items: page.items.map(view) };
  if (page.total > 0) return list;
  checkNamedModules(snapshot, request.filters);
  return { ...list, ...emptyListNote(type, request.filters, { snapshot, now: pubsub.marketTime() }) };
}

/** Maximum number of filters to count; each costs a search. */
const MAX_COUNTED = 6;

type Context = FilterContext & { readonly snapshot: SnapshotReader };

/**
 * Why a list is empty: there is no such module at all, or the number of modules that each of several filters matches.
 * `filters` matched nothing. Gives `note`, or nothing if the reason is unknown.
 */
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
