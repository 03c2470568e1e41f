// A tool for what can be shown with any tool.

import { z } from "zod";
import { defineTool, READ_ONLY, type Tool } from "../../../core/tools/tool.ts";

/** Reads nothing and gives an empty object, unless `parts` say otherwise. */
export function toolNamed(name: string, parts: Partial<Tool> = {}): Tool {
  return {
    ...defineTool({
      name,
      title: name,
      description: name,
      input: z.strictObject({}),
      output: z.looseObject({}),
      annotations: READ_ONLY,
      handler: () => ({}),
    }),
    ...parts,
  };
}
