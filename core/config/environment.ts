// Reads the configuration from environment variables. All faults are found in one pass, each with its variable and what
// would be valid, so one failed start is enough to correct them all.
//
// Specification: "Environment variables". docs/configuration.md lists the variables that the specification does not have.

import { tokenOrFile } from "../../common/http/secret-file.ts";
import { LOOPBACK_NAMES } from "../../common/http/host-check.ts";
import { exposureFault, hostNameFaults, originFaults, tokenFileFaults } from "../../common/http/server-access.ts";
import type { Configuration, ConfigurationFault, HttpConfiguration } from "./configuration.ts";
import { absolutePath } from "./values.ts";
import {
  type Environment,
  mistypedGuardrails,
  parseVariables,
  type VariableFault,
  type VariableName,
  type Variables,
  withDefaults,
} from "./variables.ts";

type ConfigurationResult =
  | { readonly ok: true; readonly configuration: Configuration }
  | {
    readonly ok: false;
    readonly faults: readonly ConfigurationFault[];
    /** The configuration of the valid variables, for further checks; the others have their defaults. */
    readonly others: Configuration;
  };

/** Stand in for invalid variables while the other ones are checked, so that an invalid variable is one fault and not two. */
const STAND_INS: Environment = {
  MKT_HOST: "localhost",
  MKT_USER_ID: "nobody",
  MCP_HTTP_PORT: "0",
  MCP_BEARER_TOKEN: "token",
  MCP_ALLOW_UNAUTHENTICATED: "1",
};

const ACCESS_VARIABLES = {
  token: "MCP_BEARER_TOKEN",
  tokenFile: "MCP_BEARER_TOKEN_FILE",
  allowUnauthenticated: "MCP_ALLOW_UNAUTHENTICATED",
} as const;

/** An empty variable counts as not set. */
export function readConfiguration(environment: Environment): ConfigurationResult {
  const all = withDefaults(environment, {});
  const { given, fileFaults } = withTokenOfFile(all);
  const parsed = parseVariables(given);
  const faults: ConfigurationFault[] = [...fileFaults, ...(parsed.ok ? [] : parsed.faults)];
  const variables = parsed.ok ? parsed.variables : variablesWithStandIns(given, parsed.faults);
  faults.push(...crossFaults(variables), ...mistypedGuardrails(environment));
  const configuration = configurationOf(variables, tokenSettingOf(all));
  return faults.length > 0 ? { ok: false, faults, others: configuration } : { ok: true, configuration };
}

/** MKT_BEARER_TOKEN_FILE gives the value of MKT_BEARER_TOKEN. */
function withTokenOfFile({ MKT_BEARER_TOKEN, MKT_BEARER_TOKEN_FILE, ...others }: Environment) {
  const read = tokenOrFile(MKT_BEARER_TOKEN, MKT_BEARER_TOKEN_FILE, "MKT_BEARER_TOKEN");
  if ("fault" in read) {
    return { given: others, fileFaults: [{ variable: "MKT_BEARER_TOKEN_FILE", message: read.fault }] };
  }
  return { given: { ...others, ...(read.token !== null && { MKT_BEARER_TOKEN: read.token }) }, fileFaults: [] };
}

/** Where the backend's token is set, for messages about a wrong one. */
function tokenSettingOf({ MKT_BEARER_TOKEN_FILE, MKT_BEARER_TOKEN, DOTENV_PATH }: Environment): string {
  if (MKT_BEARER_TOKEN_FILE) return `MKT_BEARER_TOKEN_FILE (${MKT_BEARER_TOKEN_FILE})`;
  return MKT_BEARER_TOKEN && DOTENV_PATH
    ? `MKT_BEARER_TOKEN (in ${DOTENV_PATH}, unless set before)`
    : "MKT_BEARER_TOKEN";
}

