// Faults of the headers in which clients of protocol 2026-07-28 repeat arguments of a tool (`x-mcp-header`; Streamable HTTP,
// "Schema Extension"). Clients leave out a tool with such a fault without a word, so mkt refuses it.

import { HEADER_KEYWORD } from "../dispatch/tool-schemas.ts";

/** A token of HTTP (RFC 9110). */
const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const TYPES: readonly unknown[] = ["string", "integer", "boolean"];
/** Keywords whose values are data and no schemas. */
const DATA: readonly string[] = ["enum", "const", "default", "examples"];

interface Place {
  /** Only `properties` lead to the schema, as they lead to an argument. */
  readonly isProperty: boolean;
}

export function headerFaults(input: unknown): string[] {
  const names = new Set<string>();
  const faults: string[] = [];
  const visit = (schema: unknown, path: readonly string[], { isProperty }: Place): void => {
    if (typeof schema !== "object" || schema === null) return;
    for (const [key, value] of Object.entries(schema)) {
      if (key === HEADER_KEYWORD) {
        const isArgument = isProperty && path.length > 0;
        const fault = isArgument ? nameFault(value, schema, names) : "is only for arguments and their properties";
        if (fault !== null) faults.push(`${HEADER_KEYWORD} of ${path.join(".") || "the input"} ${fault}`);
      } else if (key === "properties") {
        for (const [name, property] of Object.entries(value ?? {})) visit(property, [...path, name], { isProperty });
      } else if (!DATA.includes(key)) {
        visit(value, path, { isProperty: false });
      }
    }
  };
  visit(input, [], { isProperty: true });
  return faults;
}

/** `names`: those of the headers before it, in lower case. */
function nameFault(name: unknown, { type }: { readonly type?: unknown }, names: Set<string>): string | null {
  if (typeof name !== "string" || !NAME.test(name)) return "must be the name of a header, without Mcp-Param-";
  if (!TYPES.includes(type)) return "is only for texts, whole numbers and flags";
  if (names.has(name.toLowerCase())) return `is ${name}, as that of another argument`;
  names.add(name.toLowerCase());
  return null;
}
