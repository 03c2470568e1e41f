// How each MCP client writes a server in its configuration: stdio, HTTP, and secrets, which are never part of it. Also the
// place at which a person finds the server's prompts and resources.
//
// Each follows the client's own documentation, as of November 2026: code.claude.com/docs/en/mcp, cursor.com/docs/mcp,
// code.visualstudio.com/docs (MCP configuration reference), developers.openai.com/codex/mcp,
// geminicli.com/docs/tools/mcp-server, docs.windsurf.com/windsurf/cascade/mcp, zed.dev/docs/ai/mcp.

export interface StdioServer {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Names of further variables, whose values are secret. */
  readonly secrets: readonly string[];
}

interface HttpServer {
  readonly url: string;
  /** The variable with the bearer token; null if the server needs none. */
  readonly tokenVariable: string | null;
}

export interface ClientFormat {
  /** Where the configuration goes, for a person. */
  readonly place: string;
  /** Where a person finds prompts and resources; null if the client's documentation does not say. */
  readonly shows: string | null;
  /** What a person does about these secrets. */
  readonly aboutSecrets: (variables: string) => string;
  readonly stdio: (server: StdioServer) => string;
  /** Null if the client's file has no HTTP servers. */
  readonly http: ((server: HttpServer) => string) | null;
}

type Reference = (variable: string) => string;

const placeholder: Reference = (variable) => `REPLACE-WITH-${variable}`;
const shellReference: Reference = (variable) => `\${${variable}}`;
const envReference: Reference = (variable) => `\${env:${variable}}`;

const replaced = (variables: string) => `Replace the placeholders of ${variables} yourself: secrets are not printed.`;
const fromEnvironment = (variables: string) =>
  `Secrets are not printed: the client must have ${variables} in its environment.`;

function childOf({ command, args, env, secrets }: StdioServer, reference: Reference) {
  return { command, args, env: { ...env, ...Object.fromEntries(secrets.map((name) => [name, reference(name)])) } };
}

function headersOf({ tokenVariable }: HttpServer, reference: Reference) {
  return tokenVariable === null ? {} : { headers: { Authorization: `Bearer ${reference(tokenVariable)}` } };
}

