// What a model pays before it calls anything: the names, descriptions and schemas of all tools, which clients put into its
// prompt. The budgets are bytes over all tools. A new tool or parameter must fit within them.

import { expect, test } from "bun:test";
import { type ListedTool, ToolCatalogue } from "../../core/dispatch/catalogue.ts";
import { TOOLS } from "./support/packs.ts";

const INPUT_BUDGET = 28_000;
const OUTPUT_BUDGET = 30_000;

const { listed } = new ToolCatalogue(TOOLS);

const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));
const sum = (size: (tool: ListedTool) => number) => listed.reduce((total, tool) => total + size(tool), 0);

test(`names, descriptions and input schemas of all tools have at most ${INPUT_BUDGET} bytes`, () => {
  const bytes = sum(({ name, description, inputSchema }) => bytesOf({ name, description, inputSchema }));
  expect(bytes).toBeLessThanOrEqual(INPUT_BUDGET);
});

test(`output schemas of all tools have at most ${OUTPUT_BUDGET} bytes`, () => {
  expect(sum(({ outputSchema }) => bytesOf(outputSchema))).toBeLessThanOrEqual(OUTPUT_BUDGET);
});
