// From what a client sent as a call's arguments to what a handler may trust: first the shape, which no schema sees whole,
// then the tool's own schema. Each fault is named with its field.

import type { z } from "zod";
import { ToolError } from "./error.ts";
import type { Tool } from "./tool.ts";

/** Throws ToolError `invalid_input`, naming every field that does not fit. */
export function parseArguments(tool: Tool, rawArguments: unknown): Record<string, unknown> {
  const fault = unfitShape(rawArguments);
  if (fault !== null) {
    throw new ToolError(
      "invalid_input",
      `The arguments of ${tool.name} don't fit: ${fault}.`,
      "Mend them and call again.",
    );
  }
  const parsed = tool.input.safeParse(rawArguments);
  if (parsed.success) return parsed.data;
  throw new ToolError(
    "invalid_input",
    `The arguments of ${tool.name} don't fit: ${parsed.error.issues.map(describeIssue).join("; ")}.`,
    `Correct these fields and call again: ${fieldsOf(parsed.error.issues).join(", ")}.`,
  );
}

/** Deeper than any tool's arguments. */
const DEEPEST = 32;

/** Why arguments are refused before any schema sees them. */
function unfitShape(value: unknown, depth = 0): string | null {
  if (typeof value !== "object" || value === null) return null;
  if (depth === DEEPEST) return `they are nested more than ${DEEPEST} deep`;
  // zod drops this key without a word, and a filter that is dropped is a wrong answer.
  if (Object.hasOwn(value, "__proto__")) return "they have a key __proto__";
  for (const item of Object.values(value)) {
    const fault = unfitShape(item, depth + 1);
    if (fault !== null) return fault;
  }
  return null;
}

function describeIssue(issue: z.core.$ZodIssue): string {
  const field = issue.path.map(String).join(".") || "arguments";
  if (issue.code === "unrecognized_keys") return `${issue.keys.join(", ")}: no such parameter`;
  return `${field}: ${issue.message}`;
}

function fieldsOf(issues: readonly z.core.$ZodIssue[]): string[] {
  const fields = issues.flatMap((issue) =>
    issue.code === "unrecognized_keys" ? issue.keys : [issue.path.map(String).join(".") || "arguments"]
  );
  return [...new Set(fields)];
}