/** Contradictions between variables that are each valid, and faults in named files. */
function crossFaults(variables: Variables): ConfigurationFault[] {
  const faults: ConfigurationFault[] = [];
  const exposure = variables.MCP_HTTP_PORT === undefined ? null : exposureFault(
    variables.MCP_HTTP_HOST,
    { token: variables.MCP_BEARER_TOKEN ?? null, tokenFile: variables.MCP_BEARER_TOKEN_FILE },
    variables.MCP_ALLOW_UNAUTHENTICATED,
    ACCESS_VARIABLES,
  );
  if (exposure !== null) faults.push({ variable: "MCP_HTTP_HOST", message: exposure });
  const named = (variable: VariableName) => (message: string) => ({ variable, message });
  faults.push(
    ...tokenFileFaults(variables.MCP_BEARER_TOKEN_FILE, "names_and_holders").map(named("MCP_BEARER_TOKEN_FILE")),
    ...hostNameFaults(variables.MCP_ALLOWED_HOSTS).map(named("MCP_ALLOWED_HOSTS")),
    ...originFaults(variables.MCP_ALLOWED_ORIGINS).map(named("MCP_ALLOWED_ORIGINS")),
  );
  if (variables.MKT_ALLOWED_USER_IDS && !variables.MKT_ALLOWED_USER_IDS.includes(variables.MKT_USER_ID)) {
    faults.push({ variable: "MKT_ALLOWED_USER_IDS", message: `must include MKT_USER_ID (${variables.MKT_USER_ID})` });
  }
  return faults;
}

function variablesWithStandIns(given: Environment, faults: readonly VariableFault[]): Variables {
  const others: { -readonly [Name in keyof Environment]: Environment[Name] } = { ...given };
  for (const { variable } of faults) others[variable] = STAND_INS[variable];
  // The list must include the user, which is unknown.
  if (faults.some(({ variable }) => variable === "MKT_USER_ID")) delete others.MKT_ALLOWED_USER_IDS;
  const parsed = parseVariables(others);
  if (!parsed.ok) {
    throw new Error(`a value that stands in for an invalid one is invalid: ${JSON.stringify(parsed.faults)}`);
  }
  return parsed.variables;
}

/** MKT_FREEZE_FILE only, for commands that need nothing else: the path, or what is wrong with it. */
export function readFreezeFile(environment: Environment): { readonly path: string } | ConfigurationFault {
  const variable = "MKT_FREEZE_FILE";
  const given = environment[variable];
  if (!given) {
    return { variable, message: "is required, unless MKT_REDIS_URL is set; both name what the servers look at" };
  }
  const parsed = absolutePath(given);
  return parsed.ok ? { path: parsed.value } : { variable, message: parsed.faults.join("; ") };
}

function configurationOf(variables: Variables, tokenSetting: string): Configuration {
  return {
    backend: {
      host: variables.MKT_HOST,
      baseUrl: withoutSlash(variables.MKT_BASE_URL),
      webSocketUrl: variables.MKT_WS_URL ?? `ws://${variables.MKT_HOST}/ws`,
      bearerToken: variables.MKT_BEARER_TOKEN ?? null,
      tokenSetting,
      userId: variables.MKT_USER_ID,
      engineId: variables.MKT_ENGINE_ID ?? null,
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
    outputSchemas: variables.MKT_OUTPUT_SCHEMAS === "on",
    limits: {
      maxOrderQuantity: variables.MKT_MAX_ORDER_QUANTITY ?? null,
      maxOrderNotional: variables.MKT_MAX_ORDER_NOTIONAL ?? null,
      maxOpenOrders: variables.MKT_MAX_OPEN_ORDERS ?? null,
      maxOpenNotional: variables.MKT_MAX_OPEN_NOTIONAL ?? null,
      maxNetPosition: variables.MKT_MAX_NET_POSITION ?? null,
    },
    guardrails: {
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
    redis: variables.MKT_REDIS_URL === undefined
      ? null
      : { url: variables.MKT_REDIS_URL, namespace: variables.MKT_REDIS_NAMESPACE },
    stressTestSecret: variables.STRESS_TEST_SECRET ?? null,
    dashboard: variables.MKT_DASHBOARD,
    logLevel: variables.LOG_LEVEL,
  };
}

/** Paths are appended to the URL. */
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
