// The JSON text of a tool's entry in tools/list, in parts, so one text serves listings with and without output schemas.
// Making it costs about 0.5 ms a tool, so it is made once: by the build for built-in tools, else when tools are first listed.

import type { Tool } from "../tools/tool.ts";
import { publishedInput, publishedOutput } from "./tool-schemas.ts";

export interface ToolEntry {
  readonly name: string;
  /** Everything before the output schema: an object's beginning, without a comma at its end. */
  readonly head: string;
  /** The output schema's JSON text. */
  readonly outputSchema: string;
  /** Everything after the output schema: the object's end, without a comma at its beginning. */
  readonly tail: string;
}

export function toolEntry(tool: Tool): ToolEntry {
  const { name, title, description } = tool;
  const head = JSON.stringify({ name, title, description, inputSchema: publishedInput(tool) });
  const tail = JSON.stringify({ annotations: { title, ...tool.annotations } });
  return { name, head: head.slice(0, -1), outputSchema: JSON.stringify(publishedOutput(tool)), tail: tail.slice(1) };
}

/** The JSON text of `tools` in the answer to tools/list. */
export function entriesJson(entries: readonly ToolEntry[], outputSchemas: boolean): string {
  const texts = entries.map(({ head, outputSchema, tail }) =>
    outputSchemas ? `${head},"outputSchema":${outputSchema},${tail}` : `${head},${tail}`
  );
  return `[${texts.join(",")}]`;
}
