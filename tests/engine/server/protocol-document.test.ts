import { describe, expect, test } from "bun:test";
import Ajv from "ajv/dist/2020.js";
import { z } from "zod";
import {
  auditRequest,
  clientMessage,
  orderEventsRequest,
  PATHS,
  PERMISSIONS,
  PERSONA_STRATEGIES,
  PROTOCOL_VERSION,
  REFUSAL_CODES,
  REJECTION_CODES,
  SIMULATION_PRESETS,
  SIMULATOR_ERROR_CODES,
  SIMULATOR_PATHS,
  SPOT_EVENT_TYPES,
  spotRequest,
  spotResponse,
  startSimulationRequest,
  stopSimulationResponse,
  taggedEngineMessage,
  triggerEventRequest,
} from "../../../protocol/index.ts";
import { DOCUMENT_FILE, protocolSchemas, SCHEMA_FILE, withTables } from "../../../scripts/protocol-schemas.ts";
import { connect, OPERATOR, restingBuy, serveTestEngine } from "./harness.ts";

const document = await Bun.file(DOCUMENT_FILE).text();

/** The table row whose first cell is `name`, in code style or plain. */
function rowOf(name: string): string {
  const row = document.split("\n").find((line) => line.match(/^\| *`?([^`|]+?)`? *\|/)?.[1] === name);
  if (row === undefined) throw new Error(`docs/backend-protocol.md has no row for ${name}`);
  return row;
}

function fieldsOf(schema: z.ZodType): string[] {
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
}

describe("docs/backend-protocol.md", () => {
  test("has the generated tables: after a change, run bun scripts/protocol-schemas.ts", () => {
    expect(withTables(document)).toBe(document);
  });

  test("names the protocol's version", () => {
    expect(document).toStartWith(`# The backend protocol, version ${PROTOCOL_VERSION}\n`);
  });

  test("describes every message with every field", () => {
    const messages = [...clientMessage.options, ...taggedEngineMessage.options];
    for (const { shape } of messages) {
      const { kind, ...fields } = shape;
      const row = rowOf(kind.value);
      for (const field of Object.keys(fields)) expect(row).toMatch(new RegExp(`\`${field}\\b`));
    }
  });

  test("describes every code, permission, path and parameter", () => {
    for (const code of [...REFUSAL_CODES, ...REJECTION_CODES, ...PERMISSIONS]) expect(rowOf(code)).toContain(code);
    for (const path of [PATHS.health, PATHS.entities, PATHS.users, PATHS.audit]) {
      expect(document).toContain(`\`GET ${path}\``);
    }
    expect(document).toContain("`GET /api/admin/orders/{orderId}/events`");
    expect(document).toContain("`GET /api/admin/orders/{orderId}/blocks`");
    expect(document).toContain("`GET /api/admin/entities/{entityId}/positions`");
    for (const name of [...fieldsOf(auditRequest), ...fieldsOf(orderEventsRequest)]) {
      expect(document).toContain(`\`${name}\``);
    }
  });

  test("describes the simulator's routes with every field, and every name that they accept", () => {
    const { start, stop, status, spot, events } = SIMULATOR_PATHS;
    for (const path of [status, spot]) expect(rowOf(`GET ${path}`)).toContain("Market.View");
    for (const path of [start, stop, events]) expect(rowOf(`POST ${path}`)).toContain("Market.Operate");
    for (const field of fieldsOf(startSimulationRequest)) expect(rowOf(`POST ${start}`)).toContain(field);
    for (const field of fieldsOf(triggerEventRequest)) expect(rowOf(`POST ${events}`)).toContain(field);
    for (const field of fieldsOf(spotRequest)) expect(rowOf(`GET ${spot}`)).toContain(`\`${field}\``);
    for (const field of fieldsOf(spotResponse)) expect(rowOf(`GET ${spot}`)).toContain(field);
    for (const field of fieldsOf(stopSimulationResponse)) expect(document).toContain(field);
    for (const name of [...SIMULATOR_ERROR_CODES, ...SIMULATION_PRESETS, ...PERSONA_STRATEGIES, ...SPOT_EVENT_TYPES]) {
      expect(document).toContain(`\`${name}\``);
    }
  });
});

describe("docs/backend-protocol.schema.json", () => {
  test("is generated: after a change, run bun scripts/protocol-schemas.ts", async () => {
    expect(await Bun.file(SCHEMA_FILE).text()).toBe(protocolSchemas());
  });

  test("compiles, and accepts the messages of a real client and a real engine", async () => {
    const ajv = new Ajv({ strict: false, validateFormats: false });
    ajv.addSchema(JSON.parse(await Bun.file(SCHEMA_FILE).text()), "protocol");
    const accepts = (name: string, value: unknown) => ajv.getSchema(`protocol#/$defs/${name}`)?.(value);
    const engine = serveTestEngine();
    const client = await connect(engine, OPERATOR);
    const payload = restingBuy(engine.contractId);
    const response = await client.request("order.submit", payload);
    await client.request("market.halt", {});
    expect(accepts("action.order.submit.payload", payload)).toBe(true);
    expect(accepts("action.order.submit.payload", { ...payload, side: 2 })).toBe(false);
    expect(accepts("action.order.submit.result", response.result)).toBe(true);
    expect(accepts("clientMessage", { kind: "hello", protocol: PROTOCOL_VERSION, userId: OPERATOR })).toBe(true);
    expect(accepts("clientMessage", { kind: "hello" })).toBe(false);
    for (const message of client.messages) {
      expect(accepts("engineMessage", message)).toBe(true);
      if ("statePath" in message) {
        expect(accepts(`module.${message.statePath.split("/")[1]}`, message.state)).toBe(true);
      } else if (message.kind === "event") expect(accepts(`event.${message.type}`, message.data)).toBe(true);
    }
  });
});