function json(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

/** A table of TOML 1.0. */
function tomlTable(name: string, values: Readonly<Record<string, string | readonly string[]>>): string {
  const lines = Object.entries(values).map(([key, value]) =>
    `${key} = ${typeof value === "string" ? tomlString(value) : `[${value.map(tomlString).join(", ")}]`}\n`
  );
  return `[${name}]\n${lines.join("")}`;
}

/** A basic string. Everything but letters, digits, punctuation, symbols and spaces is escaped. */
function tomlString(text: string): string {
  const escaped = text.toWellFormed().replace(/["\\]/g, "\\$&").replace(
    /[^\p{L}\p{N}\p{P}\p{S} ]/gu,
    (character) => `\\U${(character.codePointAt(0) ?? 0).toString(16).padStart(8, "0")}`,
  );
  return `"${escaped}"`;
}

const mcpServers = (mkt: object) => json({ mcpServers: { mkt } });

/** The secrets that VS Code asks for, once. */
function inputsOf(variables: readonly string[]) {
  const input = (id: string) => ({ type: "promptString", id, description: `mkt: ${id}`, password: true });
  return variables.length === 0 ? {} : { inputs: variables.map(input) };
}

const inputReference: Reference = (variable) => `\${input:${variable}}`;

export const CLIENT_FORMATS = {
  "claude-desktop": {
    place: "Claude Desktop: Settings, Developer, Edit Config opens claude_desktop_config.json (macOS: " +
      "~/Library/Application Support/Claude, Windows: %APPDATA%\\Claude, Linux: ~/.config/Claude)",
    shows: "Prompts and resources: the + menu of the chat, then mkt.",
    aboutSecrets: replaced,
    stdio: (server) => mcpServers(childOf(server, placeholder)),
    http: null,
  },
  "claude-code": {
    place: "Claude Code: .mcp.json in the project, or `claude mcp add-json mkt '...'` with the object inside mkt",
    shows: "Prompts: type /mcp__mkt__ and choose one. Resources: type @mkt: and choose one.",
    aboutSecrets: fromEnvironment,
    stdio: (server) => mcpServers({ type: "stdio", ...childOf(server, shellReference) }),
    http: (server) => mcpServers({ type: "http", url: server.url, ...headersOf(server, shellReference) }),
  },
  "cursor": {
    place: "Cursor: .cursor/mcp.json in the project, or ~/.cursor/mcp.json (Windows: %USERPROFILE%\\.cursor\\mcp.json)",
    shows: null,
    aboutSecrets: fromEnvironment,
    stdio: (server) => mcpServers({ type: "stdio", ...childOf(server, envReference) }),
    http: (server) => mcpServers({ url: server.url, ...headersOf(server, envReference) }),
  },
  "vscode": {
    place: "VS Code: .vscode/mcp.json in the workspace, or the command MCP: Open User Configuration",
    shows: "Prompts: type /mcp.mkt. in the chat and choose one. Resources: Add Context, MCP Resources.",
    aboutSecrets: (variables) => `Secrets are not printed: VS Code asks for ${variables} and stores it.`,
    stdio: (server) =>
      json({
        servers: { mkt: { type: "stdio", ...childOf(server, inputReference) } },
        ...inputsOf(server.secrets),
      }),
    http: (server) =>
      json({
        servers: { mkt: { type: "http", url: server.url, ...headersOf(server, inputReference) } },
        ...inputsOf(server.tokenVariable === null ? [] : [server.tokenVariable]),
      }),
  },
  "codex": {
    place: "Codex: ~/.codex/config.toml (Windows: %USERPROFILE%\\.codex\\config.toml), or .codex/config.toml in a " +
      "trusted project",
    shows: "Resources: the model lists and reads them by itself.",
    aboutSecrets: fromEnvironment,
    stdio: ({ command, args, env, secrets }) =>
      `${tomlTable("mcp_servers.mkt", { command, args, ...(secrets.length > 0 && { env_vars: secrets }) })}\n` +
      tomlTable("mcp_servers.mkt.env", env),
    http: ({ url, tokenVariable }) =>
      tomlTable("mcp_servers.mkt", { url, ...(tokenVariable !== null && { bearer_token_env_var: tokenVariable }) }),
  },
  "gemini-cli": {
    place: "Gemini CLI: ~/.gemini/settings.json (Windows: %USERPROFILE%\\.gemini\\settings.json), or " +
      ".gemini/settings.json in the project",
    shows: "Prompts: type / and the name of a prompt. Resources: type @ and choose one.",
    aboutSecrets: fromEnvironment,
    stdio: (server) => mcpServers(childOf(server, shellReference)),
    http: (server) => mcpServers({ httpUrl: server.url, ...headersOf(server, shellReference) }),
  },
  "windsurf": {
    place:
      "Windsurf: ~/.codeium/windsurf/mcp_config.json (Windows: %USERPROFILE%\\.codeium\\windsurf\\mcp_config.json)",
    shows: null,
    aboutSecrets: fromEnvironment,
    stdio: (server) => mcpServers(childOf(server, envReference)),
    http: (server) => mcpServers({ serverUrl: server.url, ...headersOf(server, envReference) }),
  },
  "zed": {
    place: "Zed: the command zed: open settings file (macOS and Linux: ~/.config/zed/settings.json, Windows: " +
      "%APPDATA%\\Zed\\settings.json)",
    shows: "Prompts: type / in the agent panel and choose one. Zed shows no resources.",
    aboutSecrets: replaced,
    stdio: (server) => json({ context_servers: { mkt: childOf(server, placeholder) } }),
    http: (server) => json({ context_servers: { mkt: { url: server.url, ...headersOf(server, placeholder) } } }),
  },
} as const satisfies Record<string, ClientFormat>;
