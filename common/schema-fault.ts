// What a schema finds wrong with a value, in plain words. zod's own sentences are for programmers, so every message of a schema
// that declares none is from here: `z.config` below is the only place. A field with a unit declares its own, as in
// `z.int(ofType("must be whole cents per MWh, such as 4500"))`.
//
// A message is the end of a sentence that begins with the field: "must be a whole number".

import { z } from "zod";
import { choiceFault } from "./command-line.ts";
import { safeText } from "./safe-text.ts";

z.config({ customError: (issue) => ruleOf(issue) });

const REQUIRED = "is required";

/** The parameter of a schema that says in words of its own what the type must be. */
export function ofType(message: string) {
  return { error: ({ code }: z.core.$ZodRawIssue) => code === "invalid_type" ? message : undefined };
}

const TYPES: Readonly<Record<string, string>> = {
  int: "a whole number",
  number: "a number",
  string: "a text",
  boolean: "true or false",
  object: "an object",
  record: "an object",
  array: "a list",
  tuple: "a list",
};

const FORMATS: Readonly<Record<string, string>> = {
  datetime: "a time with Z or an offset, such as 2030-01-31T08:00:00Z",
  date: "a day, such as 2030-01-31",
  url: "an address, such as https://example.com",
};

/** Undefined: zod's own words. */
function ruleOf(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case "invalid_type":
      return issue.input === undefined ? REQUIRED : `must be ${TYPES[issue.expected] ?? issue.expected}`;
    case "invalid_value":
      return `must be ${issue.values.length > 1 ? "one of " : ""}${issue.values.map(String).join(", ")}`;
    case "too_small":
      return boundOf(issue.origin, issue.minimum, issue.inclusive === false ? "above" : "at least");
    case "too_big":
      return boundOf(issue.origin, issue.maximum, issue.inclusive === false ? "below" : "at most");
    case "not_multiple_of":
      return `must be a multiple of ${issue.divisor}`;
    case "invalid_format":
      return FORMATS[issue.format] && `must be ${FORMATS[issue.format]}`;
    case "unrecognized_keys":
      return `has unknown fields: ${issue.keys.join(", ")}`;
    case "invalid_union":
      return "is none of the allowed values";
    default:
      return undefined;
  }
}

function boundOf(origin: string, limit: number | bigint, bound: string): string {
  if (origin !== "string" && origin !== "array") return `must be ${bound} ${limit}`;
  if (bound === "at least" && limit === 1) return "must not be empty";
  return `must have ${bound} ${limit} ${origin === "array" ? "entries" : "characters"}`;
}

/** The longest shown part of what the caller gave. */
const MAX_SHOWN_LENGTH = 60;

/**
 * The fault of a field: what is wrong, with the value if that is plain, then what would be right. `value` is the field's;
 * unknown fields are the caller's to describe.
 */
export function faultOf(issue: z.core.$ZodIssue, value: unknown): string {
  if (value === null) return "is null; give a value";
  if (issue.code === "invalid_value") {
    const names = issue.values.map(String);
    if (value === undefined) return `is required: one of ${names.join(", ")}`;
    if (typeof value === "string") return choiceFault(value, names);
  }
  if (value === undefined && issue.code === "invalid_type" && issue.message !== REQUIRED) {
    return `${REQUIRED}, and ${issue.message}`;
  }
  const isPlain = ["number", "boolean", "string"].includes(typeof value) && value !== "";
  const kind = issue.code === "invalid_type" && typeof value === "string" && Number.isFinite(Number(value))
    ? "the text "
    : "";
  return `${issue.message}${isPlain ? `, not ${kind}${shown(JSON.stringify(value))}` : ""}`;
}

/** A name or value that the caller made up. */
export function shown(text: string): string {
  return safeText(text, MAX_SHOWN_LENGTH);
}

/** The value at a path; undefined if there is none. */
export function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (part, name) => typeof part === "object" && part !== null ? Reflect.get(part, name) : undefined,
    root,
  );
}

/** All faults of a value on one line, each with its path. `whole` names the value itself. */
export function faultsOf(error: z.ZodError, root: unknown, whole: string, unknownName = "no such field"): string {
  return error.issues.map(({ path, ...issue }) => {
    if (issue.code === "unrecognized_keys") {
      return `${[...path, shown(issue.keys.join(", "))].map(String).join(".")}: ${unknownName}`;
    }
    const field = path.map(String).join(".");
    return `${field === "" ? whole : field}: ${faultOf({ path, ...issue } as z.core.$ZodIssue, valueAt(root, path))}`;
  }).join("; ");
}
