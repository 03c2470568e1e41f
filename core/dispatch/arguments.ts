// Checks the arguments of a call: first their shape (depth, size, text), which bounds the work of the schema, then the tool's
// schema, without the arguments that count as absent (absent-arguments.ts). Every fault is named with its field.

import type { z } from "zod";
import { MAX_DEPTH } from "../../protocol/limits.ts";
import { didYouMean } from "../../common/command-line.ts";
import { safeText } from "../../common/safe-text.ts";
import { ToolError } from "../error.ts";
import { presentArguments } from "./absent-arguments.ts";
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

function emptyText(path: readonly PropertyKey[]): z.core.$ZodIssue {
  return { code: "custom", path: [...path], message: "is empty; give a value, or leave it out if it is optional" };
}

function isAmong(paths: readonly (readonly PropertyKey[])[], path: readonly PropertyKey[]): boolean {
  return paths.some((other) => other.length === path.length && other.every((name, at) => name === path[at]));
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

/** The maximum number of faults in a message, and the maximum length of a name that the client made up. */
const MAX_FAULTS = 10;
const MAX_NAME_LENGTH = 60;

function describeIssue(tool: Tool, issue: z.core.$ZodIssue, rawArguments: unknown): string {
  if (issue.code === "unrecognized_keys") {
    const meant = issue.path.length === 0 ? parameterMeant(tool, issue.keys) : "";
    return `${listed(issue.keys.map(shortened))}: no such parameter${meant}`;
  }
  const value = valueAt(issue.path, rawArguments);
  if (issue.code === "too_small" && value === "") return `${fieldOf(issue)}: is empty; give a value`;
  if (value === undefined && issue.code === "invalid_type") return `${fieldOf(issue)}: is required`;
  if (value === undefined && issue.code === "invalid_value") {
    return `${fieldOf(issue)}: is required: one of ${issue.values.map(String).join(", ")}`;
  }
  if (value === null) return `${fieldOf(issue)}: is null; give a value`;
  const instead = given(value);
  // The value itself says more than its type.
  const message = instead === "" ? issue.message : issue.message.replace(/, received \w+$/, "");
  return `${fieldOf(issue)}: ${message}${instead}`;
}

/** The nearest parameter for one unknown name; otherwise all parameters. */
function parameterMeant({ name, input }: Tool, unknown: readonly string[]): string {
  const parameters = Object.keys(input.shape);
  const [only] = unknown;
  const suggestion = only === undefined || unknown.length > 1 ? "" : didYouMean(only, parameters);
  return suggestion || ` (${name} takes ${parameters.join(", ") || "none"})`;
}

function valueAt(path: readonly PropertyKey[], rawArguments: unknown): unknown {
  return path.reduce<unknown>(
    (part, name) => typeof part === "object" && part !== null ? Reflect.get(part, name) : undefined,
    rawArguments,
  );
}

/** The invalid value, if it is not an object or array. A long text is cut. */
function given(value: unknown): string {
  const isPlain = typeof value === "number" || typeof value === "boolean" || typeof value === "string" ||
    value === null;
  return isPlain && value !== "" ? `, not ${shortened(JSON.stringify(value))}` : "";
}

function fieldOf(issue: z.core.$ZodIssue): string {
  return shortened(issue.path.map(String).join(".")) || "arguments";
}

function fieldsOf(issues: readonly z.core.$ZodIssue[]): string[] {
  const fields = issues.flatMap((issue) =>
    issue.code === "unrecognized_keys" ? issue.keys.map(shortened) : [fieldOf(issue)]
  );
  return [...new Set(fields)];
}

function listed(items: readonly string[], separator = ", "): string {
  const more = items.length - MAX_FAULTS;
  return items.slice(0, MAX_FAULTS).join(separator) + (more > 0 ? `${separator}and ${more} more` : "");
}

function shortened(name: string): string {
  return safeText(name, MAX_NAME_LENGTH);
}
