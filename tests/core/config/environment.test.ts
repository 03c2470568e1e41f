import { describe, expect, test } from "bun:test";
import type { ConfigurationFault } from "../../../core/config/configuration.ts";
import { readConfiguration } from "../../../core/config/environment.ts";
import { unknownVariables } from "../../../core/config/variables.ts";

const REQUIRED = { MKT_HOST: "market.example:3001", MKT_USER_ID: "user-1" };

function configurationOf(environment: Record<string, string>) {
  const result = readConfiguration({ ...REQUIRED, ...environment });
  if (!result.ok) throw new Error(JSON.stringify(result.faults));
  return result.configuration;
}

function faultsOf(environment: Record<string, string>): readonly ConfigurationFault[] {
  const result = readConfiguration(environment);
  return result.ok ? [] : result.faults;
}

describe("reading the configuration", () => {
  test("derives addresses, and leaves out what is not set", () => {
    const unset = { http: null, redis: null, outputSchemas: true, simulatorUrl: "http://localhost:3001" };
    const webSocketUrl = "ws://market.example:3001/ws";
    expect(configurationOf({ MCP_HTTP_PORT: "", MKT_REDIS_URL: "" }))
      .toMatchObject({ ...unset, backend: { baseUrl: "http://localhost:3001", webSocketUrl } });
    const set = {
      MKT_BASE_URL: "http://engine:3001/",
      MKT_REDIS_URL: "rediss://redis:6379",
      MKT_OUTPUT_SCHEMAS: "off",
    };
    expect(configurationOf(set)).toMatchObject({
      redis: { url: "rediss://redis:6379", namespace: "mkt" },
      outputSchemas: false,
      simulatorUrl: "http://engine:3001",
    });
    expect(configurationOf({ MKT_SIM_URL: "https://sim:3002/face//" }).simulatorUrl).toBe("https://sim:3002/face");
    expect(faultsOf({ ...REQUIRED, MKT_USER_ID: "" })).toHaveLength(1);
  });

  test("names every fault at once, each with its variable", () => {
    const wrong = { LOG_LEVEL: "loud", MCP_HTTP_PORT: "70000", MKT_BASE_URL: "market.example", MKT_CONFIRM: "1" };
    const faults = faultsOf({ ...wrong, MKT_READ_ONLY: "yes" }).map(({ variable }) => variable);
    expect(faults.sort()).toEqual([...Object.keys(wrong), "MKT_HOST", "MKT_READ_ONLY", "MKT_USER_ID"]);
  });

  test("names contradictions beside invalid variables, and each invalid variable once", () => {
    const open = { MCP_HTTP_PORT: "http", MCP_HTTP_HOST: "0.0.0.0" };
    const named = (environment: Record<string, string>) => faultsOf(environment).map(({ variable }) => variable).sort();
    expect(named({ ...REQUIRED, ...open })).toEqual(["MCP_HTTP_HOST", "MCP_HTTP_PORT"]);
    expect(named({ ...REQUIRED, ...open, MCP_BEARER_TOKEN: "a b" })).toEqual(["MCP_BEARER_TOKEN", "MCP_HTTP_PORT"]);
    expect(named({ ...REQUIRED, ...open, MCP_ALLOW_UNAUTHENTICATED: "yes" })).toEqual([
      "MCP_ALLOW_UNAUTHENTICATED",
      "MCP_HTTP_PORT",
    ]);
    expect(named({ MKT_HOST: "desk:1", MKT_ALLOWED_USER_IDS: "anna", MCP_ALLOWED_HOSTS: "*" })).toEqual([
      "MCP_ALLOWED_HOSTS",
      "MKT_USER_ID",
    ]);
    expect(named({ ...REQUIRED, MKT_ALLOWED_USER_IDS: "anna", LOG_LEVEL: "loud" })).toEqual([
      "LOG_LEVEL",
      "MKT_ALLOWED_USER_IDS",
    ]);
  });

  test.each(["0.0.0.0", "10.0.0.5", "market.example", "::"])("refuses to listen on %s without a token", (address) => {
    const environment = { ...REQUIRED, MCP_HTTP_PORT: "4087", MCP_HTTP_HOST: address };
    expect(faultsOf(environment).map(({ variable }) => variable)).toEqual(["MCP_HTTP_HOST"]);
    expect(faultsOf({ ...environment, MCP_BEARER_TOKEN: "secret" })).toEqual([]);
    expect(faultsOf({ ...environment, MCP_ALLOW_UNAUTHENTICATED: "1" })).toEqual([]);
  });

  test.each(["127.0.0.1", "127.9.9.9", "localhost", "::1"])("listens on %s without a token", (address) => {
    expect(faultsOf({ ...REQUIRED, MCP_HTTP_PORT: "4087", MCP_HTTP_HOST: address })).toEqual([]);
  });

  test("refuses an acting user that is not among the allowed users", () => {
    expect(faultsOf({ ...REQUIRED, MKT_ALLOWED_USER_IDS: "user-2, user-3" })[0]?.variable).toBe("MKT_ALLOWED_USER_IDS");
    expect(faultsOf({ ...REQUIRED, MKT_ALLOWED_USER_IDS: "user-1,user-2" })).toEqual([]);
  });

  test("names invalid hosts, invalid origins and an invalid token file", () => {
    const settings = {
      MCP_ALLOWED_HOSTS: "mkt.example, http://mkt.example",
      MCP_ALLOWED_ORIGINS: "https://desk.example:8443, https://desk.example/path",
      MCP_BEARER_TOKEN_FILE: import.meta.dir,
    };
    for (const [variable, value] of Object.entries(settings)) {
      expect(faultsOf({ ...REQUIRED, [variable]: value })).toEqual([{ variable, message: expect.any(String) }]);
    }
    expect(faultsOf({ ...REQUIRED, MCP_ALLOWED_HOSTS: "mkt.example:443", MCP_ALLOWED_ORIGINS: "desk" })).toEqual([]);
  });

  test.each([
    ["MKT_READ_ONLY", ["MKT_READONLY", "MKT_READ_ONY", "MKT_READ", "MKT_READ_ONLY_MODE"]],
    ["MKT_FREEZE_FILE", ["MKT_FREEZE", "MKT_FREEZ_FILE"]],
    ["MKT_CONFIRM", ["MKT_COMFIRM", "MKT_CONFIRMATION"]],
    ["MKT_CALL_LOG", ["MKT_CALLLOG"]],
    ["MKT_ALLOWED_USER_IDS", ["MKT_ALLOWED_USERS"]],
    ["MKT_PACKS", ["MKT_PACK"]],
    ["MKT_DASHBOARD", ["MKT_DASHBORD"]],
    ["MKT_BEARER_TOKEN", ["MKT_BEARER_TOKN"]],
  ])("refuses a mistyped %s, which would not hold", (meant, names) => {
    for (const variable of names) {
      const message = `is not a variable of mkt; correct it to ${meant}, which does not hold now, or unset it`;
      expect(faultsOf({ ...REQUIRED, [variable]: "1" })).toEqual([{ variable, message }]);
      expect(faultsOf({ ...REQUIRED, [variable]: "" })).toEqual([]);
    }
  });

  test("refuses every limit that it does not know", () => {
    for (const variable of ["MKT_MAX_ORDER_QTY", "MKT_MAX_DAILY_LOSS", "MKT_MAX_POSITION"]) {
      const message = expect.stringMatching(/^there is no such limit; one of MKT_MAX_ORDER_QUANTITY, .*POSITION$/);
      expect(faultsOf({ ...REQUIRED, [variable]: "5" })).toEqual([{ variable, message }]);
    }
  });

  test("refuses a mistyped guardrail of MCP over HTTP only there, because other programs have such variables too", () => {
    const mistyped = { MCP_AUTH_TOKEN: "secret", MCP_RATELIMIT: "5" };
    expect(faultsOf({ ...REQUIRED, ...mistyped })).toEqual([]);
    expect(faultsOf({ ...REQUIRED, ...mistyped, MCP_HTTP_PORT: "0" }).map(({ variable }) => variable))
      .toEqual(Object.keys(mistyped));
  });

  test("has nothing against the variables of Kubernetes, Compose, an engine, a pack or another client", () => {
    const others = `MKT_PORT MKT_SERVICE_HOST MKT_SERVICE_PORT MKT_PORT_4087_TCP MKT_ENGINE_SERVICE_HOST MKT_ENGINE_PORT
      MKT_ENGINE_TOKEN_FILE MKT_ENGINE_MAX_DEPTH MKT_REDIS_PORT MCP_PORT MCP_SERVICE_HOST MCP_TIMEOUT MCP_TOOL_TIMEOUT
      MKT_PUBLIC_HOST MKT_VERSION MKT_ACME_ZONES MKT_TEST_SEED MKT_HOME MKT_AUTOCONNECT`.split(/\s+/);
    const environment = Object.fromEntries(others.map((name) => [name, "x"]));
    expect(faultsOf({ ...REQUIRED, MCP_HTTP_PORT: "0", ...environment })).toEqual([]);
  });

  test("finds unknown variables with our prefixes", () => {
    const known = { ...REQUIRED, OTHER: "z", MKT_MARKET: "m", MCP_BEARER_TOKEN: "t" };
    expect(unknownVariables({ ...known, MKT_FREEZ_FILE: "/x", MCP_TOKEN: "y" }, ["MKT_MARKET"]))
      .toEqual(["MKT_FREEZ_FILE", "MCP_TOKEN"]);
  });
});
