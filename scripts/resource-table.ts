// Writes the table of resources in docs/mcp.md from their definitions. tests/documents checks that it is current.
//
//   bun scripts/resource-table.ts

import { aligned } from "../bench/table.ts";
import { JSON_TYPE, type Resource } from "../core/resources/resource.ts";
import { isView } from "../core/resources/view.ts";
import { PACKS } from "../plugins/index.ts";
import { HOUR_MS } from "../protocol/time-units.ts";
import { withSection } from "./document-section.ts";

const DOCUMENT = new URL("../docs/mcp.md", import.meta.url).pathname;

/** The document with a new table of resources. Views are a section of their own. */
export function withResourceTable(document: string): string {
  const rows = PACKS.flatMap((pack) =>
    pack.resources.filter((resource) => !isView(resource)).map((resource) => rowOf(resource, pack.name))
  );
  const header = ["resource", "pack", "content", "type", "needs", "cached", "subscribe"];
  return withSection(document, "resources", aligned(header, rows));
}

function rowOf({ uri, title, mimeType = JSON_TYPE, requires, cacheMs = 0, version }: Resource, pack: string): string[] {
  return [
    `\`${uri}\``,
    pack,
    title,
    mimeType.replace(/^.*\/(.*\+)?/, ""),
    requires?.connection === undefined ? "" : "C",
    cacheMs === 0 ? "no" : `${cacheMs / HOUR_MS} h`,
    version === undefined ? "no" : "yes",
  ];
}

if (import.meta.main) await Bun.write(DOCUMENT, withResourceTable(await Bun.file(DOCUMENT).text()));
