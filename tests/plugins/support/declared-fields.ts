// Whether a result has only fields that its tool's published output schema declares. Clients that build types from the
// schema drop any other field silently. An object that is declared without properties keeps all of its fields.

import { expect } from "bun:test";
import type { ListedTool } from "../../../core/dispatch/catalogue.ts";

type Schema = Readonly<Record<string, unknown>>;

export function expectDeclaredFields(listed: readonly ListedTool[], name: string, value: unknown): void {
  const schema = listed.find((tool) => tool.name === name)?.outputSchema ?? {};
  expect({ name, undeclared: undeclaredFields(value, schema) }).toEqual({ name, undeclared: [] });
}

/** Paths of fields; the positions in lists are left out. */
export function undeclaredFields(value: unknown, schema: Schema, path = ""): string[] {
  const choices = schema["anyOf"] as readonly Schema[] | undefined;
  if (choices !== undefined) {
    const found = choices.map((choice) => undeclaredFields(value, choice, path));
    return found.toSorted((one, other) => one.length - other.length)[0] ?? [];
  }
  if (Array.isArray(value)) {
    const items = value.flatMap((item) => undeclaredFields(item, (schema["items"] ?? {}) as Schema, `${path}[]`));
    return [...new Set(items)];
  }
  if (typeof value !== "object" || value === null) return [];
  const properties = schema["properties"] as Readonly<Record<string, Schema>> | undefined;
  const further = (schema["additionalProperties"] ?? {}) as Schema;
  return Object.entries(value).flatMap(([name, part]) => {
    const at = path === "" ? name : `${path}.${name}`;
    if (properties === undefined) return undeclaredFields(part, further, at);
    const declared = properties[name];
    return declared === undefined ? [at] : undeclaredFields(part, declared, at);
  });
}
