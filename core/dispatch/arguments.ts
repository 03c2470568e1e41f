// Checks the arguments of a call: first their shape (depth, size, text), which bounds the work of the schema, then the tool's
// schema, without the arguments that count as absent (absent-arguments.ts). Every fault is named with its field.

import type { z } from "zod";
import { MAX_DEPTH } from "../../protocol/limits.ts";
import { didYouMean } from "../../common/command-line.ts";
import { faultOf, shown, valueAt } from "../../common/schema-fault.ts";
import { ToolError } from "../error.ts";
import { type EmptyText, presentArguments } from "./absent-arguments.ts";
import type { Tool } from "../tools/tool.ts";

/** Throws ToolError `invalid_input`, which names every invalid field. */
export function parseArguments(tool: Tool, rawArguments: unknown): Record<string, unknown> {
  const fault = shapeFault(rawArguments, 0, { values: 0 });
  if (fault !== null) {
    throw new ToolError(
      "invalid_input",
      `The arguments of ${tool.name} don't fit: ${fault}.`,
      "Correct them and call again.",
    );
  }
  const { value, empty } = presentArguments(tool, rawArguments);
  const parsed = tool.input.safeParse(value);
  if (parsed.success && empty.length === 0) return parsed.data;
  const issues = [...empty.map(emptyText), ...(parsed.error?.issues ?? []).filter(({ path }) => !isAmong(empty, path))];
  throw new ToolError(
    "invalid_input",
    `The arguments of ${tool.name} don't fit: ${
      listed(issues.map((issue) => describeIssue(tool, issue, value)), "; ")
    }.`,
    `Correct these fields and call again: ${listed(fieldsOf(issues))}.`,
  );
}

/** What is said of a text that is "". */
const EMPTY = {
  required: "is empty; give a value, because it is required",
  optional: "is empty; give a value, or leave it out",
};

function emptyText({ path, isOptional }: EmptyText): z.core.$ZodIssue {
  return { code: "custom", path: [...path], message: isOptional ? EMPTY.optional : EMPTY.required };
}

function isAmong(texts: readonly EmptyText[], path: readonly PropertyKey[]): boolean {
  return texts.some(({ path: other }) => other.length === path.length && other.every((name, at) => name === path[at]));
}

/** Above what any tool accepts. */
const MAX_VALUES = 10_000;
const MAX_TEXT_LENGTH = 10_000;

const TOO_MANY_VALUES = `they hold more than ${MAX_VALUES} values`;

/** What is wrong with the shape, before any schema is applied; null if nothing is. */
function shapeFault(value: unknown, depth: number, seen: { values: number }): string | null {
  if (++seen.values > MAX_VALUES) return TOO_MANY_VALUES;
  if (typeof value === "string") return textFault(value);
  if (typeof value === "number" && !Number.isFinite(value)) return "a number is not finite";
  if (typeof value !== "object" || value === null) return null;
  if (depth === MAX_DEPTH) return `they are nested more than ${MAX_DEPTH} deep`;
  // zod drops this key silently, and dropping a filter would give a wrong answer. zod reports other unknown keys by name.
  if (Object.hasOwn(value, "__proto__")) return "they have a key __proto__";
  const names = Object.keys(value);
  if (seen.values + names.length > MAX_VALUES) return TOO_MANY_VALUES;
  for (const name of names) {
    const fault = textFault(name) ?? shapeFault(Reflect.get(value, name), depth + 1, seen);
    if (fault !== null) return fault;
  }
  return null;
}

/** A lone surrogate is no character and can't be put into a URL. */
function textFault(text: string): string | null {
  if (text.length > MAX_TEXT_LENGTH) return `a text has more than ${MAX_TEXT_LENGTH} characters`;
  return text.isWellFormed() ? null : "a text holds half of a character";
}

/** In a message. */
const MAX_FAULTS = 10;

function describeIssue(tool: Tool, issue: z.core.$ZodIssue, rawArguments: unknown): string {
  if (issue.code === "unrecognized_keys") {
    const meant = issue.path.length === 0 ? parameterMeant(tool, issue.keys) : "";
    return `${listed(issue.keys.map(shown))}: no such parameter${meant}`;
  }
  const value = valueAt(rawArguments, issue.path);
  if (value === "" && issue.code !== "custom") return `${fieldOf(issue)}: ${EMPTY.required}`;
  return `${fieldOf(issue)}: ${issue.code === "custom" && value === "" ? issue.message : faultOf(issue, value)}`;
}

/** The nearest parameter for one unknown name; otherwise all parameters. */
function parameterMeant({ name, input }: Tool, unknown: readonly string[]): string {
  const parameters = Object.keys(input.shape);
  const [only] = unknown;
  const suggestion = only === undefined || unknown.length > 1 ? "" : didYouMean(only, parameters);
  return suggestion || ` (${name} takes ${parameters.join(", ") || "none"})`;
}

function fieldOf(issue: z.core.$ZodIssue): string {
  return shown(issue.path.map(String).join(".")) || "arguments";
}

function fieldsOf(issues: readonly z.core.$ZodIssue[]): string[] {
  const fields = issues.flatMap((issue) =>
    issue.code === "unrecognized_keys" ? issue.keys.map(shown) : [fieldOf(issue)]
  );
  return [...new Set(fields)];
}

function listed(items: readonly string[], separator = ", "): string {
  const more = items.length - MAX_FAULTS;
  return items.slice(0, MAX_FAULTS).join(separator) + (more > 0 ? `${separator}and ${more} more` : "");
}
