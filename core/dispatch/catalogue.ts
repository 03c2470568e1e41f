// The offered tools, and their entries in tools/list. Created once and shared by every server.

import type { ListToolsResult } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { Tool } from "../tools/tool.ts";

export type ListedTool = ListToolsResult["tools"][number];

export class ToolCatalogue {
  readonly #tools: ReadonlyMap<string, Tool>;
  /** In the order of the packs. */
  readonly listed: readonly ListedTool[];

  constructor(tools: readonly Tool[]) {
    this.#tools = new Map(tools.map((tool) => [tool.name, tool]));
    if (this.#tools.size !== tools.length) throw new Error("two tools have one name");
    this.listed = tools.map(listedTool);
  }

  get(name: string): Tool | undefined {
    return this.#tools.get(name);
  }

  get names(): readonly string[] {
    return [...this.#tools.keys()];
  }
}

export function listedTool(tool: Tool): ListedTool {
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: jsonSchema(tool.input, "input"),
    outputSchema: jsonSchema(tool.output, "output"),
    annotations: { title: tool.title, ...tool.annotations },
  };
}

function jsonSchema(schema: z.ZodObject, io: "input" | "output"): ListedTool["inputSchema"] {
  const { $schema: _dialect, ...json } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  return json as ListedTool["inputSchema"];
}
