import { expect, test } from "bun:test";
import { z } from "zod";
import { ToolCatalogue } from "../../../core/dispatch/catalogue.ts";
import { publishedInput, publishedOutput } from "../../../core/dispatch/tool-schemas.ts";
import { CONTENT, type Tool } from "../../../core/tools/tool.ts";
import { PACKS } from "../../../plugins/index.ts";
import { toolNamed } from "../support/tools.ts";

const TOOLS = PACKS.flatMap(({ tools }) => tools);

function entryOf(tool: Tool, outputSchemas: boolean) {
  const { name, title, description, annotations, view } = tool;
  return {
    name,
    title,
    description,
    inputSchema: publishedInput(tool),
    ...(outputSchemas && { outputSchema: publishedOutput(tool) }),
    annotations: { title, ...annotations },
    ...(view !== undefined && { _meta: { ui: { resourceUri: view } } }),
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

test("a tool whose result is content is listed without an output schema", () => {
  const tool = toolNamed("acme_image", { output: CONTENT });
  expect(new ToolCatalogue([tool]).listed[0]).not.toHaveProperty("outputSchema");
});

test("a published input schema is listed as it is, and the arguments are still checked by the input", () => {
  const publishedInput = { $schema: "https://json-schema.org/draft/2020-12/schema", type: "object", not: {} };
  const tool = toolNamed("acme", { publishedInput });
  expect(new ToolCatalogue([tool]).listed[0]?.inputSchema).toEqual(publishedInput as never);
  expect(tool.input.safeParse({ other: 1 }).success).toBe(false);
});

test("the header in which clients repeat an argument is listed, and the catalogue knows such tools", () => {
  const input = z.strictObject({ region: z.string().meta({ "x-mcp-header": "Region" }) });
  const catalogue = new ToolCatalogue([toolNamed("acme_with", { input }), toolNamed("acme_without")]);
  expect(catalogue.listed[0]?.inputSchema.properties).toEqual({ region: { type: "string", "x-mcp-header": "Region" } });
  expect(["acme_with", "acme_without", "acme_unknown"].map((name) => catalogue.schemaWithHeaders(name) !== null))
    .toEqual([true, false, false]);
});
