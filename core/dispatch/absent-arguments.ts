// Which arguments count as absent. Clients that send every parameter, such as models under a strict schema, write null, or
// "" for a text, if they have no value.
//
// - null for an optional parameter is absent, at any depth, in every tool. An entry of a record is not a parameter, so its
//   null is a value: a filter may ask for modules whose property is null.
// - "" for an optional text is absent in a tool that only reads. A tool that changes something refuses every "": it must
//   not guess what was meant.
//
// The rules follow from the tool's schema and are compiled once for each tool. Arguments that don't fit the schema are left
// as they are, for the schema to refuse.

import { z } from "zod";
import { isObject } from "../../protocol/json.ts";
import { bareSchema, mayBeAbsent } from "../tools/bare-schema.ts";
import type { Tool } from "../tools/tool.ts";

type Path = readonly PropertyKey[];

interface PresentArguments {
  /** The arguments without those that count as absent. The client's own object is not changed. */
  readonly value: unknown;
  /** The texts that are "" although the tool changes something. */
  readonly empty: readonly EmptyText[];
}

export interface EmptyText {
  readonly path: Path;
  readonly isOptional: boolean;
}

/** Removes what counts as absent from `value`, and reports each refused "". */
type Step = (value: unknown, path: Path, empty: EmptyText[]) => unknown;

const compiled = new WeakMap<Tool, Step>();

export function presentArguments(tool: Tool, rawArguments: unknown): PresentArguments {
  const empty: EmptyText[] = [];
  return { value: stepOf(tool)(rawArguments, [], empty), empty };
}

function stepOf(tool: Tool): Step {
  const known = compiled.get(tool);
  if (known !== undefined) return known;
  const step = compile(tool.input, tool.annotations.readOnlyHint);
  compiled.set(tool, step);
  return step;
}

const unchanged: Step = (value) => value;

function compile(declared: z.core.$ZodType, readOnly: boolean): Step {
  const isOptional = mayBeAbsent(declared);
  const schema = bareSchema(declared);
  if (schema instanceof z.ZodObject) return compileObject(schema, readOnly);
  if (schema instanceof z.ZodArray) {
    const item = compile(schema.def.element, readOnly);
    return (value, path, empty) =>
      Array.isArray(value) ? value.map((part: unknown, at) => item(part, [...path, at], empty)) : value;
  }
  if (readOnly || !isText(schema)) return unchanged;
  return (value, path, empty) => {
    if (value === "") empty.push({ path, isOptional });
    return value;
  };
}

function compileObject(schema: z.ZodObject, readOnly: boolean): Step {
  const fields = new Map(
    Object.entries(schema.shape).map(([name, field]) => [name, compileField(field, readOnly)] as const),
  );
  return (value, path, empty) => {
    if (!isObject(value)) return value;
    const entries = Object.entries(value).flatMap(([name, part]) => {
      const field = fields.get(name);
      if (field === undefined) return [[name, part] as const];
      return field.isAbsent(part) ? [] : [[name, field.step(part, [...path, name], empty)] as const];
    });
    return Object.fromEntries(entries);
  };
}

interface Field {
  readonly step: Step;
  readonly isAbsent: (value: unknown) => boolean;
}

function compileField(declared: z.core.$ZodType, readOnly: boolean): Field {
  const optional = mayBeAbsent(declared);
  const optionalText = optional && readOnly && isText(bareSchema(declared));
  return {
    step: compile(declared, readOnly),
    isAbsent: (value) => value === null ? optional : value === "" && optionalText,
  };
}

function isText(schema: z.core.$ZodType): boolean {
  return schema instanceof z.ZodString || schema instanceof z.ZodStringFormat || schema instanceof z.ZodEnum;
}
