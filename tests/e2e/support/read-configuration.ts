// The configurations that `mkt client-config` prints, read as each client reads them.

import { expect } from "bun:test";

/** What a client makes of its configuration. */
export interface ReadConfiguration {
  readonly command?: string;
  readonly args?: string[];
  readonly env?: Record<string, string>;
  readonly url?: string;
  readonly headers?: Record<string, string>;
}

/** The place of the servers in a client's format, and its references, which the client resolves or a person replaces. */
const FORMATS = {
  "claude-desktop": { root: "mcpServers", reference: /REPLACE-WITH-(\w+)/g },
  "claude-code": { root: "mcpServers", reference: /\$\{(\w+)\}/g },
  "cursor": { root: "mcpServers", reference: /\$\{env:(\w+)\}/g },
  "vscode": { root: "servers", reference: /\$\{input:(\w+)\}/g },
  "codex": { root: "mcp_servers", reference: /(?!)/g },
  "gemini-cli": { root: "mcpServers", reference: /\$\{(\w+)\}/g, urlField: "httpUrl" },
  "windsurf": { root: "mcpServers", reference: /\$\{env:(\w+)\}/g, urlField: "serverUrl" },
  "zed": { root: "context_servers", reference: /REPLACE-WITH-(\w+)/g },
};
type ClientName = keyof typeof FORMATS;
export const CLIENTS = Object.keys(FORMATS) as ClientName[];

type Table = Record<string, string & string[] & Record<string, string>>;

/** `secrets` are the variables that the client has, or that a person has put in. */
export function readConfiguration(
  client: ClientName,
  text: string,
  secrets: Record<string, string> = {},
): ReadConfiguration {
  const { root, reference, urlField = "url" }: { root: string; reference: RegExp; urlField?: string } = FORMATS[client];
  const servers = (client === "codex" ? Bun.TOML.parse(text) : JSON.parse(text)) as Record<string, { mkt: Table }>;
  const table = servers[root]?.mkt ?? expect.unreachable(text);
  const resolved = (values: Record<string, string> = {}) =>
    Object.fromEntries(
      Object.entries(values).map(([name, value]) => [
        name,
        value.replace(reference, (_, variable: string) => secrets[variable] ?? `no ${variable}`),
      ]),
    );
  const tokenVariable: string | undefined = table["bearer_token_env_var"];
  const passedOn: string[] = table["env_vars"] ?? [];
  return {
    command: table["command"],
    args: table["args"],
    env: { ...resolved(table["env"]), ...Object.fromEntries(passedOn.map((name) => [name, secrets[name] ?? ""])) },
    url: table[urlField],
    headers: tokenVariable === undefined
      ? resolved(table["headers"])
      : { Authorization: `Bearer ${secrets[tokenVariable]}` },
  };
}
