// Writes the types of the market in docs/examples/mkt-pack.d.ts from their declarations in protocol/: modules, actions, and
// what the context's clients give. tests/documents checks that they are current.
//
//   bun scripts/pack-types.ts

import { z } from "zod";
import { ACTIONS } from "../protocol/actions.ts";
import { EVENT_CATEGORIES } from "../protocol/events.ts";
import { auditEvent, auditRequest, auditResponse, orderBlocksResponse, orderEventsRequest } from "../protocol/http.ts";
import { MODULE_TYPES, moduleSchema } from "../protocol/modules/registry.ts";
import { PERMISSIONS } from "../protocol/permissions.ts";
import { positionsResponse } from "../protocol/positions.ts";
import { simulationStatus, spotResponse } from "../protocol/simulator.ts";
import { ERROR_CODES } from "../core/error.ts";

export const PACK_TYPES_FILE = new URL("../docs/examples/mkt-pack.d.ts", import.meta.url).pathname;

const BEGIN = "// The rest is written by scripts/pack-types.ts from the declarations of the protocol.\n";

type Io = "input" | "output";

/** Schemas that have a type of their own. */
const NAMED = new Map<z.core.$ZodType, string>([
  ...MODULE_TYPES.map((type) => [moduleSchema(type), `Modules["${type}"]`] as const),
  [auditEvent, "AuditEvent"],
]);

/** The file with new generated types. */
export function withPackTypes(file: string): string {
  const begin = file.indexOf(BEGIN);
  if (begin < 0) throw new Error("the file has no generated part");
  return `${file.slice(0, begin)}${BEGIN}\n${generatedTypes()}`;
}

function generatedTypes(): string {
  const actions = Object.entries(ACTIONS).map(([name, { payload, result }]) =>
    `  readonly "${name}": {\n    readonly payload: ${typeText(payload, "input", 2)};\n` +
    `    readonly result: ${typeText(result, "output", 2)};\n  };\n`
  );
  const modules = MODULE_TYPES.map((type) =>
    `  readonly ${type}: ${objectText(moduleSchema(type) as unknown as z.ZodObject, "output", 1)};\n`
  );
  return [
    namesType("Permission", PERMISSIONS),
    namesType("EventCategory", EVENT_CATEGORIES),
    namesType("ErrorCode", ERROR_CODES),
    `/** The data of each type of module. */\nexport interface Modules {\n${modules.join("")}}\n`,
    `/** What each action of a request takes and gives. */\nexport interface Actions {\n${actions.join("")}}\n`,
    schemaType("EntityPositions", positionsResponse),
    schemaType("OrderBlocks", orderBlocksResponse),
    schemaType("AuditEvent", auditEvent),
    schemaType("AuditPage", auditResponse),
    schemaType("AuditQuery", auditRequest),
    schemaType("OrderEventsQuery", orderEventsRequest),
    schemaType("SimulationStatus", simulationStatus),
    schemaType("SpotPrices", spotResponse),
  ].join("\n");
}

function namesType(name: string, names: readonly string[]): string {
  return `export type ${name} =\n${names.map((each) => `  | "${each}"`).join("\n")};\n`;
}

function schemaType(name: string, schema: z.ZodObject): string {
  return `export interface ${name} ${objectText(schema, "output", 0)}\n`;
}

function typeText(schema: z.core.$ZodType, io: Io, depth: number): string {
  const name = NAMED.get(schema);
  if (name !== undefined) return name;
  if (schema instanceof z.ZodObject) return objectText(schema, io, depth);
  if (schema instanceof z.ZodArray) {
    return `${io === "output" ? "readonly " : ""}${inList(typeText(schema.def.element, io, depth))}[]`;
  }
  if (schema instanceof z.ZodNullable) return `${typeText(schema.def.innerType, io, depth)} | null`;
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) {
    return typeText(schema.def.innerType, io, depth);
  }
  if (schema instanceof z.ZodEnum) return schema.options.map((value) => JSON.stringify(value)).join(" | ");
  if (schema instanceof z.ZodLiteral) return schema.def.values.map((value) => JSON.stringify(value)).join(" | ");
  if (schema instanceof z.ZodUnion) return unionText(schema.def.options.map((each) => typeText(each, io, depth)));
  if (schema instanceof z.ZodRecord) {
    return `Readonly<Record<string, ${typeText(schema.def.valueType, io, depth)}>>`;
  }
  if (schema instanceof z.ZodNumber) return "number";
  if (schema instanceof z.ZodBoolean) return "boolean";
  if (schema instanceof z.ZodUnknown) return "unknown";
  if (schema instanceof z.ZodString || schema instanceof z.ZodStringFormat) return "string";
  throw new Error(`there is no type for a schema ${schema._zod.def.type}`);
}

/** Known texts or any other text are any text. */
function unionText(options: readonly string[]): string {
  return options.includes("string") ? "string" : options.join(" | ");
}

function inList(element: string): string {
  return element.includes(" | ") ? `(${element})` : element;
}

function objectText(schema: z.ZodObject, io: Io, depth: number): string {
  const indent = "  ".repeat(depth);
  const properties = Object.entries(schema.shape).map(([name, property]) => {
    const { description } = property as z.ZodType;
    const comment = description === undefined ? "" : `${indent}  /** ${description.replaceAll("*/", "")} */\n`;
    return `${comment}${indent}  readonly ${name}${mayLack(property, io) ? "?" : ""}: ${
      typeText(property, io, depth + 1)
    };\n`;
  });
  return `{\n${properties.join("")}${indent}}`;
}

function mayLack(schema: z.core.$ZodType, io: Io): boolean {
  return schema instanceof z.ZodOptional || io === "input" && schema instanceof z.ZodDefault;
}

if (import.meta.main) await Bun.write(PACK_TYPES_FILE, withPackTypes(await Bun.file(PACK_TYPES_FILE).text()));
