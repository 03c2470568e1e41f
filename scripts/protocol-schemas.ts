// Writes what can be derived of the backend protocol's documents, from the zod declarations that mkt and its engine
// themselves use: docs/backend-protocol.schema.json, and the tables of modules and events in docs/backend-protocol.md.
// `bun scripts/protocol-schemas.ts` after a change of protocol or core/modules; a test fails while a file is not what
// this would write.

import { z } from "zod";
import { MODULE_TYPES, moduleDeclaration, moduleSchema, type ModuleType } from "../protocol/modules/registry.ts";
import {
  ACTION_NAMES,
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
  orderEventsRequest,
  PROTOCOL_VERSION,
  simulationStatus,
  spotRequest,
  spotResponse,
  startSimulationRequest,
  startSimulationResponse,
  stopSimulationResponse,
  triggerEventRequest,
  triggerEventResponse,
  usersResponse,
} from "../protocol/index.ts";

export const SCHEMA_FILE = new URL("../docs/backend-protocol.schema.json", import.meta.url);
export const DOCUMENT_FILE = new URL("../docs/backend-protocol.md", import.meta.url);

const REFERENCE = "#/$defs/";

/** Every schema by its name in `$defs`; an event whose data is a module's is named further down. */
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
    ["http.usersResponse", usersResponse],
    ["http.auditRequest", auditRequest],
    ["http.orderEventsRequest", orderEventsRequest],
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

/** The module type whose data a schema describes. */
export function moduleOf(schema: z.ZodType): ModuleType | undefined {
  return MODULE_TYPES.find((type) => moduleSchema(type) === schema);
}

/** The text of the schema file. */
export function protocolSchemas(): string {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of namedSchemas()) registry.add(schema, { id });
  // As input: what has a default may be absent, and further fields are allowed, as readers of the protocol must allow.
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

/** The document with its tables as they should be. */
export function withTables(document: string): string {
  return replaceTable(replaceTable(document, "modules", moduleTable()), "events", eventTable());
}

function replaceTable(document: string, name: string, table: string): string {
  const marked = new RegExp(`(<!-- ${name}: .*? -->\\n)[^]*(<!-- /${name} -->)`);
  if (!marked.test(document)) throw new Error(`the document has no place for the table of ${name}`);
  return document.replace(marked, (_, start: string, end: string) => `${start}\n${table}\n${end}`);
}

function moduleTable(): string {
  const rows = MODULE_TYPES.map((type) => {
    const { parent, properties } = moduleDeclaration(type);
    const names = (group: string) =>
      Object.entries(properties).filter(([, property]) => property.group === group).map(([name]) => `\`${name}\``);
    const parentText = parent === null ? "" : `${parent.type} by \`${parent.foreignKey}\``;
    return `| ${type} | ${parentText} | ${names("specs").join(", ")} | ${names("state").join(", ")} |\n`;
  });
  return `| type | parent | fixed (specs) | changing (state) |\n|---|---|---|---|\n${rows.join("")}`;
}

function eventTable(): string {
  const rows = Object.entries(EVENTS).map(([type, schema]: [string, z.ZodType]) => {
    const module = moduleOf(schema);
    const fields = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
    const data = module === undefined ? fields.map((name) => `\`${name}\``).join(", ") : `the ${module} module`;
    return `| \`${type}\` | ${categoryOf(type)} | ${data} |\n`;
  });
  return `| type | category | data |\n|---|---|---|\n${rows.join("")}`;
}

if (import.meta.main) {
  await Bun.write(SCHEMA_FILE, protocolSchemas());
  await Bun.write(DOCUMENT_FILE, withTables(await Bun.file(DOCUMENT_FILE).text()));
}
