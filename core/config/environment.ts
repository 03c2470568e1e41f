// Reads the configuration from environment variables. Every fault is found in one pass and named with its variable and
// what would be right, so that one failed start is enough to mend them all.
//
// Specification: "Environment variables"; the variables that it does not name are listed in docs/configuration.md.

import { isAbsolute } from "node:path";
import { z } from "zod";
import { LOOPBACK_NAMES } from "../../common/http/host-check.ts";
import { UNAUTHORIZED_PER_SECOND } from "../../common/http/rate-limit.ts";
import { type Configuration, type HttpConfiguration, LOG_LEVELS } from "./configuration.ts";
import { crossFaults } from "./cross-faults.ts";

export interface ConfigurationFault {
  readonly variable: string;
  readonly message: string;
}

export type ConfigurationResult =
  | { readonly ok: true; readonly configuration: Configuration }
  | { readonly ok: false; readonly faults: readonly ConfigurationFault[] };

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Settings of a later version. A setting that would silently do nothing is worse than a start that fails, the more so
 * where it promises protection.
 */
const NOT_SERVED = {
  MKT_REDIS_URL: "the shared event log",
} as const;

const flag = z.enum(["1", "true", "0", "false"], "must be 1, true, 0 or false").transform((value) =>
  value === "1" || value === "true"
);
const list = z.string().transform((value) => value.split(",").map((item) => item.trim()).filter((item) => item !== ""));
const text = z.string();
/** Goes into an HTTP header. */
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

const host = z.string().regex(/^[^\s/]+$/, "must be a host name or address, without a scheme");
/** A command in another folder must mean the same file. */
const absolutePath = text.refine(isAbsolute, "must be an absolute path");
const required = (schema: z.ZodString, example: string) => z.string(`is required: ${example}`).pipe(schema);

