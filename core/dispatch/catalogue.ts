// The offered tools, and their entries in tools/list. Created once and shared by every server.

import type { ListToolsResult } from "@modelcontextprotocol/server";
import type { Tool } from "../tools/tool.ts";
import { publishedInput, publishedOutput } from "./tool-schemas.ts";

export type ListedTool = ListToolsResult["tools"][number];

export class ToolCatalogue {
  readonly #tools: ReadonlyMap<string, Tool>;
  /** In the order of the packs. */
  readonly listed: readonly ListedTool[];

  /** `outputSchemas`: whether tools are listed with their output schemas. */
  constructor(tools: readonly Tool[], { outputSchemas = true }: { readonly outputSchemas?: boolean } = {}) {
    this.#tools = new Map(tools.map((tool) => [tool.name, tool]));
    if (this.#tools.size !== tools.length) throw new Error("two tools have one name");
    this.listed = tools.map((tool) => outputSchemas ? listedTool(tool) : withoutOutput(listedTool(tool)));
  }

  get(name: string): Tool | undefined {
    return this.#tools.get(name);
  }

  get names(): readonly string[] {
    return [...this.#tools.keys()];
  }
}

function withoutOutput({ outputSchema: _outputSchema, ...listed }: ListedTool): ListedTool {
  return listed;
}

export function listedTool(tool: Tool): ListedTool {
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: publishedInput(tool),
    outputSchema: publishedOutput(tool),
    annotations: { title: tool.title, ...tool.annotations },
  };
}
