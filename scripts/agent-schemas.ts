// Writes docs/outside-agents.schema.json, and the tables of messages in docs/outside-agents.md, from the declarations in
// sim/outside/agents/agent-messages.ts. A test fails if the files are not current.
//
//   bun scripts/agent-schemas.ts

import { z } from "zod";
import { ACTIONS, AGENT_MESSAGES, AGENT_PROTOCOL } from "../sim/outside/agents/agent-messages.ts";
import { withSection } from "./document-section.ts";

export const AGENT_SCHEMA_FILE = new URL("../docs/outside-agents.schema.json", import.meta.url);
export const AGENT_DOCUMENT_FILE = new URL("../docs/outside-agents.md", import.meta.url);

interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly description?: string;
  readonly default?: unknown;
}

/** As input: fields with a default may be absent. */
function jsonSchema(schema: z.ZodType): JsonSchema {
  const { $schema: _draft, ...json } = z.toJSONSchema(schema, { io: "input" });
  return json as JsonSchema;
}

/** The text of the schema file. */
export function agentSchemas(): string {
  const $defs = Object.fromEntries(
    Object.entries(AGENT_MESSAGES).map(([name, { schema }]) => [name, jsonSchema(schema)]),
  );
  const title = `Messages between mkt simulate and an agent, version ${AGENT_PROTOCOL}`;
  const $schema = "https://json-schema.org/draft/2020-12/schema";
  return `${JSON.stringify({ $schema, title, $defs }, null, 2)}\n`;
}

/** The document with new tables. */
export function withMessageTables(document: string): string {
  const messages = Object.entries(AGENT_MESSAGES).map(([name, { from, schema }]) => {
    const { description } = schema;
    return `### \`${name}\`, from ${from}\n\n${description === undefined ? "" : `${description}.\n\n`}${
      tableOf(jsonSchema(schema))
    }`;
  });
  const actions = Object.entries(ACTIONS).map(([name, schema]) =>
    `### Action \`${name}\`\n\n${tableOf(jsonSchema(schema))}`
  );
  return withSection(document, "messages", [...messages, ...actions].join("\n"));
}

function tableOf(schema: JsonSchema): string {
  const rows = rowsOf(schema, "").map(([field, type, text]) => `| ${field} | ${type} | ${text} |\n`);
  return `| field | type | what |\n|---|---|---|\n${rows.join("")}`;
}

/** A row for each field, and for each field of the objects in a list. The type of the message itself is left out. */
function rowsOf({ properties = {}, required = [] }: JsonSchema, prefix: string): [string, string, string][] {
  return Object.entries(properties).filter(([name]) => prefix !== "" || (name !== "type" && name !== "kind"))
    .flatMap(([name, schema]): [string, string, string][] => {
      const path = `${prefix}${name}`;
      const notes = [
        schema.description,
        schema.default === undefined ? undefined : `default ${JSON.stringify(schema.default)}`,
      ];
      const field = `\`${path}${required.includes(name) ? "" : "?"}\``;
      const row: [string, string, string] = [
        field,
        typeOf(schema),
        notes.filter((note) => note !== undefined).join("; "),
      ];
      const inner = schema.items ?? schema;
      const branches = inner.anyOf?.filter(({ properties }) => properties !== undefined) ?? [inner];
      // The actions have tables of their own.
      if (name === "actions") return [row];
      return [
        row,
        ...branches.flatMap((branch) => rowsOf(branch, `${path}${schema.items === undefined ? "" : "[]"}.`)),
      ];
    });
}

function typeOf({ type, const: constant, enum: values, anyOf, items }: JsonSchema): string {
  if (constant !== undefined) return `\`${JSON.stringify(constant)}\``;
  if (values !== undefined) return values.map((value) => `\`${JSON.stringify(value)}\``).join(", ");
  if (anyOf !== undefined) return [...new Set(anyOf.map(typeOf))].join(" or ");
  if (items !== undefined) return "list";
  return Array.isArray(type) ? type.join(" or ") : String(type ?? "any");
}

if (import.meta.main) {
  await Bun.write(AGENT_SCHEMA_FILE, agentSchemas());
  await Bun.write(AGENT_DOCUMENT_FILE, withMessageTables(await Bun.file(AGENT_DOCUMENT_FILE).text()));
}
