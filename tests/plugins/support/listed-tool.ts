// A tool as tools/list describes it.

import { type ListedTool, ToolCatalogue } from "../../../core/dispatch/catalogue.ts";
import type { Tool } from "../../../core/tools/tool.ts";

export function listedTool(tool: Tool): ListedTool {
  return new ToolCatalogue([tool], { outputSchemas: true }).listed[0]!;
}
