import { expect, test } from "bun:test";
import { UNAUTHORIZED_PER_SECOND } from "../../../common/http/default-limits.ts";
import { LOG_LEVELS } from "../../../common/log-levels.ts";
import { parseVariables, VARIABLES } from "../../../core/config/variables.ts";

const REQUIRED = { MKT_HOST: "localhost", MKT_USER_ID: "anna" };

interface Kind {
  /** Values by the text that gives them, or texts that are their own values. */
  readonly accepted: Readonly<Record<string, unknown>> | readonly string[];
  /** Texts by the fault that each of them is. */
  readonly refused: Readonly<Record<string, readonly string[]>>;
}

const words = (text: string) => text.split(" ");
const oneOf = (accepted: readonly string[], message: string): Kind => (
  { accepted, refused: { [message]: ["loud", " ", accepted[0]!.toUpperCase(), `${accepted[0]}\n`] } }
);
const integer = (least: number, most: number): Kind => ({
  accepted: { [least]: least, [most]: most, [`00${most}`]: most },
  refused: {
    [`must be a whole number from ${least} to ${most}`]: [
      ...words(`${least - 1} ${most + 1} 1.5 1e3 many -1 1000000000000000`),
      "1\n",
    ],
  },
});
const positive = (unit: string): Kind => ({
  accepted: { "0.000001": 0.000001, "010": 10, "10.5": 10.5, "999999999999999": 999_999_999_999_999 },
  refused: { [`must be a number of ${unit} above 0`]: words("0 0.0 -1 0.0000001 .5 5. 1e3 NaN many 1000000000000000") },
});
const text: Kind = { accepted: ["some text", " ", "zoë", "x".repeat(5_000)], refused: {} };
const list: Kind = { accepted: { "a,b": ["a", "b"], " a , ,b,": ["a", "b"], ",": [] }, refused: {} };
const flag: Kind = {
  accepted: { "1": true, "true": true, "0": false, "false": false },
  refused: { "must be 1, true, 0 or false": ["TRUE", "yes", "on", "10"] },
};
const url = (accepted: string, refused: string, schemes: string): Kind => (
  { accepted: words(accepted), refused: { [`must be a URL that begins with ${schemes}`]: words(refused) } }
);
const httpUrl = url("http://a https://a/b/ HTTP://A", "http:// ws://a a.example //a file:///a", "http:// or https://");
const header = "must be printable ASCII without spaces";
const headerText: Kind = {
  accepted: ["secret", "!~", "x".repeat(4096)],
  refused: { [header]: ["x".repeat(4097), "two words", "zoë", "line\nbreak", "1\n"] },
};
const tooLong = "must have at most 200 characters";
const userId: Kind = {
  accepted: ["user-1", "x".repeat(200)],
  refused: {
    [header]: ["zoë", "two words", "line\nbreak"],
    [tooLong]: ["x".repeat(201)],
    [`${header}; ${tooLong}`]: ["é".repeat(201)],
  },
};
const hostAndPort: Kind = {
  accepted: ["localhost:3001", "engine", "[::1]:3001"],
  refused: {
    "must be a host name or address and a port, such as localhost:3001 or [::1]:3001": [
      ...words("engine:99999 ::1 engine:port user@engine engine?x engine/path a#b a\\b a\tb"),
      "a b",
    ],
  },
};
const host: Kind = {
  accepted: ["market.example", "0.0.0.0", "::"],
  refused: { "must be a host name or address, without a scheme": ["http://a", "a/b", "a b", "a\tb"] },
};
const absolutePath = (...accepted: readonly string[]): Kind => (
  { accepted: ["/some/file", ...accepted], refused: { "must be an absolute path": ["some/file", "./x", "http://a"] } }
);
const redisNamespace: Kind = {
  accepted: ["mkt", "a.b_c-9", "x".repeat(64)],
  refused: { "must be 1 to 64 letters, digits, dots, hyphens and underscores": ["x".repeat(65), "a*", "a b", "a\n"] },
};
const noCluster =
  "Redis Cluster and Sentinel are not supported: give the address of one server, or of a service that has one";
const redisForms =
  "must be redis://host:port/database, rediss:// for TLS, or redis+unix:///path; encode special characters of a password";
const redisUrl: Kind = {
  accepted: words(
    "redis://a:1 rediss://a/2 REDIS://a redis://a/ redis://a/12345 redis://u:p,q@a redis://:p@a redis+unix:///redis.sock",
  ),
  refused: {
    [noCluster]: words(
      "redis://a:1,b:2 redis://u:p@a,b/1 redis-sentinel://a:1/name redis+cluster://a,b REDIS+CLUSTER://a",
    ),
    [redisForms]: [
      ...words("localhost:6379 redis:6379 redis:// redis://a/b redis://a/123456 redis://a/1/2 redis://u:p#q@a"),
      ...words("redis://:p@a?b=c redis+unix://a/run redis+unix:/// valkey://a http://a"),
    ],
  },
};

