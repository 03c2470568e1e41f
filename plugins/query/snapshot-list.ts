// Shared by the list tools: a page of modules in the snapshot, by given property values. If nothing matches, each id in the
// values must exist, so that an empty list never hides a mistyped id.

import type { SnapshotReader } from "../../core/market/snapshot-reader.ts";
import type { ListRequest } from "../../core/tools/cursor.ts";
import type { ModuleType } from "../../protocol/modules/registry.ts";
import { moduleView, type ShownModule } from "../toolkit/columns.ts";
import { type Page, pageOfModules } from "../toolkit/list-page.ts";
import { checkNamedModules } from "../toolkit/named-modules.ts";

interface ModuleListRequest extends ListRequest {
  /** Property names; the default columns if absent. */
  readonly fields: readonly string[] | undefined;
}

/**
 * `filters` are property values; those that are undefined are ignored. Cost: the page, if an index fits the filters. Throws
 * ToolError `not_found`, or `invalid_input` for a wrong cursor or column.
 */
export function listModules(
  snapshot: SnapshotReader,
  type: ModuleType,
  { fields, ...request }: ModuleListRequest,
): Page<ShownModule> & { readonly count: number } {
  const view = moduleView(type, fields, snapshot);
  const page = pageOfModules(snapshot, type, { equals: request.filters }, request);
  if (page.total === 0) checkNamedModules(snapshot, request.filters);
  return { count: page.items.length, ...page, items: page.items.map(view) };
}
