// A property of a module, and the builders that declare one.
//
// A property is declared once. Its zod schema, its TypeScript type, the operators that filter on it, and its description for
// users all derive from that declaration.

import { z } from "zod";
import { BUY, SELL } from "../sides.ts";

/** `specs` never change after the module was created; `state` does. */
export type PropertyGroup = "specs" | "state";

/** Decides which operators filter on the property. A `string` with `values` is an enumeration. */
export type PropertyType = "string" | "number" | "boolean" | "time" | "array" | "object";

export interface Property<Schema extends z.ZodType = z.ZodType> {
  readonly group: PropertyGroup;
  readonly type: PropertyType;
  readonly schema: Schema;
  readonly description: string;
  /** The unit of a number: `cents/MWh`, `MW`, `MWh`, `dollars`, `hours`. */
  readonly unit?: string;
  /** The values of an enumeration. */
  readonly values?: readonly (string | number)[];
  readonly filterable: boolean;
  readonly nullable: boolean;
}

interface PropertyOptions {
  readonly unit?: string;
  /** Defaults to true for everything but objects and arrays of objects. */
  readonly filterable?: boolean;
}

function declare<Schema extends z.ZodType>(
  group: PropertyGroup,
  type: PropertyType,
  schema: Schema,
  description: string,
  options: PropertyOptions & { values?: readonly (string | number)[] } = {},
): Property<Schema> {
  return {
    group,
    type,
    schema,
    description,
    unit: options.unit,
    values: options.values,
    filterable: options.filterable ?? type !== "object",
    nullable: schema instanceof z.ZodNullable,
  };
}

/** The builders of one group, used as `specs.string(...)` or `state.number(...)`. */
function buildersFor(group: PropertyGroup) {
  const builder =
    <Schema extends z.ZodType>(type: PropertyType, schema: Schema) =>
    (description: string, options?: PropertyOptions) => declare(group, type, schema, description, options);
  return {
    string: builder("string", z.string()),
    nullableString: builder("string", z.string().nullable()),
    oneOf: <const Values extends readonly [string, ...string[]]>(values: Values, description: string) =>
      declare(group, "string", z.enum(values), description, { values }),
    nullableOneOf: <const Values extends readonly [string, ...string[]]>(values: Values, description: string) =>
      declare(group, "string", z.enum(values).nullable(), description, { values }),
    number: builder("number", z.number()),
    nullableNumber: builder("number", z.number().nullable()),
    side: (description: string) =>
      declare(group, "number", z.union([z.literal(BUY), z.literal(SELL)]), description, { values: [BUY, SELL] }),
    boolean: builder("boolean", z.boolean()),
    time: builder("time", z.iso.datetime()),
    nullableTime: builder("time", z.iso.datetime().nullable()),
    strings: builder("array", z.array(z.string())),
    arrayOf: <Item extends z.ZodType>(item: Item, description: string) =>
      declare(group, "array", z.array(item), description, { filterable: false }),
    object: <Schema extends z.ZodType>(schema: Schema, description: string) =>
      declare(group, "object", schema, description),
  };
}

export const specs = buildersFor("specs");
export const state = buildersFor("state");
