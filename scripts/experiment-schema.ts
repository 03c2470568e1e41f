// Writes docs/experiment.schema.json, the JSON Schema of experiment files (`mkt simulate --experiment FILE`), and the tables
// of docs/experiments.md, from the declarations in sim/experiment, sim/information, sim/personas and sim/strategies. A test
// fails if they are not current.
//
//   bun scripts/experiment-schema.ts

import { z } from "zod";
import { experimentFile } from "../sim/experiment/experiment.ts";
import { STRATEGIES, type StrategyEntry } from "../sim/strategies/registry.ts";
import { withSection } from "./document-section.ts";

export const EXPERIMENT_SCHEMA_FILE = new URL("../docs/experiment.schema.json", import.meta.url);
export const EXPERIMENTS_DOCUMENT = new URL("../docs/experiments.md", import.meta.url);

/** The parts of a JSON Schema that matter here. */
interface Schema {
  readonly $schema?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly [keyword: string]: unknown;
}

const ENTRIES = Object.entries<StrategyEntry>(STRATEGIES);
/** Their fields have rows of their own: the other objects have two or three fields each, which their description names. */
const SECTIONS = ["information", "trading", "personas", "events", "plants", "loads", "batteries"];

export function experimentSchema(): string {
  const { $schema, ...schema } = schemaOf(experimentFile);
  const personas = schema.properties?.["personas"];
  // Editors suggest the names; a strategy may also come from a file. Its parameters depend on it.
  const strategy = { ...personas?.items?.properties?.["strategy"], examples: ENTRIES.map(([name]) => name) };
  const items = {
    ...personas?.items,
    properties: { ...personas?.items?.properties, strategy },
    allOf: ENTRIES.map(parametersOf),
  };
  const properties = { ...schema.properties, personas: { ...personas, items } };
  return `${JSON.stringify({ $schema, title: "mkt experiment", ...schema, properties }, null, 2)}\n`;
}

function parametersOf([name, { parameters }]: readonly [string, StrategyEntry]) {
  const { $schema: _same, ...schema } = schemaOf(parameters);
  return { if: { properties: { strategy: { const: name } } }, then: { properties: { parameters: schema } } };
}

/** The document with new tables. */
export function withExperimentTables(document: string): string {
  return withSection(withSection(document, "fields", fieldsTable()), "parameters", parametersTable());
}

function fieldsTable(): string {
  const rows = rowsOf(schemaOf(experimentFile), "").filter(([name]) => name !== "`$schema`");
  return table(["field", "what"], rows);
}

function rowsOf({ properties = {} }: Schema, prefix: string): string[][] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const { description = "", items } = schema;
    const isList = items?.properties !== undefined;
    const row = [`\`${prefix}${name}\``, description];
    return SECTIONS.includes(name) ? [row, ...rowsOf(isList ? items : schema, `${name}${isList ? "[]" : ""}.`)] : [row];
  });
}

function parametersTable(): string {
  const rows = ENTRIES.flatMap(([strategy, { parameters }]) =>
    Object.entries(schemaOf(parameters).properties ?? {}).map(([name, { description = "", default: usual }]) => [
      `\`${strategy}\``,
      `\`${name}\``,
      JSON.stringify(usual).replaceAll(",", ", "),
      description,
    ])
  );
  return table(["strategy", "parameter", "default", "what"], rows);
}

/** As input: fields with a default may be absent. */
function schemaOf(schema: z.ZodType): Schema {
  return z.toJSONSchema(schema, { io: "input" }) as Schema;
}

/** As deno fmt formats it. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]) => `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(" | ")} |`;
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)].join("\n");
}

if (import.meta.main) {
  await Bun.write(EXPERIMENT_SCHEMA_FILE, experimentSchema());
  const document = await Bun.file(EXPERIMENTS_DOCUMENT).text();
  await Bun.write(EXPERIMENTS_DOCUMENT, withExperimentTables(document));
}
