// The tools as clients see them, compared with the specification's tables.

import { describe, expect, test } from "bun:test";
import { z } from "zod";
import dev from "../../plugins/dev/index.ts";
import monitor from "../../plugins/monitor/index.ts";
import mutation from "../../plugins/mutation/index.ts";
import query from "../../plugins/query/index.ts";
import sim from "../../plugins/sim/index.ts";
import { listedTool } from "../../core/dispatch/catalogue.ts";
import type { Pack } from "../../core/packs/pack.ts";
import type { Tool } from "../../core/tools/tool.ts";
import {
  DEV,
  MONITOR,
  MUTATION,
  type ParameterRow,
  QUERY,
  SIMULATION,
  STATUSES,
  type ToolRow,
  UTILITY,
} from "./specification-tables.ts";

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

const TABLES: readonly [Pack, Readonly<Record<string, ToolRow>>][] = [
  [query, { ...UTILITY, ...QUERY }],
  [mutation, MUTATION],
  [monitor, MONITOR],
  [sim, SIMULATION],
  [dev, DEV],
];

describe.each(TABLES)("pack %#", (pack, rows) => {
  test(`${pack.name} holds exactly the tools of its tables`, () => {
    expect(pack.tools.map(({ name }) => name).sort()).toEqual(Object.keys(rows).sort());
  });

  test.each(Object.entries(rows))(
    "%s has the parameters of its row, and none but those the design adds",
    (name, row) => {
      const input = listedTool(toolOf(pack, name)).inputSchema as JsonSchema;
      const { added = [], parameters } = row;
      expect(Object.keys(input.properties ?? {}).sort()).toEqual([...Object.keys(parameters), ...added].sort());
      const required = Object.entries(parameters).filter(([, parameter]) => parameter.required).map(([key]) => key);
      expect([...input.required ?? []].sort()).toEqual(required.sort());
      for (const [key, parameter] of Object.entries(parameters)) {
        expect({ [key]: rowOf(input.properties?.[key] ?? {}, parameter) }).toEqual({ [key]: expected(parameter) });
      }
    },
  );

  test.each(Object.entries(rows))("%s returns every field of its row at the top level", (name, row) => {
    const output = z.toJSONSchema(toolOf(pack, name).output, { io: "output" }) as JsonSchema;
    expect(output.type).toBe("object");
    for (const field of row.returns) expect(output.required).toContain(field);
  });
});

test.each(Object.entries(STATUSES))("%s may answer every status that the specification names", (name, statuses) => {
  const output = z.toJSONSchema(toolOf(mutation, name).output, { io: "output" }) as JsonSchema;
  expect(output.properties?.["status"]?.enum).toEqual(expect.arrayContaining([...statuses]));
});

test("the specification's counts hold: 22 query, 11 mutation with dev, 5 monitor, 5 simulation", () => {
  const counts = [query, mutation, dev, monitor, sim].map(({ tools }) => tools.length);
  expect(counts).toEqual([22, 10, 1, 5, 5]);
});

function toolOf(pack: Pack, name: string): Tool {
  const tool = pack.tools.find((candidate) => candidate.name === name);
  if (tool === undefined) throw new Error(`pack ${pack.name} has no ${name}`);
  return tool;
}

/** What a JSON Schema says about a parameter, as far as the row speaks of it. */
function rowOf(schema: JsonSchema, row: ParameterRow): Record<string, unknown> {
  return {
    type: typeOf(schema),
    ...(schema.enum && { values: schema.enum.toSorted() }),
    ...("default" in schema && { default: schema.default }),
    ...(row.minimum !== undefined && { minimum: schema.minimum }),
    ...(row.maximum !== undefined && { maximum: schema.maximum }),
  };
}

function expected({ required: _required, values, ...row }: ParameterRow): Record<string, unknown> {
  return { ...row, ...(values && { values: values.toSorted() }) };
}

/** A whole number is a number that the specification's table does not tell apart. */
function typeOf(schema: JsonSchema): string | undefined {
  if (schema.type === "integer") return "number";
  return schema.type === "array" ? `${schema.items?.type}[]` : schema.type;
}
