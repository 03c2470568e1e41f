// The views of tools in chat hosts (MCP Apps). Each is one page with its script and style inside, because it has no server of
// its own. All pages are the same program (web/views), which shows the view that the page names.

import { defineResource, type Resource } from "../../core/resources/resource.ts";
import { VIEW_SCHEME, VIEW_TYPE } from "../../core/resources/view.ts";
import { HOUR_MS } from "../../protocol/time-units.ts";
import type { ViewName } from "../../web/views/view-name.ts";

interface View {
  readonly name: ViewName;
  readonly title: string;
  readonly description: string;
}

/** What `Tool.view` names. */
export function viewUri(name: ViewName): string {
  return `${VIEW_SCHEME}mkt/${name}.html`;
}

export function defineView({ name, title, description }: View): Resource {
  return defineResource({
    name: `${name}-view`,
    uri: viewUri(name),
    title,
    description,
    mimeType: VIEW_TYPE,
    annotations: { audience: ["user"], priority: 0.1 },
    // The page asks no host for anything. What it shows comes from tools, through the chat host.
    meta: { ui: { csp: { connectDomains: [], resourceDomains: [] }, prefersBorder: true } },
    cacheMs: HOUR_MS,
    read: async () => viewPage(name, title, await (await import("../../web/built-files.ts")).builtFiles()),
  });
}

/** `files` has `views.js` and `views.css`. */
export function viewPage(name: ViewName, title: string, files: Readonly<Record<string, string>>): string {
  const { "views.js": script, "views.css": style } = files;
  if (script === undefined || style === undefined) throw new Error("the views are not built");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${endable(style, "style")}</style>
</head>
<body data-view="${name}">
<script type="module">${endable(script, "script")}</script>
</body>
</html>
`;
}

/** Text that can't end its element. In strings, comments and patterns of a script or style, `<\\/` means `</`. */
function endable(text: string, element: "script" | "style"): string {
  return text.replaceAll(new RegExp(`</(?=${element})`, "gi"), "<\\/").replaceAll("<!--", "<\\!--");
}