const KINDS: Readonly<Record<string, Kind>> = {
  "MKT_HOST": hostAndPort,
  "MKT_USER_ID": userId,
  "MKT_BASE_URL MKT_SIM_URL STORAGE_TABLE_ENDPOINT": httpUrl,
  "MKT_WS_URL": url("ws://a wss://a/ws", "ws:// http://a a.example", "ws:// or wss://"),
  "MKT_BEARER_TOKEN MCP_BEARER_TOKEN": headerText,
  "MKT_BEARER_TOKEN_FILE MCP_BEARER_TOKEN_FILE STRESS_TEST_SECRET STORAGE_ACCOUNT_NAME MKT_STORAGE_KEY": text,
  "MKT_PLUGIN_DIR MKT_ENGINE_ID": text,
  "MKT_ALLOWED_USER_IDS MCP_ALLOWED_HOSTS MCP_ALLOWED_ORIGINS MKT_PACKS": list,
  "MKT_AUTO_CONNECT MCP_ALLOW_UNAUTHENTICATED MKT_READ_ONLY MKT_DASHBOARD": flag,
  "MKT_CONFIRM_TIMEOUT_MS MCP_BODY_TIMEOUT_MS": integer(10, 240_000),
  "MCP_HTTP_PORT": integer(0, 65_535),
  "MCP_RATE_LIMIT MCP_UNAUTHORIZED_LIMIT": integer(1, 1_000_000),
  "MCP_MAX_REQUESTS": integer(1, 100_000),
  "MAX_BODY_SIZE": integer(1, 1_073_741_824),
  "MKT_MAX_OPEN_ORDERS": integer(1, 1_000_000_000),
  "MKT_EVENT_BUFFER_SIZE": integer(1, 10_000_000),
  "MKT_MAX_ORDER_QUANTITY MKT_MAX_NET_POSITION": positive("MW"),
  "MKT_MAX_ORDER_NOTIONAL MKT_MAX_OPEN_NOTIONAL": positive("dollars"),
  "MKT_AUDIT_STORE": oneOf(["azure", "backend"], "must be azure or backend"),
  "MKT_OUTPUT_SCHEMAS": oneOf(["on", "off"], "must be on or off"),
  "MKT_CONFIRM": oneOf(["elicit"], "must be elicit, or not set"),
  "LOG_LEVEL": oneOf(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(", ")}`),
  "MCP_HTTP_HOST": host,
  "MKT_FREEZE_FILE": absolutePath(),
  "MKT_CALL_LOG": absolutePath("stderr"),
  "MKT_REDIS_NAMESPACE": redisNamespace,
  "MKT_REDIS_URL": redisUrl,
};

const ROWS = Object.entries(KINDS).flatMap(([names, kind]) => words(names).map((name) => [name, kind] as const));

test.each(ROWS)("%s takes and refuses what it should", (variable, { accepted, refused }) => {
  for (
    const [text, value] of Array.isArray(accepted) ? accepted.map((each) => [each, each]) : Object.entries(accepted)
  ) {
    expect([text, parseVariables({ ...REQUIRED, [variable]: text })])
      .toEqual([text, { ok: true, variables: expect.objectContaining({ [variable]: value }) }]);
  }
  for (const [message, texts] of Object.entries(refused)) {
    for (const text of texts) {
      const read = parseVariables({ ...REQUIRED, [variable]: text });
      const faults = read.ok ? [] : read.faults;
      expect([text, faults.map((fault) => fault.message).join("; ")]).toEqual([text, message]);
      expect(new Set(faults.map((fault) => fault.variable))).toEqual(new Set([variable as never]));
    }
  }
});

test("the table has every variable", () => {
  expect(ROWS.map(([name]) => name).toSorted()).toEqual(VARIABLES.toSorted());
});

test("variables that are not set have their defaults; the required ones are named with an example", () => {
  const read = parseVariables(REQUIRED);
  const defaults = {
    MKT_BASE_URL: "http://localhost:3001",
    MKT_CONFIRM_TIMEOUT_MS: 15_000,
    MKT_AUTO_CONNECT: false,
    MKT_AUDIT_STORE: "azure",
    MCP_HTTP_HOST: "127.0.0.1",
    MCP_ALLOW_UNAUTHENTICATED: false,
    MCP_UNAUTHORIZED_LIMIT: UNAUTHORIZED_PER_SECOND,
    MCP_BODY_TIMEOUT_MS: 10_000,
    MCP_MAX_REQUESTS: 2048,
    MAX_BODY_SIZE: 1_048_576,
    MKT_READ_ONLY: false,
    MKT_DASHBOARD: true,
    MKT_OUTPUT_SCHEMAS: "on",
    MKT_EVENT_BUFFER_SIZE: 10_000,
    MKT_REDIS_NAMESPACE: "mkt",
    LOG_LEVEL: "info",
  };
  expect(read.ok && read.variables).toEqual({ ...REQUIRED, ...defaults } as never);
  const host = "the backend's host and port, for example localhost:3001 (mkt demo needs no variable)";
  expect(parseVariables({})).toEqual({
    ok: false,
    faults: [
      { variable: "MKT_HOST", message: `is required: ${host}` },
      { variable: "MKT_USER_ID", message: "is required: the directory object id of the user to act as" },
    ],
  });
});
