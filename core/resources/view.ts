// Views (MCP Apps, the extension `io.modelcontextprotocol/ui`): a resource with an HTML page that a chat host shows beside
// the result of a tool. A tool names its view (Tool.view); hosts without the extension ignore both.
// Every client gets the same list of tools: over HTTP before 2026-07-28 a request does not say what its client can.

import type { Resource } from "./resource.ts";

/** The media type of a view. */
export const VIEW_TYPE = "text/html;profile=mcp-app";
/** The beginning of the URI of every view. */
export const VIEW_SCHEME = "ui://";

/** Whether the resource is a page for a browser. Its text is a program of the pack, not text for a model. */
export function isView({ uri }: Pick<Resource, "uri">): boolean {
  return uri.startsWith(VIEW_SCHEME);
}
