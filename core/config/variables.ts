// Every environment variable of this process, with its type, bounds and default. Loads no library, because the configuration
// is read before anything else.

import { UNAUTHORIZED_PER_SECOND } from "../../common/http/default-limits.ts";
import type { AnyEnvironment, EnvironmentOf, PlatformVariable } from "../../common/environment.ts";
import type { EngineAccessVariable } from "../../common/http/guards/engine-access.ts";
import type { EngineLimitVariable } from "../../common/http/guards/engine-limits.ts";
import { LOG_LEVELS } from "../../common/log-levels.ts";
import { nearestName } from "../../common/nearest-name.ts";
import type { TelemetryVariable } from "../../common/telemetry/variable-reader.ts";
import type { ConfigurationFault } from "./configuration.ts";
import {
  absolutePath,
  callLogTarget,
  flag,
  guardrail,
  headerText,
  host,
  hostAndPort,
  integer,
  list,
  oneOf,
  optional,
  type Parsed,
  positive,
  redisNamespace,
  redisUrl,
  required,
  text,
  url,
  userId,
  type Variable,
  withDefault,
} from "./values.ts";

const DECLARED = {
  MKT_HOST: required(
    hostAndPort,
    "the backend's host and port, for example localhost:3001 (mkt demo needs no variable)",
  ),
  MKT_USER_ID: required(userId, "the directory object id of the user to act as"),
  MKT_BASE_URL: withDefault(url("http:", "https:"), "http://localhost:3001"),
  MKT_WS_URL: optional(url("ws:", "wss:")),
  MKT_SIM_URL: optional(url("http:", "https:")),
  MKT_BEARER_TOKEN: guardrail(optional(headerText)),
  MKT_BEARER_TOKEN_FILE: guardrail(optional(text)),
  MKT_ENGINE_ID: guardrail(optional(text)),
  MKT_ALLOWED_USER_IDS: guardrail(optional(list)),
  MKT_CONFIRM_TIMEOUT_MS: withDefault(integer(10, 240_000), 15_000),
  MKT_AUTO_CONNECT: withDefault(flag, false),
  STRESS_TEST_SECRET: optional(text),
  STORAGE_TABLE_ENDPOINT: optional(url("http:", "https:")),
  STORAGE_ACCOUNT_NAME: optional(text),
  MKT_STORAGE_KEY: optional(text),
  MKT_AUDIT_STORE: withDefault(oneOf(["azure", "backend"], "must be azure or backend"), "azure"),
  MCP_HTTP_PORT: optional(integer(0, 65_535)),
  MCP_HTTP_HOST: withDefault(host, "127.0.0.1"),
  MCP_BEARER_TOKEN: guardrail(optional(headerText)),
  MCP_BEARER_TOKEN_FILE: guardrail(optional(text)),
  MCP_ALLOW_UNAUTHENTICATED: withDefault(flag, false),
  MCP_ALLOWED_HOSTS: optional(list),
  MCP_ALLOWED_ORIGINS: optional(list),
  MCP_RATE_LIMIT: guardrail(optional(integer(1, 1_000_000))),
  MCP_UNAUTHORIZED_LIMIT: withDefault(integer(1, 1_000_000), UNAUTHORIZED_PER_SECOND),
  MCP_BODY_TIMEOUT_MS: withDefault(integer(10, 240_000), 10_000),
  MCP_MAX_REQUESTS: withDefault(integer(1, 100_000), 2048),
  MAX_BODY_SIZE: withDefault(integer(1, 1_073_741_824), 1_048_576),
  MKT_PACKS: guardrail(optional(list)),
  MKT_READ_ONLY: guardrail(withDefault(flag, false)),
  MKT_DASHBOARD: guardrail(withDefault(flag, true)),
  MKT_PLUGIN_DIR: optional(text),
  MKT_OUTPUT_SCHEMAS: withDefault(oneOf(["on", "off"], "must be on or off"), "on"),
  MKT_MAX_ORDER_QUANTITY: guardrail(optional(positive("MW"))),
  MKT_MAX_ORDER_NOTIONAL: guardrail(optional(positive("dollars"))),
  MKT_MAX_OPEN_ORDERS: guardrail(optional(integer(1, 1_000_000_000))),
  MKT_MAX_OPEN_NOTIONAL: guardrail(optional(positive("dollars"))),
  MKT_MAX_NET_POSITION: guardrail(optional(positive("MW"))),
  MKT_FREEZE_FILE: guardrail(optional(absolutePath)),
  MKT_CALL_LOG: guardrail(optional(callLogTarget)),
  MKT_CONFIRM: guardrail(optional(oneOf(["elicit"], "must be elicit, or not set"))),
  MKT_EVENT_BUFFER_SIZE: withDefault(integer(1, 10_000_000), 10_000),
  MKT_REDIS_URL: optional(redisUrl),
  MKT_REDIS_NAMESPACE: withDefault(redisNamespace, "mkt"),
  LOG_LEVEL: withDefault(oneOf(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(", ")}`), "info"),
} as const;

type Name = keyof typeof DECLARED;

/** All that this program reads, of whatever part. */
export type VariableName =
  | Name
  | EngineAccessVariable
  | EngineLimitVariable
  | TelemetryVariable
  | PlatformVariable
  | "DOTENV_PATH";

export type Environment = EnvironmentOf<VariableName>;

export type Variables = {
  readonly [Each in Name]: (typeof DECLARED)[Each] extends Variable<infer Value> ? Value : never;
};

/** What is wrong with the value of a variable of this table. */
export interface VariableFault extends ConfigurationFault {
  readonly variable: Name;
}

/** The names of all variables of the server. */
export const VARIABLES = Object.keys(DECLARED) as readonly Name[];

const isGuardrail = (name: Name) => (DECLARED[name] as Variable<unknown>).isGuardrail === true;

/** Every such name would be that of a limit, and an unknown one limits nothing. */
const LIMIT_PREFIX = "MKT_MAX_";
const LIMITS = VARIABLES.filter((name) => name.startsWith(LIMIT_PREFIX));

/** The value of every variable, or all faults in the order of the declaration. */
export function parseVariables(
  environment: Environment,
): { readonly ok: true; readonly variables: Variables } | {
  readonly ok: false;
  readonly faults: VariableFault[];
} {
  const values: Record<string, unknown> = {};
  const faults: VariableFault[] = [];
  for (const variable of VARIABLES) {
    const given = environment[variable];
    const { parse, absent }: Variable<unknown> = DECLARED[variable];
    const parsed: Parsed<unknown> = given === undefined ? absent : parse(given);
    if (parsed.ok) values[variable] = parsed.value;
    else faults.push(...parsed.faults.map((message) => ({ variable, message })));
  }
  return faults.length > 0 ? { ok: false, faults } : { ok: true, variables: values as unknown as Variables };
}

/** The environment with `defaults` for variables that are not set. An empty variable counts as not set. */
export function withDefaults(environment: Environment, defaults: Environment): Environment {
  const given = Object.entries(environment).filter(([, value]) => value !== undefined && value !== "");
  return { ...defaults, ...Object.fromEntries(given) };
}

/**
 * Names that begin with MKT_ or MCP_ and are unknown, probably mistyped. `others`: variables that other parts of the program
 * read.
 */
export function unknownVariables(environment: AnyEnvironment, others: readonly string[]): string[] {
  const known = new Set<string>([...VARIABLES, ...AGENT_VARIABLES, ...others]);
  return Object.keys(environment).filter((name) => /^(MKT|MCP)_/.test(name) && !known.has(name));
}

/**
 * What the process of an agent in the arena is told: where its episode is served, a bearer token for it, and what it is to do.
 * mkt reads none of them, and agents may start it.
 */
export const AGENT_VARIABLES = ["MKT_ARENA_MCP_URL", "MKT_ARENA_TOKEN", "MKT_ARENA_BRIEF"] as const;

/** Variables that other parts of the program read. */
export interface OtherVariables {
  readonly known: readonly string[];
  /** Those of them without which more is allowed. */
  readonly guardrails: readonly string[];
}

/**
 * A fault for each variable whose name is nearly that of a guardrail, which does not hold then. Names with MCP_ are also those
 * of other programs, so they only count for a server over HTTP, which has an environment of its own. Without `others`, names
 * of an engine are not looked at.
 */
export function mistypedGuardrails(environment: AnyEnvironment, others?: OtherVariables): ConfigurationFault[] {
  const guardrails = new Set<string>([...VARIABLES.filter(isGuardrail), ...others?.guardrails ?? []]);
  const known = others?.known ?? [];
  const { MCP_HTTP_PORT }: Environment = environment;
  return unknownVariables(environment, known).flatMap((variable): ConfigurationFault[] => {
    if (!environment[variable] || variable.startsWith("MCP_") && !MCP_HTTP_PORT) return [];
    if (others === undefined && variable.startsWith("MKT_ENGINE_")) return [];
    if (variable.startsWith(LIMIT_PREFIX)) {
      return [{ variable, message: `there is no such limit; one of ${LIMITS.join(", ")}` }];
    }
    const meant = nearestName(variable, [...VARIABLES, ...known]);
    if (meant === null || !guardrails.has(meant)) return [];
    return [{
      variable,
      message: `is not a variable of mkt; correct it to ${meant}, which does not hold now, or unset it`,
    }];
  });
}
