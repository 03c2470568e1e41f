// `mkt client-config`: each output is read as its client reads it, and the server that it names is started or called.

import { describe, expect, test } from "bun:test";
import { constants, copyFileSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Client, clientConfiguration } from "../../cli/client-config/client-config.ts";
import { configurationFrom, UNUSED } from "../../cli/configured.ts";
import { PROGRAM } from "../../cli/program.ts";
import { withDefaults } from "../../core/config/variables.ts";
import { loadPacks } from "../../core/packs/pack-loader.ts";
import { connectHttp, connectStdio } from "../support/clients.ts";
import { runMktHere } from "../support/command-line-here.ts";
import { BARE_ENVIRONMENT, MKT, runMkt } from "../support/executable.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { NO_BACKEND } from "../support/http-requests.ts";
import { httpServerHere } from "../support/in-process.ts";
import { startPowerMarket } from "../support/power-market.ts";
import { CLIENTS, readConfiguration } from "./support/read-configuration.ts";

const TOKEN = "a-token-of-enough-length-for-tests";
/** What the executable would print, made in this process. */
async function configurationOf(client: Client, env: Record<string, string>) {
  const configuration = configurationFrom(PROGRAM, withDefaults(env, UNUSED));
  const { packs, failures } = await loadPacks(PROGRAM.packs, configuration, env);
  const packVariables = packs.flatMap(({ origin }) => origin?.variables ?? []);
  const server = { invocation: { command: MKT, args: [] }, environment: env, demo: false, packVariables };
  const { text, notes } = clientConfiguration(client, server);
  const failed = failures.map(({ source, reason }) => `${source} is not loaded: ${reason}`);
  return { text, notes: [...notes, ...failed].join("\n") };
}

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

test("Claude Desktop, whose file has no HTTP servers, starts mkt itself", async () => {
  const { text, notes } = await configurationOf("claude-desktop", { MCP_HTTP_PORT: "4087" });
  expect(readConfiguration("claude-desktop", text, {})).toMatchObject({ command: MKT, args: [] });
  expect(notes).toContain("takes no HTTP servers");
});

test("VS Code asks for each secret", async () => {
  const { text } = await configurationOf("vscode", { MKT_STORAGE_KEY: "key", STRESS_TEST_SECRET: "secret" });
  const { inputs } = JSON.parse(text) as { inputs: unknown[] };
  const prompt = (id: string) => ({ type: "promptString", id, description: `mkt: ${id}`, password: true });
  expect(inputs).toEqual(["STRESS_TEST_SECRET", "MKT_STORAGE_KEY"].map(prompt));
});

