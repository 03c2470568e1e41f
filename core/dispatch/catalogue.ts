// The offered tools, and their entries in tools/list. Created once and shared by every server. The entries are made when
// they are first asked for, because a server on stdio may never need them.

import type { ListToolsResult } from "@modelcontextprotocol/server";
import type { Tool } from "../tools/tool.ts";
import { entriesJson, toolEntry } from "./tool-entry.ts";

export type ListedTool = ListToolsResult["tools"][number];

export class ToolCatalogue {
  readonly #tools: ReadonlyMap<string, Tool>;
  readonly #outputSchemas: boolean;
  #toolsJson: string | null = null;
  #listed: readonly ListedTool[] | null = null;

  /** `outputSchemas`: whether tools are listed with their output schemas. */
  constructor(tools: readonly Tool[], { outputSchemas = true }: { readonly outputSchemas?: boolean } = {}) {
    this.#tools = new Map(tools.map((tool) => [tool.name, tool]));
    if (this.#tools.size !== tools.length) throw new Error("two tools have one name");
    this.#outputSchemas = outputSchemas;
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
    return this.#toolsJson ??= entriesJson([...this.#tools.values()].map(toolEntry), this.#outputSchemas);
  }

  /** The same as values. */
  get listed(): readonly ListedTool[] {
    return this.#listed ??= JSON.parse(this.toolsJson) as ListedTool[];
  }
}

export function listedTool(tool: Tool): ListedTool {
  const [listed] = JSON.parse(entriesJson([toolEntry(tool)], true)) as [ListedTool];
  return listed;
}
