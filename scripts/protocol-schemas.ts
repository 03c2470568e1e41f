// Writes docs/backend-protocol.schema.json, and the tables of actions, modules, events and simulator names in
// docs/backend-protocol.md, from the declarations in protocol/. A test fails if the files are not current.
//
//   bun scripts/protocol-schemas.ts

import { z } from "zod";
import { MODULE_TYPES, moduleDeclaration, moduleSchema, type ModuleType } from "../protocol/modules/registry.ts";
import {
  ACTION_NAMES,
  type ActionDeclaration,
  ACTIONS,
  auditEvent,
  auditRequest,
  auditResponse,
  categoryOf,
  clientMessage,
  engineMessage,
  entitiesResponse,
  errorResponse,
  EVENTS,
  healthResponse,
  orderBlocksResponse,
  orderEventsRequest,
  PERSONA_STRATEGIES,
  positionsResponse,
  PROTOCOL_VERSION,
  SIMULATION_PRESETS,
  simulationStatus,
  SPOT_EVENT_TYPES,
  spotRequest,
  spotResponse,
  startSimulationRequest,
  startSimulationResponse,
  stopSimulationResponse,
  triggerEventRequest,
  triggerEventResponse,
  usersResponse,
} from "../protocol/index.ts";
import { withSection } from "./document-section.ts";

export const SCHEMA_FILE = new URL("../docs/backend-protocol.schema.json", import.meta.url);
export const DOCUMENT_FILE = new URL("../docs/backend-protocol.md", import.meta.url);

const REFERENCE = "#/$defs/";

/** Every schema by its name in `$defs`, except events whose data is a module: protocolSchemas() adds those. */
function namedSchemas(): [string, z.ZodType][] {
  return [
    ["clientMessage", clientMessage],
    ["engineMessage", engineMessage],
    ...ACTION_NAMES.flatMap((name): [string, z.ZodType][] => [
      [`action.${name}.payload`, ACTIONS[name].payload],
      [`action.${name}.result`, ACTIONS[name].result],
    ]),
    ...Object.entries(EVENTS).filter(([, schema]) => moduleOf(schema) === undefined)
      .map(([type, schema]): [string, z.ZodType] => [`event.${type}`, schema]),
    ...MODULE_TYPES.map((type): [string, z.ZodType] => [`module.${type}`, moduleSchema(type)]),
    ["http.healthResponse", healthResponse],
    ["http.entitiesResponse", entitiesResponse],
    ["http.positionsResponse", positionsResponse],
    ["http.usersResponse", usersResponse],
    ["http.auditRequest", auditRequest],
    ["http.orderEventsRequest", orderEventsRequest],
    ["http.orderBlocksResponse", orderBlocksResponse],
    ["http.auditEvent", auditEvent],
    ["http.auditResponse", auditResponse],
    ["http.errorResponse", errorResponse],
    ["simulator.startRequest", startSimulationRequest],
    ["simulator.startResponse", startSimulationResponse],
    ["simulator.stopResponse", stopSimulationResponse],
    ["simulator.status", simulationStatus],
    ["simulator.spotRequest", spotRequest],
    ["simulator.spotResponse", spotResponse],
    ["simulator.eventRequest", triggerEventRequest],
    ["simulator.eventResponse", triggerEventResponse],
  ];
}

/** The module type whose schema this is. */
function moduleOf(schema: z.ZodType): ModuleType | undefined {
  return MODULE_TYPES.find((type) => moduleSchema(type) === schema);
}

/** The text of the schema file. */
export function protocolSchemas(): string {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of namedSchemas()) registry.add(schema, { id });
  // As input: fields with a default may be absent, and further fields are allowed, as every reader must allow them.
  const { schemas } = z.toJSONSchema(registry, { io: "input", uri: (id) => `${REFERENCE}${id}` });
  const definitions: Record<string, unknown> = {};
  for (const [id, { $schema: _draft, $id: _id, ...schema }] of Object.entries(schemas)) definitions[id] = schema;
  for (const [type, schema] of Object.entries(EVENTS)) {
    const module = moduleOf(schema);
    if (module !== undefined) definitions[`event.${type}`] = { $ref: `${REFERENCE}module.${module}` };
  }
  const document = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: `mkt backend protocol, version ${PROTOCOL_VERSION}`,
    $defs: definitions,
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** The document with new tables. */
export function withTables(document: string): string {
  const tables = { names: nameTable(), actions: actionTable(), modules: moduleTable(), events: eventTable() };
  return Object.entries(tables).reduce((text, [name, table]) => withSection(text, name, table), document);
}

const code = (names: readonly unknown[]) => names.map((name) => `\`${name}\``).join(", ");

function nameTable(): string {
  const names = { strategy: PERSONA_STRATEGIES, preset: SIMULATION_PRESETS, "event type": SPOT_EVENT_TYPES };
  const rows = Object.entries(names).map(([what, values]) => `| ${what} | ${code(values)} |\n`);
  return `| what | names |\n|---|---|\n${rows.join("")}`;
}

function actionTable(): string {
  const rows = ACTION_NAMES.map((name) => {
    const { permissions, condition, payload, result }: ActionDeclaration = ACTIONS[name];
    const who = [permissions.join(" or "), condition].filter(Boolean).join("; ");
    return `| \`${name}\` | ${fieldsOf(payload)} | ${fieldsOf(result)} | ${who} |\n`;
  });
  return `| action | payload | result | permission |\n|---|---|---|---|\n${rows.join("")}`;
}

/** Each field with its values, its description and its default. */
function fieldsOf({ shape }: z.ZodObject): string {
  const fields = Object.entries(shape as Record<string, z.ZodType>).map(([name, schema]) => {
    const optional = schema.safeParse(undefined).success ? "?" : "";
    if (moduleOf(schema) !== undefined) return `\`${name}\``;
    const { enum: values = [], description, default: fallback } = z.toJSONSchema(schema, { io: "input" });
    const notes = [code(values), description, fallback === undefined ? "" : `default ${fallback}`].filter(Boolean);
    return `\`${name}${optional}\`${notes.length === 0 ? "" : ` (${notes.join("; ")})`}`;
  });
  return fields.join(", ");
}

function moduleTable(): string {
  const rows = MODULE_TYPES.map((type) => {
    const { parent, properties } = moduleDeclaration(type);
    const names = (group: string) => code(Object.keys(properties).filter((name) => properties[name]?.group === group));
    const parentText = parent === null ? "" : `${parent.type} by \`${parent.foreignKey}\``;
    return `| ${type} | ${parentText} | ${names("specs")} | ${names("state")} |\n`;
  });
  return `| type | parent | fixed (specs) | changing (state) |\n|---|---|---|---|\n${rows.join("")}`;
}

function eventTable(): string {
  const rows = Object.entries(EVENTS).map(([type, schema]: [string, z.ZodType]) => {
    const module = moduleOf(schema);
    const fields = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
    const data = module === undefined ? code(fields) : `the ${module} module`;
    return `| \`${type}\` | ${categoryOf(type)} | ${data} |\n`;
  });
  return `| type | category | data |\n|---|---|---|\n${rows.join("")}`;
}

if (import.meta.main) {
  await Bun.write(SCHEMA_FILE, protocolSchemas());
  await Bun.write(DOCUMENT_FILE, withTables(await Bun.file(DOCUMENT_FILE).text()));
}
