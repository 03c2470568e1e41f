// `mkt client-config`: each output is read as its client reads it, and the server that it names is started or called.

import { describe, expect, test } from "bun:test";
import { constants, copyFileSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { connectHttp, connectStdio } from "../support/clients.ts";
import { BARE_ENVIRONMENT, MKT, runMkt } from "../support/executable.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { NO_BACKEND } from "../support/http-requests.ts";
import { httpServerHere } from "../support/in-process.ts";
import { startPowerMarket } from "../support/power-market.ts";
import { configurationOf } from "../cli/client-config/support.ts";
import { CLIENTS, readConfiguration } from "./support/read-configuration.ts";

const TOKEN = "a-token-of-enough-length-for-tests";
/** Commands that have served. The same command with the same variables serves every client alike, so it is started once. */
const served = new Set<string>();

/** Starts the command, and calls the tools. */
async function serves(args: readonly string[], env: Record<string, string>, ...tools: string[]): Promise<void> {
  const command = JSON.stringify([args, Object.entries(env).toSorted(), tools]);
  if (served.has(command)) return;
  const started = await connectStdio("v1", env, [...args]);
  for (const tool of tools) expect((await started.call(tool)).isError).toBe(false);
  await started.close();
  served.add(command);
}

const market = await startPowerMarket({ token: TOKEN });
const server = await httpServerHere({ ...NO_BACKEND, MCP_BEARER_TOKEN: TOKEN });

describe.each(CLIENTS)("mkt client-config %s", (client) => {
  test("names a command that serves MCP over stdio, without its secrets", async () => {
    const given = { MKT_AUDIT_STORE: "", MKT_BEARER_TOKEN: TOKEN, MKT_PACKS: "query,mutation" };
    const { text, notes } = await configurationOf(client, { ...market.environmentFor("anna"), ...given });
    expect(text + notes).not.toContain(TOKEN);
    expect(notes).toContain("MKT_BEARER_TOKEN");
    if (client !== "cursor" && client !== "windsurf") {
      expect(notes).toMatch(/^(Prompts|Resources|Prompts and resources): /m);
    }
    const { command, args, env: childEnvironment } = readConfiguration(client, text, { MKT_BEARER_TOKEN: TOKEN });
    expect([command, args]).toEqual([MKT, []]);
    const expected = { MKT_USER_ID: "anna", MKT_PACKS: "query,mutation", MKT_AUDIT_STORE: "backend" };
    expect(childEnvironment).toMatchObject(expected);
    await serves(args ?? [], childEnvironment ?? {}, "mkt_connect_pubsub", "mkt_get_audit_log");
  });
});

describe.each(CLIENTS.filter((client) => client !== "claude-desktop"))("mkt client-config %s over HTTP", (client) => {
  test("names the URL and the token's variable, with which a client connects", async () => {
    const env = { MCP_HTTP_PORT: new URL(server.url).port, MCP_BEARER_TOKEN: TOKEN };
    const { text, notes } = await configurationOf(client, env);
    expect(text + notes).not.toContain(TOKEN);
    expect(notes).toContain("MCP_BEARER_TOKEN");
    const { command, url, headers } = readConfiguration(client, text, { MCP_BEARER_TOKEN: TOKEN });
    expect([command, url, headers]).toEqual([undefined, `${server.url}/mcp`, { Authorization: `Bearer ${TOKEN}` }]);
    const connected = await connectHttp("v1", url ?? "", headers?.["Authorization"]?.slice("Bearer ".length));
    expect((await connected.call("mkt_ping")).isError).toBe(false);
    await connected.close();
  });
});

test("the executable prints what is made in this process", async () => {
  const { exitCode, stdout } = await runMkt(["client-config", "codex"], NO_BACKEND);
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: (await configurationOf("codex", NO_BACKEND)).text });
});

test("from the npm package in the cache of npx, clients start mkt by npx, which finds the package again", () => {
  const cached = join(temporaryDirectory(), "_npx/0a1b2c/node_modules/@mkt-market/mkt-linux-x64/bin/mkt");
  mkdirSync(dirname(cached), { recursive: true });
  copyFileSync(MKT, cached, constants.COPYFILE_FICLONE);
  const { stdout } = Bun.spawnSync([cached, "client-config", "zed", "--demo"], { env: BARE_ENVIRONMENT });
  const { command, args } = JSON.parse(stdout.toString()).context_servers.mkt;
  expect([command, ...args]).toEqual(["npx", "-y", "@mkt-market/mkt", "demo", "--stdio"]);
});
