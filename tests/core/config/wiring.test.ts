// Each variable changes the settings that it names, and no other.

import { expect, test } from "bun:test";
import { readConfiguration } from "../../../core/config/environment.ts";
import { type VariableName, VARIABLES } from "../../../core/config/variables.ts";

const REQUIRED = { MKT_HOST: "desk:3001", MKT_USER_ID: "anna" };
/** The HTTP server's variables count only with a port. */
const BASE = { ...REQUIRED, MCP_HTTP_PORT: "4087" };

type Row = readonly [variable: VariableName, value: string, settings: Readonly<Record<string, unknown>>];

const ROWS: readonly Row[] = [
  ["MKT_HOST", "other:1", { "backend.host": "other:1", "backend.webSocketUrl": "ws://other:1/ws" }],
  ["MKT_USER_ID", "bert", { "backend.userId": "bert" }],
  ["MKT_BASE_URL", "http://base:1/", { "backend.baseUrl": "http://base:1", "simulatorUrl": "http://base:1" }],
  ["MKT_WS_URL", "ws://socket:1/ws", { "backend.webSocketUrl": "ws://socket:1/ws" }],
  ["MKT_BEARER_TOKEN", "token-of-an-engine", { "backend.bearerToken": "token-of-an-engine" }],
  ["MKT_ENGINE_ID", "engine-1", { "backend.engineId": "engine-1" }],
  ["MKT_ALLOWED_USER_IDS", "anna,bert", { "backend.allowedUserIds": ["anna", "bert"] }],
  ["MKT_CONFIRM_TIMEOUT_MS", "1234", { "backend.confirmTimeoutMs": 1234 }],
  ["MKT_AUTO_CONNECT", "1", { "backend.autoConnect": true }],
  ["MKT_SIM_URL", "http://sim:1", { "simulatorUrl": "http://sim:1" }],
  ["MCP_HTTP_PORT", "4088", { "http.port": 4088 }],
  ["MCP_HTTP_HOST", "127.0.0.2", { "http.host": "127.0.0.2" }],
  ["MCP_BEARER_TOKEN", "token-of-a-server", { "http.bearerToken": "token-of-a-server" }],
  ["MCP_ALLOWED_HOSTS", "mkt.example", { "http.allowedHosts": ["mkt.example"] }],
  ["MCP_ALLOWED_ORIGINS", "pages.example", { "http.allowedOrigins": ["pages.example"] }],
  ["MCP_RATE_LIMIT", "7", { "http.rateLimit": 7 }],
  ["MCP_UNAUTHORIZED_LIMIT", "8", { "http.unauthorizedLimit": 8 }],
  ["MCP_BODY_TIMEOUT_MS", "4321", { "http.bodyTimeoutMs": 4321 }],
  ["MCP_MAX_REQUESTS", "9", { "http.maxRequests": 9 }],
  ["MAX_BODY_SIZE", "2048", { "http.maxBodyBytes": 2048 }],
  ["MKT_PACKS", "query,monitor", { "packs.names": ["query", "monitor"] }],
  ["MKT_READ_ONLY", "1", { "packs.readOnly": true }],
  ["MKT_PLUGIN_DIR", "/packs", { "packs.directory": "/packs" }],
  ["MKT_OUTPUT_SCHEMAS", "off", { "outputSchemas": false }],
  ["MKT_MAX_ORDER_QUANTITY", "11", { "limits.maxOrderQuantity": 11 }],
  ["MKT_MAX_ORDER_NOTIONAL", "12", { "limits.maxOrderNotional": 12 }],
  ["MKT_MAX_OPEN_ORDERS", "13", { "limits.maxOpenOrders": 13 }],
  ["MKT_MAX_OPEN_NOTIONAL", "14", { "limits.maxOpenNotional": 14 }],
  ["MKT_MAX_NET_POSITION", "15", { "limits.maxNetPosition": 15 }],
  ["MKT_FREEZE_FILE", "/freeze", { "guardrails.freezeFile": "/freeze" }],
  ["MKT_CALL_LOG", "/calls", { "guardrails.callLog": "/calls" }],
  ["MKT_CONFIRM", "elicit", { "guardrails.confirm": true }],
  ["MKT_EVENT_BUFFER_SIZE", "16", { "eventBufferSize": 16 }],
  ["MKT_AUDIT_STORE", "backend", { "audit.store": "backend" }],
  ["STORAGE_TABLE_ENDPOINT", "https://tables.example", { "audit.tableEndpoint": "https://tables.example" }],
  ["STORAGE_ACCOUNT_NAME", "account", { "audit.accountName": "account" }],
  ["MKT_STORAGE_KEY", "a2V5", { "audit.accountKey": "a2V5" }],
  ["STRESS_TEST_SECRET", "a-secret-for-stress", { "stressTestSecret": "a-secret-for-stress" }],
  ["MKT_DASHBOARD", "0", { "dashboard": false }],
  ["LOG_LEVEL", "debug", { "logLevel": "debug" }],
];

/** They need a file, change nothing alone, or are told in tests of their own. */
const ELSEWHERE: readonly VariableName[] = [
  ...["MKT_BEARER_TOKEN_FILE", "MCP_BEARER_TOKEN_FILE"] as const,
  ...["MCP_ALLOW_UNAUTHENTICATED", "MKT_REDIS_URL", "MKT_REDIS_NAMESPACE"] as const,
];

/** The settings by their path. Lists are values. */
function flat(value: unknown, path = ""): Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return { [path]: value };
  const entries = Object.entries(value).map(([name, each]) => flat(each, path === "" ? name : `${path}.${name}`));
  return Object.assign({}, ...entries) as Record<string, unknown>;
}

function settingsOf(environment: Record<string, string>): Record<string, unknown> {
  const read = readConfiguration(environment as never);
  if (!read.ok) throw new Error(JSON.stringify(read));
  return flat(read.configuration);
}

test.each(ROWS)("%s, set to %s, changes %j and nothing else", (variable, value, settings) => {
  const [before, after] = [settingsOf(BASE), settingsOf({ ...BASE, [variable]: value })];
  const changed = Object.entries(after).filter(([path, each]) => !Bun.deepEquals(each, before[path]));
  expect(Object.fromEntries(changed)).toEqual({ ...settings });
});

test("every variable is tried here, or named as tried elsewhere", () => {
  expect([...ROWS.map(([name]) => name), ...ELSEWHERE].toSorted()).toEqual(VARIABLES.toSorted());
});
