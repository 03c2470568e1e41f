import { expect, test } from "bun:test";
import { z } from "zod";
import { bareSchema, mayBeAbsent } from "../../../core/tools/bare-schema.ts";

const text = z.string();
test.each<[string, z.ZodType, boolean]>([
  ["a text", text, false],
  ["an optional one", text.optional(), true],
  ["one with a default", text.default("a"), true],
  ["one with a default before its checks", text.prefault("a"), true],
  ["one that may be null", text.nullable(), false],
  ["one that may be null or absent", text.nullable().optional(), true],
  ["one that may be absent within null", text.optional().nullable(), true],
  ["one that nobody changes", text.readonly(), false],
  ["an optional one that nobody changes", text.optional().readonly(), true],
  ["one that is prepared", z.preprocess((value) => value, text), false],
  ["an optional one that is prepared", z.preprocess((value) => value, text.optional()), true],
  ["one that is transformed", text.transform(String), false],
])("%s", (_what, schema, isOptional) => {
  expect(bareSchema(schema) === text).toBe(true);
  expect(mayBeAbsent(schema)).toBe(isOptional);
});
