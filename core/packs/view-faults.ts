// What is wrong with the view that a tool of an external pack names. A host must find every view that a tool names.

import type { Resource } from "../resources/resource.ts";
import { isView, VIEW_SCHEME, VIEW_TYPE } from "../resources/view.ts";

type DeclaredResource = { readonly [Name in "uri" | "mimeType"]?: Resource[Name] | undefined };

/** Null if the view is one of these resources. */
export function viewFault(view: string, resources: readonly DeclaredResource[]): string | null {
  const found = resources.find(({ uri }) => uri === view);
  if (found !== undefined && isView({ uri: view }) && found.mimeType === VIEW_TYPE) return null;
  return `must be the URI of a resource of this pack that begins with ${VIEW_SCHEME} and has the mimeType ${VIEW_TYPE}`;
}
