import { expect, test } from "bun:test";
import { z } from "zod";
import { parseArguments } from "../../../core/dispatch/arguments.ts";
import type { Tool } from "../../../core/tools/tool.ts";
import { idField } from "../../../core/tools/fields.ts";

const MAX_TEXT_LENGTH = 10_000;
const tool = toolWith(z.strictObject({ text: z.string() }));

function toolWith(input: z.ZodObject, readOnlyHint = true): Tool {
  return { name: "mkt_say", input, annotations: { readOnlyHint } } as never as Tool;
}

test("a text in the arguments has at most 10,000 characters", () => {
  const text = "x".repeat(MAX_TEXT_LENGTH);
  expect(parseArguments(tool, { text })).toEqual({ text });
  expect(() => parseArguments(tool, { text: `${text}x` })).toThrow("more than 10000 characters");
});

test("ten faults are listed; of eleven the last is counted", () => {
  const faults = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`field${at}`, 1]));
  const many = toolWith(z.strictObject(mapped(faults(11), () => z.string().optional())));
  expect(() => parseArguments(many, faults(10))).toThrow(/field9: [^;]*\.$/);
  expect(() => parseArguments(many, faults(11))).toThrow(/; and 1 more\.$/);
});

function mapped<Value>(record: Record<string, unknown>, value: () => Value): Record<string, Value> {
  return Object.fromEntries(Object.keys(record).map((name) => [name, value()]));
}

const nested = z.strictObject({
  side: z.preprocess((value) => value === 0 ? "BUY" : value, z.enum(["BUY", "SELL"])).optional(),
  id: idField("An id"),
  notes: z.string().optional(),
  groups: z.array(z.strictObject({ name: z.string(), size: z.int().default(3) })).optional(),
});

test("null is absent for an optional parameter at any depth, and the client's own object stays as it was", () => {
  const input = { side: null, id: "a", notes: null, groups: [{ name: "b", size: null }] };
  const sent = structuredClone(input);
  expect(parseArguments(toolWith(nested), input)).toEqual({ id: "a", groups: [{ name: "b", size: 3 }] });
  expect(input).toEqual(sent);
  expect(() => parseArguments(toolWith(nested), { id: null })).toThrow("id: is null; give a value.");
  expect(() => parseArguments(toolWith(nested), { id: "a", groups: [{ name: null }] })).toThrow("groups.0.name: ");
});

test("a required parameter that is left out is named", () => {
  expect(() => parseArguments(toolWith(nested), { groups: [{}] })).toThrow(
    "id: is required; groups.0.name: is required.",
  );
});

test("an unknown parameter gets the nearest name, or the names of all parameters", () => {
  const message = (input: unknown, schema: z.ZodObject = nested) => () => parseArguments(toolWith(schema), input);
  expect(message({ id: "a", note: "x" })).toThrow("note: no such parameter (did you mean notes?).");
  expect(message({ id: "a", potato: 1 })).toThrow("potato: no such parameter (mkt_say takes side, id, notes, groups).");
  expect(message({ id: "a", note: 1, sid: 2 })).toThrow("note, sid: no such parameter (mkt_say takes side, id,");
  expect(message({ x: 1 }, z.strictObject({}))).toThrow("x: no such parameter (mkt_say takes none).");
});

test("an invalid value is shown, and a missing one of several names these", () => {
  const schema = z.strictObject({ kind: z.enum(["DAY", "HOUR"]), limit: z.int() });
  expect(() => parseArguments(toolWith(schema), { limit: "x" })).toThrow(
    'kind: is required: one of DAY, HOUR; limit: must be a number, not "x".',
  );
  expect(() => parseArguments(toolWith(schema), { kind: "DAY", limit: [] })).toThrow(
    "limit: must be a number.",
  );
});

test('"" is absent for an optional text of a read; a required text needs a value', () => {
  const parsed = parseArguments(toolWith(nested), { side: "", id: "a", notes: "", groups: [{ name: "" }] });
  expect(parsed).toEqual({ id: "a", groups: [{ name: "", size: 3 }] });
  expect(() => parseArguments(toolWith(nested), { id: "" })).toThrow(
    "id: is empty; give a value, because it is required.",
  );
});

test('a mutation names every "" once, also of a text without a minimum length', () => {
  const [optional, required] = [
    "is empty; give a value, or leave it out",
    "is empty; give a value, because it is required",
  ];
  expect(() => parseArguments(toolWith(nested, false), { side: "", id: "", notes: "", groups: [{ name: "" }] }))
    .toThrow(
      `The arguments of mkt_say don't fit: side: ${optional}; id: ${required}; notes: ${optional}; groups.0.name: ${required}.`,
    );
});
