// The Inspector's two command lines, started with Bun as a user starts them with Node: `--cli`, which sends one request, and
// `mcpdo`, which keeps connections in a daemon. Both write their files into a directory of the test.

import { mkdtempSync } from "node:fs";
import { join, resolve } from "node:path";
import { atEnd } from "../../support/at-end.ts";
import { BARE_ENVIRONMENT, MKT } from "../../support/executable.ts";
import { run, startProcess } from "../../support/processes.ts";
import { until } from "../../support/until.ts";
import { LEGACY, type Revision, type Transport } from "./features.ts";
import type { Server, World } from "./world.ts";

const CLIENTS = resolve(import.meta.dir, "../../../node_modules/@modelcontextprotocol/inspector/clients");

export interface CommandResult {
  /** What it printed on stdout, if that is JSON. */
  readonly value: Readonly<Record<string, unknown>>;
  /** All that it printed. */
  readonly text: string;
}

/** Runs one command. Throws with what it printed if it fails. */
type RunCommand = (...args: readonly string[]) => Promise<CommandResult>;

export interface InspectorClient {
  readonly transport: Transport;
  readonly revision: Revision;
  readonly run: RunCommand;
}

/** A command that prints until it is ended. */
export interface FollowingCommand {
  /** What it has printed so far. */
  printed(): string;
  /** Ends it as Ctrl-C does. */
  end(): Promise<void>;
}

export interface SessionClient extends InspectorClient {
  follow(...args: readonly string[]): FollowingCommand;
}

const eraOf = (revision: Revision) => revision === LEGACY ? "legacy" : "modern";

function environmentOf(world: World): Record<string, string> {
  return { ...BARE_ENVIRONMENT, HOME: world.directory, MCP_INSPECTOR_SECRET_STORE: "file" };
}

/** The mkt of a command over stdio gets its environment as options. */
function stdioOptions(server: Server): string[] {
  return Object.entries(server.env).flatMap(([name, value]) => ["-e", `${name}=${value}`]);
}

async function ranCommand(command: readonly string[], env: Record<string, string>): Promise<CommandResult> {
  const { exitCode, stdout, stderr } = await run([process.execPath, ...command], { env });
  const text = `${stdout}${stderr}`;
  if (exitCode !== 0 && !stdout.startsWith("{")) throw new Error(text.trim());
  return { text, value: JSON.parse(stdout) as Record<string, unknown> };
}

function followed(command: readonly string[], env: Record<string, string>): FollowingCommand {
  const child = startProcess([process.execPath, ...command], { env, stdout: "pipe", stderr: "ignore" });
  let text = "";
  const read = async () => {
    const decoder = new TextDecoder();
    for await (const chunk of child.stdout) text += decoder.decode(chunk, { stream: true });
  };
  const reading = read();
  const end = async () => {
    child.kill("SIGINT");
    await reading;
    await child.exited;
  };
  atEnd(end);
  return { printed: () => text, end };
}

/** `mcp-inspector --cli`: each request has a connection of its own. */
export function inspectorClient(
  world: World,
  transport: Transport,
  revision: Revision,
  server: Server = world,
): InspectorClient {
  const target = transport === "http"
    ? ["--server-url", `${server.httpUrl}/mcp`, "--transport", "http"]
    : [MKT, ...stdioOptions(server)];
  const launcher = join(CLIENTS, "launcher/build/index.js");
  return {
    transport,
    revision,
    run: (method, ...args) =>
      ranCommand(
        [launcher, "--cli", ...target, "--protocol-era", eraOf(revision), "--method", method!, ...args],
        environmentOf(world),
      ),
  };
}

/**
 * `mcpdo` with a daemon of its own, which keeps the connection. The daemon ends with the test. It would end by itself after a
 * minute without a connection, and the next command would start another one that outlives the test.
 */
export async function sessionClient(
  world: World,
  transport: Transport,
  revision: Revision,
  server: Server = world,
): Promise<SessionClient> {
  const directory = mkdtempSync(join(world.directory, "daemon-"));
  const env = {
    ...environmentOf(world),
    MCP_INSPECTOR_DAEMON_DIR: directory,
    MCP_INSPECTOR_DAEMON_TOKEN: crypto.randomUUID(),
  };
  const daemon = startProcess([process.execPath, join(CLIENTS, "mcpdo/build/mcpdod.js")], {
    env,
    stdout: "ignore",
    stderr: "ignore",
  });
  const program = [join(CLIENTS, "mcpdo/build/mcp-bin.js"), "--format", "json"];
  let isOver = false;
  const commandOf = (name: string, args: readonly string[]) => {
    if (isOver) throw new Error("the test is over");
    return [...program, "--connection", name, ...args];
  };
  atEnd(async () => {
    isOver = true;
    await ranCommand([...program, "daemon", "stop"], env);
    await daemon.exited;
  });
  await until(() => Bun.file(join(directory, "mcpdod.token")).exists(), "the daemon of mcpdo");
  const target = transport === "http" ? [`${server.httpUrl}/mcp`] : [...stdioOptions(server), "--", MKT];
  const connection = await ranCommand([...program, "connect", "--era", eraOf(revision), ...target], env);
  const { name } = connection.value as { name: string };
  return {
    transport,
    revision,
    run: async (...args) => await ranCommand(commandOf(name, args), env),
    follow: (...args) => followed(commandOf(name, args), env),
  };
}
