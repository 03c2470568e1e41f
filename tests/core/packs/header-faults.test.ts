// Which x-mcp-header declarations mkt takes. A client of protocol 2026-07-28 takes just these: it leaves out every other tool.

import { expect, test } from "bun:test";
import { z } from "zod";
import { headerFaults } from "../../../core/packs/header-faults.ts";
import { publishedInput } from "../../../core/dispatch/tool-schemas.ts";
import type { Tool } from "../../../core/tools/tool.ts";

const faultsOf = (shape: z.ZodRawShape) =>
  headerFaults(publishedInput({ input: z.strictObject(shape) } as never as Tool));
const header = (name: unknown) => ({ "x-mcp-header": name });

test("texts, whole numbers and flags may have a header, also optional ones and those in an object", () => {
  expect(faultsOf({
    region: z.string().optional().meta(header("Region")),
    count: z.int().default(1).meta(header("Count")),
    where: z.strictObject({ dryRun: z.boolean().meta(header("Dry-Run")) }),
    "x-mcp-header": z.string(),
  })).toEqual([]);
});

test.each<[string, z.ZodRawShape, RegExp]>([
  ["a number", { price: z.number().meta(header("Price")) }, /^x-mcp-header of price is only for texts/],
  ["a list", { ids: z.array(z.string()).meta(header("Ids")) }, /^x-mcp-header of ids is only for texts/],
  [
    "an element of a list",
    { ids: z.array(z.string().meta(header("Id"))) },
    /^x-mcp-header of ids is only for arguments/,
  ],
  ["one of several types", { id: z.union([z.string(), z.int()]).meta(header("Id")) }, /is only for texts/],
  ["a header without a name", { id: z.string().meta(header("")) }, /must be the name of a header/],
  ["a header with a space", { id: z.string().meta(header("My id")) }, /must be the name of a header/],
  ["a header that is no text", { id: z.string().meta(header(true)) }, /must be the name of a header/],
  [
    "a header of another argument",
    { a: z.string().meta(header("Id")), b: z.string().meta(header("ID")) },
    /of b is ID/,
  ],
])("%s is refused", (_name, shape, message) => {
  expect(faultsOf(shape)).toEqual([expect.stringMatching(message)]);
});

test("a header of the input itself, or in a definition, is refused", () => {
  expect(headerFaults({ type: "object", ...header("Id") })).toHaveLength(1);
  expect(headerFaults({ type: "object", $defs: { id: { type: "string", ...header("Id") } } })).toHaveLength(1);
});

test("values that look like a header are no header", () => {
  expect(
    headerFaults({ type: "object", properties: { a: { type: "string", default: header("Id"), enum: [header("B")] } } }),
  )
    .toEqual([]);
});
