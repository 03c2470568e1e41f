// `mkt client-config CLIENT`: prints the configuration to paste into an MCP client, without secrets.

import type { Environment } from "../config/variables.ts";

export const CLIENTS = ["claude-desktop", "claude-code", "cursor", "vscode"] as const;
export type Client = (typeof CLIENTS)[number];

/** Copied into the client's configuration if set. None of them is a secret. */
const PASSED_ON = [
  "MKT_HOST",
  "MKT_USER_ID",
  "MKT_BASE_URL",
  "MKT_WS_URL",
  "MKT_PACKS",
  "MKT_READ_ONLY",
  "MKT_AUDIT_STORE",
];
const SECRETS = ["MKT_BEARER_TOKEN", "MCP_BEARER_TOKEN", "STRESS_TEST_SECRET", "MKT_STORAGE_KEY"];

/** How to start this program: its executable and the arguments before any command. */
export interface Invocation {
  readonly command: string;
  readonly args: readonly string[];
}

interface ClientConfiguration {
  readonly text: string;
  /** The file or command that takes the configuration, for a person. */
  readonly note: string;
}

export function clientConfiguration(
  client: Client,
  invocation: Invocation,
  environment: Environment,
): ClientConfiguration {
  const port = environment["MCP_HTTP_PORT"];
  // Claude Desktop's file has no HTTP servers, so Claude Desktop starts mkt as a child process.
  const server = port === undefined || port === "" || client === "claude-desktop"
    ? stdioServer(client, invocation, environment)
    : httpServer(client, `http://${environment["MCP_HTTP_HOST"] || "127.0.0.1"}:${port}/mcp`, environment);
  const root = client === "vscode" ? { servers: { mkt: server } } : { mcpServers: { mkt: server } };
  return { text: JSON.stringify(root, null, 2), note: noteFor(client, environment) };
}

function stdioServer(client: Client, { command, args }: Invocation, environment: Environment) {
  const env = Object.fromEntries(
    PASSED_ON.filter((name) => environment[name]).map((name) => [name, environment[name]]),
  );
  const defaults = { MKT_HOST: "localhost:3001", MKT_USER_ID: "REPLACE-WITH-YOUR-USER-ID" };
  return {
    ...(client === "vscode" || client === "claude-code" ? { type: "stdio" } : {}),
    command,
    args,
    env: { ...defaults, ...env },
  };
}

function httpServer(client: Client, url: string, environment: Environment) {
  const headers = environment["MCP_BEARER_TOKEN"]
    ? { Authorization: "Bearer REPLACE-WITH-MCP_BEARER_TOKEN" }
    : undefined;
  return { ...(client === "cursor" ? {} : { type: "http" }), url, ...(headers ? { headers } : {}) };
}

function noteFor(client: Client, environment: Environment): string {
  const place = {
    "claude-desktop": "Claude Desktop: Settings, Developer, Edit Config (claude_desktop_config.json)",
    "claude-code": "Claude Code: .mcp.json in the project, or `claude mcp add-json mkt '<the inner object>'`",
    "cursor": "Cursor: .cursor/mcp.json in the project, or ~/.cursor/mcp.json",
    "vscode": "VS Code: .vscode/mcp.json in the workspace",
  }[client];
  const secrets = SECRETS.filter((name) => environment[name]);
  const withheld = secrets.length === 0 ? "" : ` Secrets are not printed; add them yourself: ${secrets.join(", ")}.`;
  return `${place}.${withheld}`;
}
