import { describe, expect, test } from "bun:test";
import { z } from "zod";
import { publishedInput, publishedOutput } from "../../../core/dispatch/tool-schemas.ts";
import type { Requirements, Tool } from "../../../core/tools/tool.ts";

const inputOf = (shape: z.ZodRawShape) => publishedInput({ input: z.strictObject(shape) } as never as Tool);
const outputOf = (shape: z.ZodRawShape, requires?: Requirements) =>
  publishedOutput({ output: z.looseObject(shape), requires } as never as Tool);

describe("a published input schema", () => {
  test("names required and optional parameters with type and description, and allows no others", () => {
    expect(inputOf({ id: z.string().describe("An id"), all: z.boolean().default(false) })).toEqual({
      type: "object",
      properties: { id: { type: "string", description: "An id" }, all: { type: "boolean" } },
      required: ["id"],
      additionalProperties: false,
    });
  });

  test.each<[string, z.ZodRawShape, Record<string, unknown>]>([
    [
      "leaves out what some provider refuses (lengths, patterns, formats, defaults), and the bounds of every integer",
      { text: z.string().min(1).max(9), code: z.string().regex(/^x$/), day: z.iso.date(), count: z.int().default(5) },
      { text: { type: "string" }, code: { type: "string" }, day: { type: "string" }, count: { type: "integer" } },
    ],
    [
      "keeps bounds of numbers and lists; an exclusive bound becomes the nearest that providers know",
      {
        price: z.int().min(-5).max(7),
        above: z.number().positive().lt(10),
        types: z.array(z.string().max(5)).min(1).max(3),
      },
      {
        price: { type: "integer", minimum: -5, maximum: 7 },
        above: { type: "number", minimum: 0, maximum: 10 },
        types: { type: "array", minItems: 1, maxItems: 3, items: { type: "string" } },
      },
    ],
    [
      "shows the plain type of a parameter that takes more forms",
      { side: z.preprocess((value) => value, z.enum(["BUY", "SELL"])) },
      { side: { type: "string", enum: ["BUY", "SELL"] } },
    ],
  ])("%s", (_what, shape, properties) => {
    expect(inputOf(shape).properties).toEqual(properties as never);
  });

  test("has the same form at every depth, and a record is an object of any properties", () => {
    const group = z.strictObject({ name: z.string().max(5), size: z.int().min(1).optional() });
    const filters = z.record(z.string().max(3), z.union([z.string(), z.null()])).describe("Filters").optional();
    expect(inputOf({ groups: z.array(group), filters })).toEqual({
      type: "object",
      properties: {
        groups: {
          type: "array",
          items: {
            type: "object",
            properties: { name: { type: "string" }, size: { type: "integer", minimum: 1 } },
            required: ["name"],
            additionalProperties: false,
          },
        },
        filters: { type: "object", description: "Filters" },
      },
      required: ["groups"],
      additionalProperties: false,
    });
  });
});

describe("a published output schema", () => {
  test("has types, units and formats, and no bound", () => {
    expect(outputOf({ price: z.int().min(-5).describe("cents/MWh"), id: z.string().max(9), at: z.iso.datetime() }))
      .toEqual({
        type: "object",
        properties: {
          price: { type: "integer", description: "cents/MWh" },
          id: { type: "string" },
          at: { type: "string", format: "date-time" },
        },
        required: ["price", "id", "at"],
      });
  });

  test("is open at every depth, also if an object of it is declared closed", () => {
    const schema = outputOf({ inner: z.strictObject({ a: z.string() }), plain: z.object({ b: z.string() }) });
    expect(JSON.stringify(schema)).not.toContain("additionalProperties");
  });

  test("keeps the values of a record, if they have a type", () => {
    const counts = z.record(z.string(), z.int().min(0));
    expect(outputOf({ counts, data: z.record(z.string(), z.unknown()), more: z.looseObject({}) }).properties).toEqual({
      counts: { type: "object", additionalProperties: { type: "integer" } },
      data: { type: "object" },
      more: { type: "object" },
    });
  });

  test("allows null in the shortest form", () => {
    expect(
      outputOf({
        text: z.string().nullable().describe("Words"),
        inner: z.looseObject({ a: z.int() }).nullable(),
        choice: z.enum(["a", "b"]).nullable(),
      }).properties,
    ).toEqual({
      text: { type: ["string", "null"], description: "Words" },
      inner: { type: ["object", "null"], properties: { a: { type: "integer" } }, required: ["a"] },
      choice: { anyOf: [{ type: "string", enum: ["a", "b"] }, { type: "null" }] },
    });
  });

  test("declares stale, asOf and incomplete only for tools that read from the connection", () => {
    expect(Object.keys(outputOf({ a: z.int() }, { connection: "read" }).properties as object)).toEqual(
      ["a", "stale", "asOf", "incomplete"],
    );
    expect(outputOf({ a: z.int() }, { connection: "read" })["required"]).toEqual(["a"]);
    expect(Object.keys(outputOf({ a: z.int() }, { connection: "write" }).properties as object)).toEqual(["a"]);
  });
});
