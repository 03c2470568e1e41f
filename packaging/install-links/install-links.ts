// Links and commands with which a client takes mkt into its configuration, in the clients' own formats (client-formats.ts).
//
// Two servers: the demo, which the client starts from the npm package and which needs no settings, and a server that runs on
// this machine. Servers with settings and tokens are configured by `mkt client-config`, since a link in a document can't know
// them.
//
// The links begin with https, because pages of a forge don't show links of other schemes. Each leads to a page of the client's
// maker, which opens the client by its own scheme (`cursor:`, `vscode:`).

import { CLIENT_FORMATS, type StdioServer } from "../../cli/client-config/client-formats.ts";
import { NPM_PACKAGE, PROGRAM_NAME } from "../identity.ts";

/** What the client starts. */
export const DEMO_SERVER: StdioServer = {
  command: "npx",
  args: ["-y", NPM_PACKAGE, "demo", "--stdio"],
  env: {},
  secrets: [],
};
/** Where `mkt demo` and the units and images of deploy/ serve MCP. */
export const LOCAL_URL = "http://127.0.0.1:4087/mcp";

const LOCAL_SERVER = { url: LOCAL_URL, tokenVariable: null };

interface InstallLinks {
  /** For documents. */
  readonly web: string;
  /** What `web` leads to. */
  readonly deep: string;
}

/** A Cursor link has the server's object of mcp.json in base64. */
function cursorLinks(configuration: string): InstallLinks {
  const { mcpServers: { mkt } } = JSON.parse(configuration);
  const query = new URLSearchParams({ name: PROGRAM_NAME, config: btoa(JSON.stringify(mkt)) });
  return {
    web: `https://cursor.com/en/install-mcp?${query}`,
    deep: `cursor://anysphere.cursor-deeplink/mcp/install?${query}`,
  };
}

/**
 * A VS Code link has the server's object of mcp.json: the web page as two parameters, the scheme as one object with the name.
 */
function vscodeLinks(configuration: string): InstallLinks {
  const { servers: { mkt } } = JSON.parse(configuration);
  return {
    web: `https://vscode.dev/redirect/mcp/install?name=${PROGRAM_NAME}&config=${
      encodeURIComponent(JSON.stringify(mkt))
    }`,
    deep: `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name: PROGRAM_NAME, ...mkt }))}`,
  };
}

const { cursor, vscode } = CLIENT_FORMATS;

export const INSTALL_LINKS = {
  cursor: { demo: cursorLinks(cursor.stdio(DEMO_SERVER)), local: cursorLinks(cursor.http(LOCAL_SERVER)) },
  vscode: { demo: vscodeLinks(vscode.stdio(DEMO_SERVER)), local: vscodeLinks(vscode.http(LOCAL_SERVER)) },
} as const;

const started = [DEMO_SERVER.command, ...DEMO_SERVER.args].join(" ");

/** Commands of clients that have one. */
export const INSTALL_COMMANDS = {
  "claude-code": {
    demo: `claude mcp add ${PROGRAM_NAME} -- ${started}`,
    local: `claude mcp add --transport http ${PROGRAM_NAME} ${LOCAL_URL}`,
  },
  "codex": {
    demo: `codex mcp add ${PROGRAM_NAME} -- ${started}`,
    local: `codex mcp add ${PROGRAM_NAME} --url ${LOCAL_URL}`,
  },
} as const;
