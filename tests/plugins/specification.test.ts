// The tools as clients see them, compared with the specification's tables.

import { describe, expect, test } from "bun:test";
import { z } from "zod";
import { wholeInputSchema } from "../support/schema-inputs.ts";
import { type ParameterRow, SPECIFIED, STATUSES } from "./specification-tables.ts";
import { listedTool } from "./support/listed-tool.ts";
import { PACKS, TOOLS } from "./support/packs.ts";

interface JsonSchema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly enum?: readonly string[];
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: JsonSchema;
}

test.each(PACKS)("pack $name holds every tool that the specification gives it", ({ name, tools }) => {
  expect(tools.map((tool) => tool.name)).toEqual(expect.arrayContaining(Object.keys(SPECIFIED[name] ?? {})));
});

const ROWS = Object.values(SPECIFIED).flatMap((rows) => Object.entries(rows));

describe.each(ROWS)("%s", (name, row) => {
  const tool = toolNamed(name);

  test("has the parameters of its row, and none but those the design adds", () => {
    const input = wholeInputSchema(tool) as JsonSchema;
    expect(listedTool(tool).inputSchema.required ?? []).toEqual([...input.required ?? []]);
    const { added = [], parameters } = row;
    expect(Object.keys(input.properties ?? {}).sort()).toEqual([...Object.keys(parameters), ...added].sort());
    const required = Object.entries(parameters).filter(([, parameter]) => parameter.required).map(([key]) => key);
    expect([...input.required ?? []].sort()).toEqual(required.sort());
    for (const [key, parameter] of Object.entries(parameters)) {
      expect({ [key]: rowOf(input.properties?.[key] ?? {}, parameter) }).toEqual({ [key]: expected(parameter) });
    }
  });

  test("returns every field of its row at the top level", () => {
    const output = z.toJSONSchema(tool.output, { io: "output" }) as JsonSchema;
    expect(output.type).toBe("object");
    for (const field of row.returns) expect(output.required).toContain(field);
  });

  test("requires the connection and the permissions of its row", () => {
    const { connection, permissions = [] } = tool.requires ?? {};
    expect({ connection, permissions }).toEqual({ connection: row.connection, permissions: row.permissions ?? [] });
  });
});

test.each(Object.entries(STATUSES))("%s may answer every status that the specification names", (name, statuses) => {
  const output = z.toJSONSchema(toolNamed(name).output, { io: "output" }) as JsonSchema;
  expect(output.properties?.["status"]?.enum).toEqual(expect.arrayContaining([...statuses]));
});

test("the tables have the specification's counts: 22 query, 11 mutation with dev, 5 monitor, 5 simulation", () => {
  const counts = Object.entries(SPECIFIED).map(([pack, rows]) => [pack, Object.keys(rows).length]);
  expect(Object.fromEntries(counts)).toEqual({ query: 22, mutation: 10, dev: 1, monitor: 5, sim: 5 });
});

function toolNamed(name: string) {
  return TOOLS.find((tool) => tool.name === name) ?? expect.unreachable(`no pack has ${name}`);
}

/** The parts of a JSON Schema that a row specifies. */
function rowOf(schema: JsonSchema, row: ParameterRow): Record<string, unknown> {
  return {
    type: typeOf(schema),
    ...(row.values && { values: schema.enum }),
    ...("default" in schema && { default: schema.default }),
    ...(row.minimum !== undefined && { minimum: schema.minimum }),
    ...(row.maximum !== undefined && { maximum: schema.maximum }),
  };
}

function expected({ required: _required, values, ...row }: ParameterRow): Record<string, unknown> {
  return { ...row, ...(values && { values: expect.arrayContaining([...values]) }) };
}

/** The specification's tables call an integer a number. */
function typeOf(schema: JsonSchema): string | undefined {
  if (schema.type === "integer") return "number";
  return schema.type === "array" ? `${schema.items?.type}[]` : schema.type;
}
