// Faults of a configuration whose variables are each valid: contradictions between variables, and faults in named files.

import { exposureFault, hostNameFaults, originFaults, tokenFileFaults } from "../../common/http/server-access.ts";
import type { ConfigurationFault } from "./configuration.ts";
import type { Variables } from "./variables.ts";

const ACCESS_VARIABLES = {
  token: "MCP_BEARER_TOKEN",
  tokenFile: "MCP_BEARER_TOKEN_FILE",
  allowUnauthenticated: "MCP_ALLOW_UNAUTHENTICATED",
} as const;

export function crossFaults(variables: Variables): ConfigurationFault[] {
  const faults: ConfigurationFault[] = [];
  const exposure = variables.MCP_HTTP_PORT === undefined ? null : exposureFault(
    variables.MCP_HTTP_HOST,
    { token: variables.MCP_BEARER_TOKEN ?? null, tokenFile: variables.MCP_BEARER_TOKEN_FILE },
    variables.MCP_ALLOW_UNAUTHENTICATED,
    ACCESS_VARIABLES,
  );
  if (exposure !== null) faults.push({ variable: "MCP_HTTP_HOST", message: exposure });
  const named = (variable: string) => (message: string) => ({ variable, message });
  faults.push(
    ...tokenFileFaults(variables.MCP_BEARER_TOKEN_FILE, "names").map(named("MCP_BEARER_TOKEN_FILE")),
    ...hostNameFaults(variables.MCP_ALLOWED_HOSTS).map(named("MCP_ALLOWED_HOSTS")),
    ...originFaults(variables.MCP_ALLOWED_ORIGINS).map(named("MCP_ALLOWED_ORIGINS")),
  );
  if (variables.MKT_ALLOWED_USER_IDS && !variables.MKT_ALLOWED_USER_IDS.includes(variables.MKT_USER_ID)) {
    faults.push({ variable: "MKT_ALLOWED_USER_IDS", message: `must include MKT_USER_ID (${variables.MKT_USER_ID})` });
  }
  return faults;
}
