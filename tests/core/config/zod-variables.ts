// The declaration of the variables in zod, which judges the parse functions of core/config (variables.test.ts). A new variable
// is declared here, too.

import { isAbsolute } from "node:path";
import { z } from "zod";
import { UNAUTHORIZED_PER_SECOND } from "../../../common/http/default-limits.ts";
import { LOG_LEVELS } from "../../../common/log-levels.ts";

const flag = z.enum(["1", "true", "0", "false"], "must be 1, true, 0 or false").transform((value) =>
  value === "1" || value === "true"
);
const list = z.string().transform((value) => value.split(",").map((item) => item.trim()).filter((item) => item !== ""));
const text = z.string();
/** A value that is sent in an HTTP header. */
const headerText = z.string().regex(/^[\x21-\x7e]{1,4096}$/, "must be printable ASCII without spaces");

function integer(minimum: number, maximum: number) {
  const message = `must be a whole number from ${minimum} to ${maximum}`;
  return z.string().regex(/^\d{1,15}$/, message).transform(Number).pipe(
    z.number().min(minimum, message).max(maximum, message),
  );
}

function positive(unit: string) {
  const message = `must be a number of ${unit} above 0`;
  return z.string().regex(/^\d{1,15}(\.\d{1,6})?$/, message).transform(Number).pipe(z.number().positive(message));
}

function url(...protocols: readonly string[]) {
  const message = `must be a URL that begins with ${protocols.map((protocol) => `${protocol}//`).join(" or ")}`;
  return z.string().refine((value) => URL.canParse(value) && protocols.includes(new URL(value).protocol), message);
}

const redisUrl = z.string().refine((value) => !/^[^:]*(cluster|sentinel)[^:]*:\/\//i.test(value), {
  message: "Redis Cluster and Sentinel are not supported: give the address of one server, or of a service that has one",
  abort: true,
}).refine((value) => !/^[^:]*:\/\/([^/]*@)?[^/@]*,[^@]*$/.test(value), {
  message: "Redis Cluster and Sentinel are not supported: give the address of one server, or of a service that has one",
  abort: true,
}).refine(
  (value) =>
    URL.canParse(value) && !/[?#]/.test(new URL(value).href) && (
      /^rediss?:\/\/[^/]+(\/\d{0,5})?$/.test(new URL(value).href) && new URL(value).hostname !== "" ||
      /^redis\+unix:\/\/\/.+$/.test(new URL(value).href)
    ),
  "must be redis://host:port/database, rediss:// for TLS, or redis+unix:///path; encode special characters of a password",
);

const hostAndPort = z.string().refine(
  (value) => URL.canParse(`ws://${value}/`) && !/[\s/?#@\\]/.test(value),
  "must be a host name or address and a port, such as localhost:3001 or [::1]:3001",
);
const host = z.string().regex(/^[^\s/]+$/, "must be a host name or address, without a scheme");
/** Absolute, so that commands in any folder use the same file. */
const absolutePath = text.refine(isAbsolute, "must be an absolute path");
const required = (schema: z.ZodString, example: string) => z.string(`is required: ${example}`).pipe(schema);

export const environmentSchema = z.object({
  MKT_HOST: required(
    hostAndPort,
    "the backend's host and port, for example localhost:3001 (mkt demo needs no variable)",
  ),
  MKT_USER_ID: required(headerText.max(200), "the directory object id of the user to act as"),
  MKT_BASE_URL: url("http:", "https:").default("http://localhost:3001"),
  MKT_WS_URL: url("ws:", "wss:").optional(),
  MKT_SIM_URL: url("http:", "https:").optional(),
  MKT_BEARER_TOKEN: headerText.optional(),
  MKT_BEARER_TOKEN_FILE: text.optional(),
  MKT_ALLOWED_USER_IDS: list.optional(),
  MKT_CONFIRM_TIMEOUT_MS: integer(10, 240_000).default(15_000),
  MKT_AUTO_CONNECT: flag.default(false),
  STRESS_TEST_SECRET: text.optional(),
  STORAGE_TABLE_ENDPOINT: url("http:", "https:").optional(),
  STORAGE_ACCOUNT_NAME: text.optional(),
  MKT_STORAGE_KEY: text.optional(),
  MKT_AUDIT_STORE: z.enum(["azure", "backend"], "must be azure or backend").default("azure"),
  MCP_HTTP_PORT: integer(0, 65_535).optional(),
  MCP_HTTP_HOST: host.default("127.0.0.1"),
  MCP_BEARER_TOKEN: headerText.optional(),
  MCP_BEARER_TOKEN_FILE: text.optional(),
  MCP_ALLOW_UNAUTHENTICATED: flag.default(false),
  MCP_ALLOWED_HOSTS: list.optional(),
  MCP_ALLOWED_ORIGINS: list.optional(),
  MCP_RATE_LIMIT: integer(1, 1_000_000).optional(),
  MCP_UNAUTHORIZED_LIMIT: integer(1, 1_000_000).default(UNAUTHORIZED_PER_SECOND),
  MCP_BODY_TIMEOUT_MS: integer(10, 240_000).default(10_000),
  MCP_MAX_REQUESTS: integer(1, 100_000).default(2048),
  MAX_BODY_SIZE: integer(1, 1_073_741_824).default(1_048_576),
  MKT_PACKS: list.optional(),
  MKT_READ_ONLY: flag.default(false),
  MKT_DASHBOARD: flag.default(true),
  MKT_PLUGIN_DIR: text.optional(),
  MKT_OUTPUT_SCHEMAS: z.enum(["on", "off"], "must be on or off").default("on"),
  MKT_MAX_ORDER_QUANTITY: positive("MW").optional(),
  MKT_MAX_ORDER_NOTIONAL: positive("dollars").optional(),
  MKT_MAX_OPEN_ORDERS: integer(1, 1_000_000_000).optional(),
  MKT_MAX_OPEN_NOTIONAL: positive("dollars").optional(),
  MKT_MAX_NET_POSITION: positive("MW").optional(),
  MKT_FREEZE_FILE: absolutePath.optional(),
  MKT_CALL_LOG: z.union([z.literal("stderr"), absolutePath], "must be stderr or an absolute path").optional(),
  MKT_CONFIRM: z.literal("elicit", "must be elicit, or not set").optional(),
  MKT_EVENT_BUFFER_SIZE: integer(1, 10_000_000).default(10_000),
  MKT_REDIS_URL: redisUrl.optional(),
  MKT_REDIS_NAMESPACE: z.string().regex(
    /^[A-Za-z0-9._-]{1,64}$/,
    "must be 1 to 64 letters, digits, dots, hyphens and underscores",
  ).default("mkt"),
  LOG_LEVEL: z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(", ")}`).default("info"),
});
