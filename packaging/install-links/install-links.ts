// Links and commands with which a client takes mkt into its configuration, in the clients' own formats (client-formats.ts).
//
// Two servers: the demo, which the client starts and which needs no settings, and a server that runs on this machine. A link
// can start the demo only from the npm package, because it can't know the path of a clone; a command can, if it is run there.
// Servers with settings and tokens are configured by `mkt client-config`, since a link in a document can't know them.
//
// The links begin with https, because pages of a forge don't show links of other schemes. Each leads to a page of the client's
// maker, which opens the client by its own scheme (`cursor:`, `vscode:`).

import { CLIENT_FORMATS, type StdioServer } from "../../cli/client-config/client-formats.ts";
import packageJson from "../../package.json" with { type: "json" };
import { NPM_PACKAGE, PROGRAM_NAME } from "../identity.ts";

/** What the client starts once there is a release. */
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

/** The command that starts the demo: from the npm package, or from the clone in which it is run. */
function demoCommand(isReleased: boolean): string {
  if (isReleased) return [DEMO_SERVER.command, ...DEMO_SERVER.args].join(" ");
  return `npx --yes ${packageJson.packageManager} "$PWD/main.ts" demo --stdio`;
}

/** Commands of clients that have one, for a shell; without a release, for one in a clone in which the demo has run before. */
export function installCommands(isReleased: boolean) {
  return {
    "claude-code": {
      demo: `claude mcp add ${PROGRAM_NAME} -- ${demoCommand(isReleased)}`,
      local: `claude mcp add --transport http ${PROGRAM_NAME} ${LOCAL_URL}`,
    },
    "codex": {
      demo: `codex mcp add ${PROGRAM_NAME} -- ${demoCommand(isReleased)}`,
      local: `codex mcp add ${PROGRAM_NAME} --url ${LOCAL_URL}`,
    },
  };
}