const environmentSchema = z.object({
  MKT_HOST: required(host, "the backend's host and port, for example localhost:3001"),
  MKT_USER_ID: required(headerText.max(200), "the directory object id of the user to act as"),
  MKT_BASE_URL: url("http:", "https:").default("http://localhost:3001"),
  MKT_WS_URL: url("ws:", "wss:").optional(),
  MKT_SIM_URL: url("http:", "https:").optional(),
  MKT_BEARER_TOKEN: headerText.optional(),
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
  MKT_PLUGIN_DIR: text.optional(),
  MKT_MAX_ORDER_QUANTITY: positive("MW").optional(),
  MKT_MAX_ORDER_NOTIONAL: positive("dollars").optional(),
  MKT_MAX_OPEN_ORDERS: integer(1, 1_000_000_000).optional(),
  MKT_MAX_OPEN_NOTIONAL: positive("dollars").optional(),
  MKT_MAX_NET_POSITION: positive("MW").optional(),
  MKT_FREEZE_FILE: absolutePath.optional(),
  MKT_CALL_LOG: z.union([z.literal("stderr"), absolutePath], "must be stderr or an absolute path").optional(),
  MKT_CONFIRM: z.literal("elicit", "must be elicit, or not set").optional(),
  MKT_EVENT_BUFFER_SIZE: integer(1, 10_000_000).default(10_000),
  LOG_LEVEL: z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(", ")}`).default("info"),
});

export type Variables = z.output<typeof environmentSchema>;

/** Every variable that this version reads. */
export const VARIABLES = Object.keys(environmentSchema.shape);

/**
 * Names that look like ours and are not: most likely mistyped, and then what they should do is not done. `others`: those
 * that another part of the program reads.
 */
export function unknownVariables(environment: Environment, others: readonly string[]): string[] {
  const known = new Set([...VARIABLES, ...others]);
  return Object.keys(environment).filter((name) => /^(MKT|MCP)_/.test(name) && !known.has(name));
}

/** An empty value counts as not set. */
export function readConfiguration(environment: Environment): ConfigurationResult {
  const given = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ""),
  );
  const faults: ConfigurationFault[] = Object.entries(NOT_SERVED)
    .filter(([variable]) => Object.hasOwn(given, variable))
    .map(([variable, subject]) => ({ variable, message: `${subject} is not part of this version; unset it` }));
  const parsed = environmentSchema.safeParse(given);
  if (!parsed.success) {
    for (const issue of parsed.error.issues) faults.push({ variable: String(issue.path[0]), message: issue.message });
    return { ok: false, faults };
  }
  faults.push(...crossFaults(parsed.data));
  return faults.length > 0 ? { ok: false, faults } : { ok: true, configuration: configurationOf(parsed.data) };
}

/** MKT_FREEZE_FILE alone, for the commands that need nothing else: its path, or what is wrong with it. */
export function readFreezeFile(environment: Environment): { readonly path: string } | ConfigurationFault {
  const variable = "MKT_FREEZE_FILE";
  const parsed = absolutePath.safeParse(environment[variable]);
  if (parsed.success) return { path: parsed.data };
  return environment[variable]
    ? { variable, message: "must be an absolute path" }
    : { variable, message: "is required: the file that the servers look at" };
}

function configurationOf(variables: Variables): Configuration {
  return {
    backend: {
      host: variables.MKT_HOST,
      baseUrl: withoutSlash(variables.MKT_BASE_URL),
      webSocketUrl: variables.MKT_WS_URL ?? `ws://${variables.MKT_HOST}/ws`,
      bearerToken: variables.MKT_BEARER_TOKEN ?? null,
      userId: variables.MKT_USER_ID,
      allowedUserIds: variables.MKT_ALLOWED_USER_IDS ?? null,
      confirmTimeoutMs: variables.MKT_CONFIRM_TIMEOUT_MS,
      autoConnect: variables.MKT_AUTO_CONNECT,
    },
    simulatorUrl: withoutSlash(variables.MKT_SIM_URL ?? variables.MKT_BASE_URL),
    http: httpConfigurationOf(variables),
    packs: {
      names: variables.MKT_PACKS ?? null,
      readOnly: variables.MKT_READ_ONLY,
      directory: variables.MKT_PLUGIN_DIR ?? null,
    },
    limits: {
      maxOrderQuantity: variables.MKT_MAX_ORDER_QUANTITY ?? null,
      maxOrderNotional: variables.MKT_MAX_ORDER_NOTIONAL ?? null,
      maxOpenOrders: variables.MKT_MAX_OPEN_ORDERS ?? null,
      maxOpenNotional: variables.MKT_MAX_OPEN_NOTIONAL ?? null,
      maxNetPosition: variables.MKT_MAX_NET_POSITION ?? null,
    },
    rails: {
      freezeFile: variables.MKT_FREEZE_FILE ?? null,
      callLog: variables.MKT_CALL_LOG ?? null,
      confirm: variables.MKT_CONFIRM !== undefined,
    },
    eventBufferSize: variables.MKT_EVENT_BUFFER_SIZE,
    audit: {
      store: variables.MKT_AUDIT_STORE,
      tableEndpoint: variables.STORAGE_TABLE_ENDPOINT ?? null,
      accountName: variables.STORAGE_ACCOUNT_NAME ?? null,
      accountKey: variables.MKT_STORAGE_KEY ?? null,
    },
    stressTestSecret: variables.STRESS_TEST_SECRET ?? null,
    logLevel: variables.LOG_LEVEL,
  };
}

/** Paths are appended. */
function withoutSlash(url: string): string {
  return url.replace(/\/+$/, "");
}

function httpConfigurationOf(variables: Variables): HttpConfiguration | null {
  if (variables.MCP_HTTP_PORT === undefined) return null;
  return {
    port: variables.MCP_HTTP_PORT,
    host: variables.MCP_HTTP_HOST,
    bearerToken: variables.MCP_BEARER_TOKEN ?? null,
    tokenFile: variables.MCP_BEARER_TOKEN_FILE ?? null,
    allowedHosts: variables.MCP_ALLOWED_HOSTS ?? LOOPBACK_NAMES,
    allowedOrigins: variables.MCP_ALLOWED_ORIGINS ?? LOOPBACK_NAMES,
    rateLimit: variables.MCP_RATE_LIMIT ?? null,
    unauthorizedLimit: variables.MCP_UNAUTHORIZED_LIMIT,
    bodyTimeoutMs: variables.MCP_BODY_TIMEOUT_MS,
    maxRequests: variables.MCP_MAX_REQUESTS,
    maxBodyBytes: variables.MAX_BODY_SIZE,
  };
}
