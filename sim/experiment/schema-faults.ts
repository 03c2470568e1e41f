// The faults that a schema finds in JSON, one line each: the path, what is wrong, and what would be right. A description
// in the schema gives unit and range.

import { z } from "zod";
import { choiceFault, didYouMean } from "../../common/command-line.ts";
import { valueAt } from "../../common/schema-fault.ts";

type Path = readonly PropertyKey[];

/** `prefix`: path of the value in its file; without a prefix, faults of the value itself have no path. */
export function schemaFaults(schema: z.ZodType, value: unknown, prefix: Path = []): string[] {
  const { error } = schema.safeParse(value);
  return (error?.issues ?? []).flatMap((issue) => faultsOf(issue, schema, value, prefix));
}

function faultsOf(issue: z.core.$ZodIssue, schema: z.ZodType, value: unknown, prefix: Path): string[] {
  const at = schemaAt(schema, issue.path);
  if (issue.code === "unrecognized_keys") {
    const names = at.schema instanceof z.ZodObject ? Object.keys(at.schema.shape) : [];
    const choice = names.length === 0 ? "there are none here" : `use ${names.join(", ")}`;
    return issue.keys.map((key) =>
      `${pathText([...prefix, ...issue.path, key])}: no such field${didYouMean(key, names)}; ${choice}`
    );
  }
  const path = pathText([...prefix, ...issue.path]);
  const reason = reasonOf(issue, valueAt(value, issue.path), at.description);
  return [path === "" ? reason : `${path}: ${reason}`];
}

function reasonOf(issue: z.core.$ZodIssue, value: unknown, description: string | undefined): string {
  const { names, given } = (issue.code === "custom" ? issue.params : undefined) ?? {};
  if (Array.isArray(names)) return choiceFault(String(given), names);
  if (issue.code === "invalid_value" && typeof value === "string") return choiceFault(value, issue.values.map(String));
  const reason = value === undefined ? "is missing" : issue.message;
  return description === undefined ? reason : `${reason} (${description})`;
}

/** As in `personas[3].count`. */
export function pathText(path: Path): string {
  return path.reduce<string>(
    (text, key) => typeof key === "number" ? `${text}[${key}]` : text === "" ? String(key) : `${text}.${String(key)}`,
    "",
  );
}

/** The schema of the value at a path, without its wrappers, and the innermost description on the way to it. */
function schemaAt(schema: z.ZodType, path: Path): { readonly schema: z.ZodType; readonly description?: string } {
  const description = descriptionOf(schema);
  const inner = withoutWrappers(schema);
  const [key, ...rest] = path;
  const next = key === undefined ? undefined : memberOf(inner, key);
  if (next === undefined) return { schema: inner, description };
  const found = schemaAt(next, rest);
  return { schema: found.schema, description: found.description ?? description };
}

function memberOf(schema: z.ZodType, key: PropertyKey): z.ZodType | undefined {
  if (schema instanceof z.ZodObject) return schema.shape[String(key)];
  if (schema instanceof z.ZodArray) return schema.element as z.ZodType;
  if (schema instanceof z.ZodRecord) return schema.valueType as z.ZodType;
  return undefined;
}

function withoutWrappers(schema: z.ZodType): z.ZodType {
  return isWrapper(schema) ? withoutWrappers(schema.unwrap() as z.ZodType) : schema;
}

function descriptionOf(schema: z.ZodType): string | undefined {
  return schema.description ?? (isWrapper(schema) ? descriptionOf(schema.unwrap() as z.ZodType) : undefined);
}

function isWrapper(schema: z.ZodType): schema is z.ZodOptional | z.ZodNullable | z.ZodDefault {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault;
}
