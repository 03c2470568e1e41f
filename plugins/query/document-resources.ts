// Documents, as resources: the backend protocol and the rules of the market. They are embedded in the executable, and loaded
// when they are first read.

import { defineResource } from "../../core/resources/resource.ts";
import { HOUR_MS } from "../../protocol/time-units.ts";

/** Documents and schemas only change with another version of mkt. */
export const DOCUMENT_CACHE_MS = HOUR_MS;

const MARKDOWN = "text/markdown";
const annotations = { audience: ["user", "assistant"], priority: 0.3 } as const;

const protocol = defineResource({
  name: "backend-protocol",
  uri: "mkt://protocol",
  title: "Backend protocol",
  description: "The protocol of market engines: messages, actions, modules, events, codes and limits.",
  mimeType: MARKDOWN,
  annotations,
  cacheMs: DOCUMENT_CACHE_MS,
  read: async () => forReader((await import("../../docs/backend-protocol.md", { with: { type: "text" } })).default),
});

const protocolSchema = defineResource({
  name: "backend-protocol-schema",
  uri: "mkt://protocol-schema",
  title: "JSON Schemas of the backend protocol",
  description: "A JSON Schema with every message of the backend protocol in its $defs, for programs: about 160 KB.",
  mimeType: "application/schema+json",
  annotations: { audience: ["user"], priority: 0.1 },
  cacheMs: DOCUMENT_CACHE_MS,
  read: async () => {
    // TypeScript knows no JSON as text; the runtime and the build do.
    const { default: text } = await import("../../docs/backend-protocol.schema.json", { with: { type: "text" } });
    return text as unknown as string;
  },
});

const marketRules = defineResource({
  name: "market-rules",
  uri: "mkt://market-rules",
  title: "Market rules",
  description: "How the built-in market works: matching, credit, sessions, delivery, positions, who sees what.",
  mimeType: MARKDOWN,
  annotations,
  cacheMs: DOCUMENT_CACHE_MS,
  read: async () => forReader((await import("../../docs/market-rules.md", { with: { type: "text" } })).default),
});

/** By the name of the file. */
const RESOURCES: Readonly<Record<string, string>> = {
  "backend-protocol.md": "mkt://protocol",
  "backend-protocol.schema.json": "mkt://protocol-schema",
  "market-rules.md": "mkt://market-rules",
};

const LINK = /!?\[([^\]]*)\]\(([^)\s]+)\)/g;
/** Within the document, or absolute. */
const LEADS_SOMEWHERE = /^(#|[a-z]+:)/;

/**
 * A document for a reader who has no files: a link to another document becomes one to its resource. If there is no such
 * resource, only the text of the link remains.
 */
export function forReader(markdown: string): string {
  return markdown.replace(LINK, (link, text: string, target: string) => {
    if (LEADS_SOMEWHERE.test(target)) return link;
    const [file = "", anchor] = target.split("#");
    if (!Object.hasOwn(RESOURCES, file)) return text;
    return `[${text}](${RESOURCES[file]}${anchor === undefined ? "" : `#${anchor}`})`;
  });
}

export default [protocol, protocolSchema, marketRules];
