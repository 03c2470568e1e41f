// The check that every result of the tests in this folder goes through.

import { expect, test } from "bun:test";
import { undeclaredFields } from "./support/declared-fields.ts";

const id = { type: "string" };
const named = { type: "object", properties: { id } };

test.each([
  ["a field that is not declared", { id: "a", x: 1 }, named, ["x"]],
  ["declared fields only", { id: "a" }, named, []],
  ["any field of an object without properties", { x: { y: 1 } }, { type: "object" }, []],
  ["a field within a list, once", [{ x: 1 }, { x: 2 }], { type: "array", items: named }, ["[].x"]],
  ["a field within a field", { inner: { x: 1 } }, { properties: { inner: named } }, ["inner.x"]],
  ["values of a record", { a: { x: 1 } }, { type: "object", additionalProperties: named }, ["a.x"]],
  ["a value that one alternative declares", { id: "a" }, { anyOf: [{ type: "null" }, named] }, []],
  ["a value that no alternative declares", { x: 1 }, { anyOf: [named, named] }, ["x"]],
  ["null", null, named, []],
])("%s", (_name, value, schema, undeclared) => {
  expect(undeclaredFields(value, schema)).toEqual(undeclared);
});
