// The offered tools, and their entries in tools/list. Created once and shared by every server. The entries are made when
// they are first asked for, because a server on stdio may never need them.

import type { ListToolsResult } from "@modelcontextprotocol/server";
import { CONTENT, type Tool } from "../tools/tool.ts";
import { entriesJson, type ToolEntry } from "./tool-entry.ts";
import { HEADER_KEYWORD, publishedInput, publishedOutput } from "./tool-schemas.ts";

export type ListedTool = ListToolsResult["tools"][number];

interface CatalogueOptions {
  /** Whether tools are listed with their output schemas. */
  readonly outputSchemas?: boolean;
  /** Entries that the build has made, by the tool's name. Making one costs about 0.5 ms. */
  readonly entries?: ReadonlyMap<string, ToolEntry>;
}

export class ToolCatalogue {
  readonly #tools: ReadonlyMap<string, Tool>;
  readonly #options: CatalogueOptions;
  #toolsJson: string | null = null;
  #listed: readonly ListedTool[] | null = null;
  /** By the names of tools that were asked for: the input schema if it declares headers, else null. */
  readonly #headers = new Map<string, ListedTool["inputSchema"] | null>();

  constructor(tools: readonly Tool[], options: CatalogueOptions = {}) {
    this.#tools = new Map(tools.map((tool) => [tool.name, tool]));
    if (this.#tools.size !== tools.length) throw new Error("two tools have one name");
    this.#options = options;
  }

  get(name: string): Tool | undefined {
    return this.#tools.get(name);
  }

  /** In the order of the packs. */
  get names(): readonly string[] {
    return [...this.#tools.keys()];
  }

  /** The JSON text of `tools` in the answer to tools/list, in the order of the packs. */
  get toolsJson(): string {
    const { outputSchemas = true, entries } = this.#options;
    return this.#toolsJson ??= entriesJson(
      [...this.#tools.values()].map((tool) => entries?.get(tool.name) ?? toolEntry(tool)),
      outputSchemas,
    );
  }

  /** The same as values. */
  get listed(): readonly ListedTool[] {
    return this.#listed ??= JSON.parse(this.toolsJson) as ListedTool[];
  }

  /**
   * The published input schema of a tool of which clients of protocol 2026-07-28 repeat arguments in HTTP headers
   * (`x-mcp-header`); null for any other.
   */
  schemaWithHeaders(name: string): ListedTool["inputSchema"] | null {
    const known = this.#headers.get(name);
    if (known !== undefined) return known;
    const tool = this.#tools.get(name);
    if (tool === undefined) return null;
    const schema = publishedInput(tool);
    const found = JSON.stringify(schema).includes(`"${HEADER_KEYWORD}"`) ? schema : null;
    this.#headers.set(name, found);
    return found;
  }
}

export function toolEntry(tool: Tool): ToolEntry {
  const { name, title, description, view } = tool;
  const head = JSON.stringify({ name, title, description, inputSchema: publishedInput(tool) });
  const tail = JSON.stringify({
    annotations: { title, ...tool.annotations },
    ...(view !== undefined && { _meta: { ui: { resourceUri: view } } }),
  });
  return { name, head: head.slice(0, -1), outputSchema: outputJson(tool), tail: tail.slice(1) };
}

function outputJson(tool: Tool): string | null {
  return tool.output === CONTENT ? null : JSON.stringify(publishedOutput(tool));
}
