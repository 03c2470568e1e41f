// resources/list, resources/templates/list and resources/read.
//
// An unknown resource is -32602 on every revision, as the SDK writes it. Revision 2025-11-25 recommends -32002; the
// official clients accept both.

import {
  type McpServer,
  type ProtocolEra,
  type ReadResourceResult,
  ResourceNotFoundError,
} from "@modelcontextprotocol/server";
import { didYouMean } from "../../../../common/command-line.ts";
import { safeJson, safeLines, safeText } from "../../../../common/safe-text.ts";
import { withFreshness } from "../../../dispatch/outcome.ts";
import type { PackRequest, PackRequests } from "../../../dispatch/pack-requests.ts";
import { textOf, ToolError } from "../../../error.ts";
import { loggedParameters } from "../../../guardrails/logged-parameters.ts";
import type { ResourceCatalogue } from "../../../resources/resource-catalogue.ts";
import { JSON_TYPE, type Resource, type ResourceValue } from "../../../resources/resource.ts";
import { isView } from "../../../resources/view.ts";
import { scopeOf } from "../exchange/call-scope.ts";
import { resourcePage, templateEntries } from "./resource-list.ts";

/** Maximum length of an unknown URI in the error message. */
const MAX_URI_SHOWN = 100;

interface ResourceServing {
  readonly catalogue: ResourceCatalogue;
  readonly requests: PackRequests;
  /** Only protocol 2026-07-28 (`modern`) has cache times. */
  readonly era: ProtocolEra;
}

export function serveResources({ server }: McpServer, { catalogue, requests, era }: ResourceServing): void {
  server.setRequestHandler("resources/list", ({ params }, context) => {
    const contextOf = (resource: Resource) => requests.contextFor(requestFor(resource), scopeOf(context));
    return resourcePage(catalogue, contextOf, params?.cursor);
  });
  server.setRequestHandler("resources/templates/list", () => ({ resourceTemplates: templateEntries(catalogue) }));
  server.setRequestHandler("resources/read", async ({ params: { uri } }, context) => {
    const found = catalogue.find(uri);
    const scope = scopeOf(context);
    if (found === null) {
      requests.recordUnknown("resource", "resource", scope);
      throw unknownResource(uri, catalogue);
    }
    const { resource, parameters } = found;
    const request = { ...requestFor(resource), arguments: loggedParameters(parameters) };
    try {
      const content = await requests.run(request, scope, async (call) => {
        const value = await resource.read(parameters, call);
        return contentOf(resource, uri, isData(value) ? withFreshness(resource, value, call) : value);
      });
      const answer = { contents: [content] };
      return era === "modern" ? withCacheTime(answer, resource) : answer;
    } catch (error) {
      if (error instanceof ToolError && error.code === "not_found") throw notFound(uri, error);
      throw error;
    }
  });
}

function requestFor({ uri, requires }: Resource): PackRequest {
  return { kind: "resource", name: uri, ...(requires && { requires }) };
}

function isData(value: ResourceValue): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && !(value instanceof Uint8Array);
}

function contentOf(resource: Resource, uri: string, value: ResourceValue): ReadResourceResult["contents"][number] {
  const { mimeType = JSON_TYPE, meta } = resource;
  const described = { uri, mimeType, ...(meta && { _meta: meta }) };
  if (value instanceof Uint8Array) return { ...described, blob: value.toBase64() };
  return { ...described, text: typeof value === "string" ? textOfFile(resource, value) : safeJson(value) };
}

/** A view is a program, in which an escaped tab would be a fault. */
function textOfFile(resource: Resource, text: string): string {
  return isView(resource) ? text : safeLines(text);
}

function withCacheTime<Result extends object>(result: Result, { cacheMs = 0 }: Resource): Result {
  return { ...result, ttlMs: cacheMs, cacheScope: "private" };
}

function unknownResource(uri: string, { resources }: ResourceCatalogue): ResourceNotFoundError {
  const nearest = didYouMean(uri, resources.map((resource) => resource.uri));
  const known = "resources/list and resources/templates/list have all.";
  return new ResourceNotFoundError(uri, `Resource ${safeText(uri, MAX_URI_SHOWN)} not found${nearest}; ${known}`);
}

function notFound(uri: string, error: ToolError): ResourceNotFoundError {
  return new ResourceNotFoundError(uri, safeText(textOf(error)));
}
