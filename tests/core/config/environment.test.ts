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
  test("uses the specification's defaults for variables that are not set", () => {
    const { backend, http, eventBufferSize } = configurationOf({});
    expect(backend.baseUrl).toBe("http://localhost:3001");
    expect(backend.webSocketUrl).toBe("ws://market.example:3001/ws");
    expect(backend.confirmTimeoutMs).toBe(15_000);
    expect(http).toBeNull();
    expect(eventBufferSize).toBe(10_000);
    expect(configurationOf({ MCP_HTTP_PORT: "4087" }).http?.maxBodyBytes).toBe(1_048_576);
  });

  test("names every fault at once, each with its variable", () => {
    const faults = faultsOf({
      MKT_BASE_URL: "market.example",
      MKT_CONFIRM_TIMEOUT_MS: "soon",
      MCP_HTTP_PORT: "70000",
      LOG_LEVEL: "loud",
      MKT_CONFIRM: "1",
      MKT_READ_ONLY: "yes",
    });
    expect(faults.map(({ variable }) => variable).sort()).toEqual([
      "LOG_LEVEL",
      "MCP_HTTP_PORT",
      "MKT_BASE_URL",
      "MKT_CONFIRM",
      "MKT_CONFIRM_TIMEOUT_MS",
      "MKT_HOST",
      "MKT_READ_ONLY",
      "MKT_USER_ID",
    ]);
    expect(faults.find(({ variable }) => variable === "MCP_HTTP_PORT")?.message).toBe(
      "must be a whole number from 0 to 65535",
    );
    expect(faults.find(({ variable }) => variable === "MKT_HOST")?.message).toStartWith("is required");
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

  test("refuses an MKT_HOST that makes no address", () => {
    for (const host of ["engine:99999", "::1", "engine:port", "user@engine", "engine?x", "engine/path"]) {
      expect(faultsOf({ ...REQUIRED, MKT_HOST: host }).map(({ variable }) => variable)).toEqual(["MKT_HOST"]);
    }
    for (const host of ["[::1]:3001", "engine"]) expect(faultsOf({ ...REQUIRED, MKT_HOST: host })).toEqual([]);
  });

  test("treats an empty value as not set", () => {
    expect(configurationOf({ MCP_HTTP_PORT: "" }).http).toBeNull();
    expect(faultsOf({ ...REQUIRED, MKT_USER_ID: "" })).toHaveLength(1);
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

  test("expects the simulator at the backend unless MKT_SIM_URL is set", () => {
    expect(configurationOf({ MKT_BASE_URL: "http://engine:3001/" }).simulatorUrl).toBe("http://engine:3001");
    expect(configurationOf({ MKT_SIM_URL: "https://sim:3002/face//" }).simulatorUrl).toBe("https://sim:3002/face");
    expect(faultsOf({ ...REQUIRED, MKT_SIM_URL: "sim:3002" })[0]?.variable).toBe("MKT_SIM_URL");
  });

  test("refuses an acting user that is not among the allowed users", () => {
    expect(faultsOf({ ...REQUIRED, MKT_ALLOWED_USER_IDS: "user-2, user-3" })[0]?.variable).toBe("MKT_ALLOWED_USER_IDS");
    expect(faultsOf({ ...REQUIRED, MKT_ALLOWED_USER_IDS: "user-1,user-2" })).toEqual([]);
  });

  test("shares nothing with replicas unless MKT_REDIS_URL is set", () => {
    expect(configurationOf({}).redis).toBeNull();
    expect(configurationOf({ MKT_REDIS_URL: "rediss://redis:6379" }).redis)
      .toEqual({ url: "rediss://redis:6379", namespace: "mkt" });
  });

  test.each([
    ["redis://one:6379,two:6379", "not supported"],
    ["redis-sentinel://one:26379/mymaster", "not supported"],
    ["redis+cluster://one:6379", "not supported"],
    ["redis://host/mydata", "redis://host:port/database"],
    ["redis://:pass#word@host", "encode special characters"],
  ])("refuses MKT_REDIS_URL=%s, and says what to do", (MKT_REDIS_URL, what) => {
    const [fault, ...others] = faultsOf({ ...REQUIRED, MKT_REDIS_URL });
    expect(others).toEqual([]);
    expect(fault?.variable).toBe("MKT_REDIS_URL");
    expect(fault?.message).toContain(what);
    expect(fault?.message).not.toContain("word@");
  });

  test("refuses what is not the URL of a Redis server, and a namespace with characters of patterns", () => {
    const faults = faultsOf({ ...REQUIRED, MKT_REDIS_URL: "redis:6379/x y", MKT_REDIS_NAMESPACE: "a*" });
    expect(faults.map(({ variable }) => variable)).toEqual(["MKT_REDIS_URL", "MKT_REDIS_NAMESPACE"]);
    expect(faultsOf({ ...REQUIRED, MKT_REDIS_URL: "localhost:6379" })[0]?.variable).toBe("MKT_REDIS_URL");
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

  test("finds unknown variables with our prefixes", () => {
    const environment = {
      ...REQUIRED,
      MKT_FREEZ_FILE: "/x",
      MCP_TOKEN: "y",
      OTHER: "z",
      MKT_MARKET: "m",
      MCP_BEARER_TOKEN: "t",
    };
    expect(unknownVariables(environment, ["MKT_MARKET"])).toEqual(["MKT_FREEZ_FILE", "MCP_TOKEN"]);
  });

  test.each(["MKT_FREEZE_FILE", "MKT_CALL_LOG"])(
    "refuses a relative path in %s: it would depend on the folder",
    (name) => {
      expect(faultsOf({ ...REQUIRED, [name]: "some/file" }).map(({ variable }) => variable)).toEqual([name]);
      expect(faultsOf({ ...REQUIRED, [name]: "/some/file" })).toEqual([]);
    },
  );

  test.each(["zoë", "two words", "line\nbreak"])(
    "refuses %p as a user id or a token: it goes into a header",
    (value) => {
      expect(faultsOf({ ...REQUIRED, MKT_USER_ID: value })[0]?.variable).toBe("MKT_USER_ID");
      expect(faultsOf({ ...REQUIRED, MKT_BEARER_TOKEN: value })[0]?.variable).toBe("MKT_BEARER_TOKEN");
    },
  );

  test.each([["0", false], ["false", false], ["1", true], ["true", true]])("reads the flag %s as %p", (text, value) => {
    expect(configurationOf({ MKT_READ_ONLY: text }).packs.readOnly).toBe(value);
  });
});

test("output schemas are on unless MKT_OUTPUT_SCHEMAS is off", () => {
  const values: Record<string, string>[] = [{}, { MKT_OUTPUT_SCHEMAS: "on" }, { MKT_OUTPUT_SCHEMAS: "off" }];
  expect(values.map((value) => configurationOf(value).outputSchemas)).toEqual([true, true, false]);
  expect(faultsOf({ ...REQUIRED, MKT_OUTPUT_SCHEMAS: "no" })).toEqual(
    [{ variable: "MKT_OUTPUT_SCHEMAS", message: "must be on or off" }],
  );
});

describe("a number among the variables", () => {
  test.each([
    ["MKT_CONFIRM_TIMEOUT_MS", 10, 240_000],
    ["MCP_HTTP_PORT", 0, 65_535],
    ["MCP_RATE_LIMIT", 1, 1_000_000],
    ["MCP_UNAUTHORIZED_LIMIT", 1, 1_000_000],
    ["MCP_BODY_TIMEOUT_MS", 10, 240_000],
    ["MCP_MAX_REQUESTS", 1, 100_000],
    ["MAX_BODY_SIZE", 1, 1_073_741_824],
    ["MKT_MAX_OPEN_ORDERS", 1, 1_000_000_000],
    ["MKT_EVENT_BUFFER_SIZE", 1, 10_000_000],
  ])("%s is from %d to %d, and nothing else", (variable, least, most) => {
    const faulty = (value: number | string) =>
      faultsOf({ ...REQUIRED, [variable]: String(value) }).some((fault) => fault.variable === variable);
    expect([faulty(least), faulty(most)]).toEqual([false, false]);
    for (const value of [least - 1, most + 1, "1.5", "1e3", "many"]) {
      expect([value, faulty(value)]).toEqual([value, true]);
    }
  });
});
