// The JSON text of tools/list, over all built-in tools: the same entries as the published schemas, and one source for both
// kinds of listing.

import { expect, test } from "bun:test";
import { ToolCatalogue } from "../../../core/dispatch/catalogue.ts";
import { publishedInput, publishedOutput } from "../../../core/dispatch/tool-schemas.ts";
import type { Tool } from "../../../core/tools/tool.ts";
import { PACKS } from "../../../plugins/index.ts";

const TOOLS = PACKS.flatMap(({ tools }) => tools);

function entryOf(tool: Tool, outputSchemas: boolean) {
  const { name, title, description, annotations } = tool;
  return {
    name,
    title,
    description,
    inputSchema: publishedInput(tool),
    ...(outputSchemas && { outputSchema: publishedOutput(tool) }),
    annotations: { title, ...annotations },
  };
}

test.each([true, false])(
  "the text of tools/list is the JSON of every tool's entry; output schemas: %p",
  (outputSchemas) => {
    const catalogue = new ToolCatalogue(TOOLS, { outputSchemas });
    expect(catalogue.toolsJson).toBe(JSON.stringify(TOOLS.map((tool) => entryOf(tool, outputSchemas))));
    expect(JSON.stringify(catalogue.listed)).toBe(catalogue.toolsJson);
  },
);

test("a configuration without tools lists none", () => {
  expect(new ToolCatalogue([]).toolsJson).toBe("[]");
});
