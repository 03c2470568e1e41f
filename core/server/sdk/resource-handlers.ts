// resources/list, resources/templates/list and resources/read.

import { type McpServer, type ReadResourceResult, ResourceNotFoundError } from "@modelcontextprotocol/server";
import { safeJson } from "../../../common/safe-json.ts";
import { safeLines } from "../../../common/safe-text.ts";
import { listedResources } from "../../dispatch/listed-resources.ts";
import { withFreshness } from "../../dispatch/outcome.ts";
import type { PackRequests } from "../../dispatch/pack-requests.ts";
import { ToolError } from "../../error.ts";
import { hasParameters, type ResourceCatalogue } from "../../resources/resource-catalogue.ts";
import type { Resource, ResourceValue } from "../../resources/resource.ts";
import { scopeOf } from "./call-scope.ts";
import { loggedParameters } from "./logged-parameters.ts";

const JSON_TYPE = "application/json";

export function serveResources({ server }: McpServer, catalogue: ResourceCatalogue, requests: PackRequests): void {
  server.setRequestHandler("resources/list", (_, context) => {
    const contextOf = (resource: Resource) =>
      requests.check({ kind: "resource", name: resource.uri, ...requiresOf(resource) }, scopeOf(context));
    const listed = listedResources(catalogue, contextOf);
    return { resources: listed.map(({ resource, uri, title }) => ({ uri, ...described(resource), title })) };
  });
  server.setRequestHandler("resources/templates/list", () => ({
    resourceTemplates: catalogue.resources.filter(hasParameters)
      .map((resource) => ({ uriTemplate: resource.uri, ...described(resource) })),
  }));
  server.setRequestHandler("resources/read", async ({ params: { uri } }, context) => {
    const found = catalogue.find(uri);
    if (found === null) throw new ResourceNotFoundError(uri);
    const { resource, parameters } = found;
    const request = {
      kind: "resource",
      name: resource.uri,
      arguments: loggedParameters(parameters),
      ...requiresOf(resource),
    } as const;
    try {
      const read = await requests.run(request, scopeOf(context), async (call) => {
        const value = await resource.read(parameters, call);
        return isData(value) ? withFreshness(resource, value, call) : value;
      });
      return withCacheTime({ contents: [contentOf(resource, uri, read)] }, resource);
    } catch (error) {
      if (error instanceof ToolError && error.code === "not_found") throw notFound(uri, error);
      throw error;
    }
  });
}

function isData(value: ResourceValue): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && !(value instanceof Uint8Array);
}

function requiresOf({ requires }: Resource) {
  return requires === undefined ? {} : { requires };
}

function described({ name, title, description, mimeType = JSON_TYPE }: Resource) {
  return { name, title, description, mimeType };
}

function contentOf(
  { mimeType = JSON_TYPE }: Resource,
  uri: string,
  value: ResourceValue,
): ReadResourceResult["contents"][number] {
  if (value instanceof Uint8Array) return { uri, mimeType, blob: value.toBase64() };
  return { uri, mimeType, text: typeof value === "string" ? safeLines(value) : safeJson(value).text };
}

/** Older protocols don't have the two members, and the SDK leaves them out. */
function withCacheTime<Result extends object>(result: Result, { cacheMs = 0 }: Resource): Result {
  return { ...result, ttlMs: cacheMs, cacheScope: "private" };
}

function notFound(uri: string, { message, hint }: ToolError): ResourceNotFoundError {
  return new ResourceNotFoundError(uri, `${message} ${hint}`);
}
