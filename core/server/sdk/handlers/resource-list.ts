// The entries of resources/list, in pages, and of resources/templates/list.
//
// An entry of a resource with parameters has no description: its template has one.

import type { ListResourcesResult, ListResourceTemplatesResult } from "@modelcontextprotocol/server";
import { safeText } from "../../../../common/safe-text.ts";
import { listedResources, type ListedUri } from "../../../dispatch/listed-resources.ts";
import { hasParameters, type ResourceCatalogue } from "../../../resources/resource-catalogue.ts";
import { JSON_TYPE, type Resource } from "../../../resources/resource.ts";
import type { ToolContext } from "../../../tools/context.ts";
import { encodeCursor, type ListRequest, lostPosition, positionOf } from "../../../tools/cursor.ts";

const PAGE_SIZE = 100;

/**
 * `contextOf` gives the context of a resource, or throws ToolError if it may not be read now. Throws ToolError `invalid_input`
 * for a cursor that can't be continued.
 */
export function resourcePage(
  catalogue: ResourceCatalogue,
  contextOf: (resource: Resource) => ToolContext,
  cursor: string | undefined,
): ListResourcesResult {
  const request: ListRequest = { list: "resources/list", filters: {}, limit: PAGE_SIZE, cursor };
  const all = listedResources(catalogue, contextOf);
  const start = startOf(all, request);
  const page = all.slice(start, start + PAGE_SIZE);
  const resources = page.map(entryOf);
  const last = page.at(-1);
  if (last === undefined || start + page.length === all.length) return { resources };
  return { resources, nextCursor: encodeCursor(request, { rank: null, id: last.uri }) };
}

export function templateEntries({ resources }: ResourceCatalogue): ListResourceTemplatesResult["resourceTemplates"] {
  return resources.filter(hasParameters).map((resource) => ({ uriTemplate: resource.uri, ...described(resource) }));
}

function startOf(all: readonly ListedUri[], request: ListRequest): number {
  const after = positionOf(request);
  if (after === undefined) return 0;
  const index = all.findIndex(({ uri }) => uri === after.id);
  if (index < 0) throw lostPosition();
  return index + 1;
}

function entryOf({ resource, uri, name, title }: ListedUri): ListResourcesResult["resources"][number] {
  const { mimeType = JSON_TYPE } = resource;
  if (!hasParameters(resource)) return { uri, ...described(resource) };
  // Both have texts from the market.
  return { uri, name: safeText(name), title: safeText(title), mimeType };
}

function described({ name, title, description, mimeType = JSON_TYPE, annotations, meta }: Resource) {
  return {
    name,
    title,
    description,
    mimeType,
    ...(annotations && { annotations: { ...annotations, audience: [...annotations.audience] } }),
    ...(meta && { _meta: meta }),
  };
}
