// A resource is data: URI, requirements, and how to read it. resource-catalogue.ts finds the resource that a URI means;
// core/server/ serves it, after the same checks as a tool.

import type { Completion } from "../tools/completion.ts";
import type { ToolContext } from "../tools/context.ts";
import type { Requirements } from "../tools/tool.ts";

/** The values of the parameters in a resource's URI, decoded. */
export type UriParameters = Readonly<Record<string, string>>;

export const JSON_TYPE = "application/json";

/** What a resource holds: an object is served as JSON, a string as text, and bytes in base64. */
export type ResourceValue = Readonly<Record<string, unknown>> | string | Uint8Array;

/** For whom a resource is meant, and how important it is for them: from 0 to 1. */
export interface ResourceAnnotations {
  readonly audience: readonly ("user" | "assistant")[];
  readonly priority: number;
}

/** An entry of resources/list for a resource whose URI has parameters. */
export interface ListedResource {
  readonly parameters: UriParameters;
  readonly title: string;
}

export interface Resource {
  /** Unique, for clients that show names. */
  readonly name: string;
  /** `mkt://market`, or with parameters `mkt://order-book/{contractId}`: each stands for one segment of the path. */
  readonly uri: string;
  readonly title: string;
  readonly description: string;
  /** JSON_TYPE if absent. */
  readonly mimeType?: string;
  readonly annotations?: ResourceAnnotations;
  /** `_meta` of the resource's entry and of its content, for extensions of the protocol. */
  readonly meta?: Readonly<Record<string, unknown>>;
  readonly requires?: Requirements;
  /** For how long a client may keep what it has read, in milliseconds. 0 if absent: it must ask again each time. */
  readonly cacheMs?: number;
  /** The completion of each parameter in the URI; null for one that can't be completed. */
  readonly parameters?: Readonly<Record<string, Completion | null>>;
  /** Which of them are in resources/list. None if absent. It is only called if `requires` holds. */
  readonly list?: (context: ToolContext) => readonly ListedResource[];
  /**
   * Another value, by Object.is, whenever the content has changed. It is called several times a second for each URI that
   * somebody has subscribed to, so it must be cheap: a state, a sequence number. Absent: nobody can subscribe. It may also
   * change without the content; the passing of time alone is no change. What a connection alone changes is added to it, if the
   * resource requires one. Throws as `read` does, or `not_connected` if changes are only seen with a connection.
   */
  readonly version?: (parameters: UriParameters, context: ToolContext) => unknown;
  /** Throws ToolError; `not_found` if there is no such resource. */
  readonly read: (parameters: UriParameters, context: ToolContext) => ResourceValue | Promise<ResourceValue>;
}

export function defineResource(resource: Resource): Resource {
  return resource;
}
