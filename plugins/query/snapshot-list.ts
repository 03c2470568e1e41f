// Shared by the list tools: a page of modules in the snapshot, by given property values. If nothing matches, each id in the
// values must exist, so that an empty list never hides a mistyped id.

import type { ToolContext } from "../../core/tools/context.ts";
import type { ListRequest } from "../../core/tools/cursor.ts";
import type { ModuleType } from "../../protocol/modules/registry.ts";
import { moduleView, type ShownModule } from "../toolkit/columns.ts";
import { type Page, pageOfModules } from "../toolkit/list-page.ts";
import { checkNamedModules } from "../toolkit/named-modules.ts";
import { emptyListNote } from "./empty-list.ts";

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
  { fields, ...request }: ModuleListRequest,
): Page<ShownModule> & { readonly count: number; readonly note?: string } {
  const view = moduleView(type, fields, snapshot);
  const page = pageOfModules(snapshot, type, { equals: request.filters }, request);
  const list = { count: page.items.length, ...page, items: page.items.map(view) };
  if (page.total > 0) return list;
  checkNamedModules(snapshot, request.filters);
  return { ...list, ...emptyListNote(type, request.filters, { snapshot, now: pubsub.marketTime() }) };
}
