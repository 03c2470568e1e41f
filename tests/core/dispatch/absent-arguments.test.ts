// Which arguments count as absent, by the schema of the tool and by what the tool does.

import { expect, test } from "bun:test";
import { z } from "zod";
import { presentArguments } from "../../../core/dispatch/absent-arguments.ts";
import { READ_ONLY } from "../../../core/tools/tool.ts";
import { toolNamed } from "../support/tools.ts";

const input = z.strictObject({
  name: z.string(),
  note: z.string().optional(),
  kind: z.enum(["", "a"]).optional(),
  day: z.iso.date().nullable().default("2026-01-01"),
  count: z.number().optional(),
  parts: z.array(z.strictObject({ text: z.string().optional(), id: z.string() })).optional(),
  texts: z.array(z.string()).optional(),
  inner: z.strictObject({ text: z.string().optional() }).optional(),
  where: z.record(z.string(), z.string().nullable()).optional(),
});
const reads = toolNamed("reads", { input, annotations: READ_ONLY });
const changes = toolNamed("changes", { input, annotations: { ...READ_ONLY, readOnlyHint: false } });

const NULLS = {
  name: null,
  note: null,
  kind: null,
  day: null,
  count: null,
  parts: [{ text: null, id: null }, null, { id: "i" }],
  texts: [null],
  inner: { text: null },
  where: { a: null },
  unknown: null,
};
const EMPTY = {
  name: "",
  note: "",
  kind: "",
  day: "",
  count: "",
  parts: [{ id: "x" }, { text: "", id: "" }],
  texts: ["a", ""],
  inner: { text: "" },
  where: { a: "" },
  unknown: "",
};

test.each([reads, changes])("null is absent for every optional parameter, and a value anywhere else", (tool) => {
  const given = structuredClone(NULLS);
  expect(presentArguments(tool, given)).toEqual({
    value: {
      name: null,
      parts: [{ id: null }, null, { id: "i" }],
      texts: [null],
      inner: {},
      where: { a: null },
      unknown: null,
    },
    empty: [],
  });
  expect(given).toEqual(NULLS);
});

test("an empty optional text is absent in a tool that only reads; every other one is a value", () => {
  expect(presentArguments(reads, EMPTY)).toEqual({
    value: {
      name: "",
      count: "",
      parts: [{ id: "x" }, { id: "" }],
      texts: ["a", ""],
      inner: {},
      where: { a: "" },
      unknown: "",
    },
    empty: [],
  });
});

test("a tool that changes something gets every empty text, and each one is reported with its place", () => {
  const { value, empty } = presentArguments(changes, EMPTY);
  expect(value).toEqual(EMPTY);
  expect(empty).toEqual([
    { path: ["name"], isOptional: false },
    { path: ["note"], isOptional: true },
    { path: ["kind"], isOptional: true },
    { path: ["day"], isOptional: true },
    { path: ["parts", 1, "text"], isOptional: true },
    { path: ["parts", 1, "id"], isOptional: false },
    { path: ["texts", 1], isOptional: false },
    { path: ["inner", "text"], isOptional: true },
  ]);
  expect(presentArguments(changes, { name: "n", note: "x" }).empty).toEqual([]);
});

test.each([undefined, null, "", 3, [{}], { parts: "", inner: [], texts: {} }])(
  "%p, which does not fit, stays",
  (raw) => {
    expect(presentArguments(reads, raw)).toEqual({ value: raw, empty: [] });
    expect(presentArguments(changes, raw)).toEqual({ value: raw, empty: [] });
  },
);
