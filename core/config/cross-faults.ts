// What is wrong with a configuration although each variable by itself is right, and what a file that one names holds.

import { isLoopback } from "../http/listen.ts";
import { readTokenFile } from "../http/token-file.ts";
import type { ConfigurationFault, Variables } from "./environment.ts";

/** Faults that take more than one variable to see. */
export function crossFaults(variables: Variables): ConfigurationFault[] {
  const faults: ConfigurationFault[] = [];
  const exposed = variables.MCP_HTTP_PORT !== undefined && !isLoopback(variables.MCP_HTTP_HOST);
  const guarded = variables.MCP_BEARER_TOKEN !== undefined || variables.MCP_BEARER_TOKEN_FILE !== undefined;
  if (exposed && !guarded && !variables.MCP_ALLOW_UNAUTHENTICATED) {
    faults.push({
      variable: "MCP_HTTP_HOST",
      message: `${variables.MCP_HTTP_HOST} is not a loopback address: set MCP_BEARER_TOKEN or MCP_BEARER_TOKEN_FILE, ` +
        "or MCP_ALLOW_UNAUTHENTICATED=1 to let anyone in",
    });
  }
  faults.push(...tokenFileFaults(variables));
  if (variables.MKT_ALLOWED_USER_IDS && !variables.MKT_ALLOWED_USER_IDS.includes(variables.MKT_USER_ID)) {
    faults.push({ variable: "MKT_ALLOWED_USER_IDS", message: `must include MKT_USER_ID (${variables.MKT_USER_ID})` });
  }
  return faults;
}

function tokenFileFaults({ MCP_BEARER_TOKEN_FILE: path }: Variables): ConfigurationFault[] {
  const variable = "MCP_BEARER_TOKEN_FILE";
  if (path === undefined) return [];
  try {
    return readTokenFile(path).faults.map((fault) => ({ variable, message: `${path}: ${fault}` }));
  } catch (error) {
    return [{ variable, message: `can't be read: ${(error as Error).message}` }];
  }
}