describe("the variables of the child", () => {
  const envWith = async (env: Record<string, string>) =>
    readConfiguration("cursor", (await configurationOf("cursor", env)).text, {}).env ?? {};

  test("are those that are set, with guardrails and without those of the HTTP server", async () => {
    const guardrails = { MKT_MAX_ORDER_NOTIONAL: "5000", MKT_FREEZE_FILE: "/var/freeze", MKT_READ_ONLY: "1" };
    const env = { ...guardrails, LOG_LEVEL: "warn" };
    expect(await envWith({ ...env, MCP_RATE_LIMIT: "5", MAX_BODY_SIZE: "1000" })).toEqual({
      ...env,
      MKT_HOST: "localhost:3001",
      MKT_USER_ID: "REPLACE-WITH-YOUR-USER-ID",
      MKT_AUDIT_STORE: "backend",
    });
  });

  test("name the backend's audit store if the backend is on this machine and no storage is set", async () => {
    const storeWith = async (env: Record<string, string>) => (await envWith(env))["MKT_AUDIT_STORE"];
    expect(await storeWith({ MKT_HOST: "127.0.0.1:9" })).toBe("backend");
    expect(await storeWith({ MKT_HOST: "[::1]:9" })).toBe("backend");
    expect(await storeWith({ MKT_HOST: "engine:3001" })).toBeUndefined();
    expect(await storeWith({ MKT_BASE_URL: "http://engine:3001" })).toBeUndefined();
    expect(await storeWith({ STORAGE_ACCOUNT_NAME: "acme" })).toBeUndefined();
    expect(await storeWith({ MKT_HOST: "engine:3001", MKT_AUDIT_STORE: "backend" })).toBe("backend");
    expect(await storeWith({ MKT_AUDIT_STORE: "azure" })).toBe("azure");
  });

  test("hide a URL with credentials, and have an absolute path to packs", async () => {
    const { text, notes } = await configurationOf("cursor", {
      MKT_SIM_URL: "http://me:hush-hush@sim:3002",
      MKT_WS_URL: "ws://hush-hush@engine:3001/ws",
      STORAGE_TABLE_ENDPOINT: "https://acme.table.example/?sig=hush-hush",
      MKT_PLUGIN_DIR: "packs",
    });
    expect(text + notes).not.toContain("hush-hush");
    expect(readConfiguration("cursor", text, { MKT_SIM_URL: "x" }).env).toMatchObject({
      MKT_SIM_URL: "x",
      MKT_PLUGIN_DIR: expect.stringMatching(/^\/.*\/packs$/),
    });
  });

  test("are those of packs, too, and a pack that is not loaded is named in the notes", async () => {
    const folder = temporaryDirectory();
    const variables = `ACME_LIMIT: mkt.z.coerce.number().default(5).describe("MW"),
      ACME_ZONE: mkt.z.string().default("north").describe("Zone"),
      ACME_KEY: mkt.secret(mkt.z.string()).optional().describe("Key")`;
    await Bun.write(
      join(folder, "acme.ts"),
      `export default (mkt) => { mkt.variables({ ${variables} }); return mkt.definePack({ name: "acme", description: "d",
        routes: [mkt.defineRoute({ method: "GET", path: "/acme", description: "d", readOnlyHint: true,
          handler: () => new Response() })] }); };`,
    );
    await Bun.write(join(folder, "broken.ts"), "throw new Error('broken on purpose');");
    const given = { MKT_PLUGIN_DIR: folder, ACME_LIMIT: "7", ACME_KEY: "hush-hush", ACME_OTHER: "x" };
    const { text, notes } = await configurationOf("cursor", given);
    expect(text + notes).not.toContain("hush-hush");
    expect(notes).toContain("ACME_KEY");
    expect(notes).toContain("broken.ts is not loaded: broken on purpose");
    const { env } = readConfiguration("cursor", text, { ACME_KEY: "k" });
    expect(env).toMatchObject({ MKT_PLUGIN_DIR: folder, ACME_LIMIT: "7", ACME_KEY: "k" });
    expect(Object.keys(env ?? {}).filter((name) => name.startsWith("ACME_"))).toEqual(["ACME_LIMIT", "ACME_KEY"]);
  });

  test.each(CLIENTS)("survive the format of %s, whatever their characters are", async (client) => {
    const evil = "a\"b\\c'd]\u0007\u202e\u{e0001}é = #\t[x]";
    const env = { MKT_HOST: "localhost:1", MKT_ALLOWED_USER_IDS: `nobody,${evil}` };
    const { exitCode, stdout: text } = await runMktHere(["client-config", client], env);
    expect(exitCode).toBe(0);
    expect(text).not.toMatch(/[^\P{Cc}\n]|\p{Cf}/u);
    expect(readConfiguration(client, text, {}).env?.["MKT_ALLOWED_USER_IDS"]).toBe(`nobody,${evil}`);
  });
});

test("the executable prints what is made in this process", async () => {
  const { exitCode, stdout } = await runMkt(["client-config", "codex"], NO_BACKEND);
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: (await configurationOf("codex", NO_BACKEND)).text });
});

test("an address to listen on becomes one to connect to", async () => {
  const urlWith = async (host: string) => {
    const env = { MCP_HTTP_PORT: "4087", MCP_HTTP_HOST: host, MCP_ALLOW_UNAUTHENTICATED: "1" };
    return readConfiguration("zed", (await configurationOf("zed", env)).text, {}).url;
  };
  expect(await urlWith("0.0.0.0")).toBe("http://127.0.0.1:4087/mcp");
  expect(await urlWith("::")).toBe("http://[::1]:4087/mcp");
  expect(await urlWith("desk.example")).toBe("http://desk.example:4087/mcp");
});

test("faults of the configuration and of the client's name are named together, exit 2", async () => {
  const env = { MCP_HTTP_PORT: "0", LOG_LEVEL: "loud" };
  const { exitCode, stdout, stderr } = await runMktHere(["client-config", "cursro"], env);
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
  for (const fault of ["did you mean cursor?", "LOG_LEVEL: ", "MCP_HTTP_PORT: must be the port"]) {
    expect(stderr).toContain(fault);
  }
});

test("from the npm package in the cache of npx, clients start mkt by npx, which finds the package again", () => {
  const cached = join(temporaryDirectory(), "_npx/0a1b2c/node_modules/@mkt-market/mkt-linux-x64/bin/mkt");
  mkdirSync(dirname(cached), { recursive: true });
  copyFileSync(MKT, cached, constants.COPYFILE_FICLONE);
  const { stdout } = Bun.spawnSync([cached, "client-config", "zed", "--demo"], { env: BARE_ENVIRONMENT });
  const { command, args } = JSON.parse(stdout.toString()).context_servers.mkt;
  expect([command, ...args]).toEqual(["npx", "-y", "@mkt-market/mkt", "demo", "--stdio"]);
});
