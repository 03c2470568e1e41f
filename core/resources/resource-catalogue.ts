// The offered resources: which one a URI means, and the entries of resources/list and resources/templates/list. Created once
// and shared by every server.

import type { Resource, UriParameters } from "./resource.ts";
import { parameterNames, uriReader } from "./uri-template.ts";

/** A resource, and what its URI says. */
interface FoundResource {
  readonly resource: Resource;
  /** As the client wrote it. */
  readonly uri: string;
  readonly parameters: UriParameters;
}

export class ResourceCatalogue {
  readonly #fixed = new Map<string, Resource>();
  readonly #templates = new Map<string, { readonly resource: Resource; readonly read: ReturnType<typeof uriReader> }>();

  constructor(readonly resources: readonly Resource[]) {
    for (const resource of resources) {
      if (hasParameters(resource)) this.#templates.set(resource.uri, { resource, read: uriReader(resource.uri) });
      else this.#fixed.set(resource.uri, resource);
    }
    if (this.#fixed.size + this.#templates.size !== resources.length) throw new Error("two resources have one URI");
  }

  /** Null if no resource has such a URI. That the resource exists is only known once it is read. */
  find(uri: string): FoundResource | null {
    const fixed = this.#fixed.get(uri);
    if (fixed !== undefined) return { resource: fixed, uri, parameters: {} };
    for (const { resource, read } of this.#templates.values()) {
      const parameters = read(uri);
      if (parameters !== null) return { resource, uri, parameters };
    }
    return null;
  }

  /** The resource with this template, for completions. */
  template(uri: string): Resource | undefined {
    return this.#templates.get(uri)?.resource;
  }
}

export function hasParameters({ uri }: Resource): boolean {
  return parameterNames(uri).length > 0;
}
