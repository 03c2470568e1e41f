// The resources of resources/list: those without parameters, and of the others those that the acting user may read now.

import { ToolError } from "../error.ts";
import { hasParameters, type ResourceCatalogue } from "../resources/resource-catalogue.ts";
import type { Resource } from "../resources/resource.ts";
import { expandUri } from "../resources/uri-template.ts";
import type { ToolContext } from "../tools/context.ts";

export interface ListedUri {
  readonly resource: Resource;
  readonly uri: string;
  /** Unique, as Resource.name. */
  readonly name: string;
  readonly title: string;
}

/** `contextOf` gives the context of a resource, or throws ToolError if it may not be read now. */
export function listedResources(
  catalogue: ResourceCatalogue,
  contextOf: (resource: Resource) => ToolContext,
): ListedUri[] {
  const fixed = catalogue.resources.filter((resource) => !hasParameters(resource))
    .map((resource) => ({ resource, uri: resource.uri, name: resource.name, title: resource.title }));
  const readable = catalogue.resources.filter(hasParameters).flatMap((resource) => {
    const { uri, name, list } = resource;
    if (list === undefined) return [];
    try {
      return list(contextOf(resource)).map(({ parameters, title }) => ({
        resource,
        uri: expandUri(uri, parameters),
        name: [name, ...Object.values(parameters)].join("/"),
        title,
      }));
    } catch (error) {
      if (error instanceof ToolError) return [];
      throw error;
    }
  });
  return [...fixed, ...readable];
}
