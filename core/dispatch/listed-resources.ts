// The resources of resources/list: those without parameters, and of the others those that the acting user may read now.

import { errorStack } from "../../common/error-message.ts";
import { ToolError } from "../error.ts";
import { hasParameters, type ResourceCatalogue } from "../resources/resource-catalogue.ts";
import type { ListedResource, Resource } from "../resources/resource.ts";
import { expandUri } from "../resources/uri-template.ts";
import type { ToolContext } from "../tools/context.ts";

export interface ListedUri {
  readonly resource: Resource;
  readonly uri: string;
  /** Unique, as Resource.name. */
  readonly name: string;
  readonly title: string;
}

/** Resources whose `list` has failed and has not worked since. Each failure is logged once, because lists are made often. */
const failing = new WeakSet<Resource>();

/**
 * `contextOf` gives the context of a resource, or throws ToolError if it may not be read now. A resource whose `list` fails is
 * left out, so a faulty pack hides no resource of others.
 */
export function listedResources(
  catalogue: ResourceCatalogue,
  contextOf: (resource: Resource) => ToolContext,
): ListedUri[] {
  const fixed = catalogue.resources.filter((resource) => !hasParameters(resource))
    .map((resource) => ({ resource, uri: resource.uri, name: resource.name, title: resource.title }));
  const readable = catalogue.resources.filter(hasParameters).flatMap((resource) => readableOf(resource, contextOf));
  return [...fixed, ...readable];
}

function readableOf(resource: Resource, contextOf: (resource: Resource) => ToolContext): ListedUri[] {
  const { list } = resource;
  if (list === undefined) return [];
  let context: ToolContext;
  try {
    context = contextOf(resource);
  } catch (error) {
    if (error instanceof ToolError) return [];
    throw error;
  }
  try {
    const listed = list(context).map((one) => listedUri(resource, one));
    failing.delete(resource);
    return listed;
  } catch (error) {
    if (!(error instanceof ToolError) && !failing.has(resource)) {
      failing.add(resource);
      context.log.error("the list of {uri} failed: {error}", { uri: resource.uri, error: errorStack(error) });
    }
    return [];
  }
}

function listedUri(resource: Resource, { parameters, title }: ListedResource): ListedUri {
  const name = [resource.name, ...Object.values(parameters)].join("/");
  return { resource, uri: expandUri(resource.uri, parameters), name, title };
}
