import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import Ajv from "ajv/dist/2020.js";
import {
  ACTION_NAMES,
  auditRequest,
  clientMessage,
  EVENTS,
  orderBounds,
  orderEventsRequest,
  PATHS,
  PERMISSIONS,
  PROTOCOL_VERSION,
  REFUSAL_CODES,
  REJECTION_CODES,
  SIMULATOR_PATHS,
  spotRequest,
  spotResponse,
  startSimulationRequest,
  stopSimulationResponse,
  taggedEngineMessage,
  triggerEventRequest,
} from "../../../protocol/index.ts";
import { MODULE_TYPES } from "../../../protocol/modules/registry.ts";
import { DOCUMENT_FILE, protocolSchemas, SCHEMA_FILE, withTables } from "../../../scripts/protocol-schemas.ts";
import { tableNamed, tablesOf, testTables } from "../../support/document-tables.ts";
import { connect, OPERATOR, restingBuy, serveTestEngine } from "./harness.ts";
import { clientRow, engineRow, REFUSED_CONNECTIONS } from "./protocol-tables/connections.ts";
import { HTTP_FAILURES, route, SIMULATOR_FAILURES } from "./protocol-tables/http.ts";
import {
  actionRow,
  BOUNDS,
  clockRow,
  eventRow,
  moduleRow,
  NAMES,
  PERMISSION_ROWS,
  rejectionRow,
} from "./protocol-tables/market.ts";

const ROOT = new URL("../../..", import.meta.url).pathname;
const document = await Bun.file(DOCUMENT_FILE).text();

describe("docs/backend-protocol.md", () => {
  test("has the generated tables: after a change, run bun scripts/protocol-schemas.ts", () => {
    expect(withTables(document)).toBe(document);
  });

  test("names the protocol's version", () => {
    expect(document).toStartWith(`# The backend protocol, version ${PROTOCOL_VERSION}\n`);
  });

  test("has a row for every message, code, permission, path, and name of an event or module", () => {
    const tables = tablesOf(document);
    const namesIn = (table: string) => tableNamed(tables, table).rows.map(({ name }) => name);
    const tagged = taggedEngineMessage.options.map(({ shape }) => shape.kind.value);
    expect(namesIn("WebSocket: kind")).toEqual(clientMessage.options.map(({ shape }) => shape.kind.value));
    expect(namesIn("WebSocket: kind 2").toSorted()).toEqual([...tagged, "(state)"].toSorted());
    expect(namesIn("Codes: code").toSorted()).toEqual(REFUSAL_CODES.toSorted());
    expect(namesIn("Codes: code 2").toSorted()).toEqual(REJECTION_CODES.toSorted());
    expect(namesIn("Permissions: permission").toSorted()).toEqual(PERMISSIONS.toSorted());
    expect(namesIn("bounds: bound").toSorted()).toEqual(Object.keys(orderBounds.shape).toSorted());
    expect(namesIn("Actions: action")).toEqual([...ACTION_NAMES]);
    expect(namesIn("Modules: type")).toEqual([...MODULE_TYPES]);
    expect(namesIn("Events: type")).toEqual(Object.keys(EVENTS));
    const paths = [...namesIn("HTTP: route"), ...namesIn("The simulator's control API: route")]
      .map((route) => (route.split(" ")[1] ?? "").replaceAll(/\{.*?\}/g, "x"));
    const served = [...Object.values(PATHS), ...Object.values(SIMULATOR_PATHS)]
      .map((path) => typeof path === "string" ? path : path("x")).filter((path) => path !== PATHS.webSocket);
    expect(paths.toSorted()).toEqual(served.toSorted());
  });

  test("has a row for every refusal that a route of the engine or of its simulator throws", async () => {
    const names = ["HTTP: status", "The simulator's control API: status"].flatMap((table) =>
      tableNamed(tablesOf(document), table).rows.map(({ name }) => name)
    );
    let count = 0;
    const folders = ["engine/server", "engine/routes", "common/http", "sim/live"];
    for (const path of folders.flatMap((folder) => [...new Bun.Glob(`${folder}/**/*.ts`).scanSync(ROOT)])) {
      const source = await Bun.file(join(ROOT, path)).text();
      for (const [, status, code] of source.matchAll(/\bRefusal\(\s*(\d+),\s*"(\w+)"/g)) {
        count += 1;
        expect(names).toContain(`${status} ${code}`);
      }
    }
    expect(count).toBeGreaterThan(20);
  });

  test("names every parameter, and every field of the simulator's requests and answers", () => {
    const schemas = [
      auditRequest,
      orderEventsRequest,
      startSimulationRequest,
      triggerEventRequest,
      spotRequest,
      spotResponse,
      stopSimulationResponse,
    ];
    for (const field of schemas.flatMap((schema) => Object.keys(schema.shape))) {
      expect(document).toMatch(new RegExp(`\\b${field}\\b`));
    }
  });
});

testTables("docs/backend-protocol.md", tablesOf(document), {
  "Market time and engine time: mode": clockRow,
  "HTTP: route": route,
  "HTTP: status": HTTP_FAILURES,
  "The simulator's control API: route": route,
  "The simulator's control API: what": NAMES,
  "The simulator's control API: status": SIMULATOR_FAILURES,
  "WebSocket: kind": clientRow,
  "WebSocket: kind 2": engineRow,
  "Actions: action": actionRow,
  "bounds: bound": BOUNDS,
  "Modules: type": moduleRow,
  "Events: type": eventRow,
  "Codes: code": REFUSED_CONNECTIONS,
  "Codes: code 2": rejectionRow,
  "Permissions: permission": PERMISSION_ROWS,
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
