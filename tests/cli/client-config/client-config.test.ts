// What `mkt client-config` prints, read as each client reads it. tests/e2e/client-config.test.ts starts what it names.

import { describe, expect, test } from "bun:test";
import { join, resolve } from "node:path";
import { clientConfiguration } from "../../../cli/client-config/client-config.ts";
import { VARIABLES } from "../../../core/config/variables.ts";
import { CLIENTS, readConfiguration } from "../../e2e/support/read-configuration.ts";
import { runMktHere } from "../../support/command-line-here.ts";
import { MKT } from "../../support/executable.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";
import { configurationOf } from "./support.ts";

const SECRETS = ["MKT_BEARER_TOKEN", "MKT_STORAGE_KEY", "STRESS_TEST_SECRET"];

describe.each(CLIENTS)("%s", (client) => {
  test("starts mkt with the variables that are set, and shows no secret", async () => {
    const given = { MKT_HOST: "localhost:9", MKT_USER_ID: "anna", MKT_READ_ONLY: "1" };
    const secrets = Object.fromEntries(SECRETS.map((name) => [name, "hush-hush-hush-hush"]));
    const { text, notes } = await configurationOf(client, { ...given, ...secrets });
    expect(text + notes).not.toContain("hush");
    for (const name of SECRETS) expect(notes).toContain(name);
    const { command, args, env } = readConfiguration(client, text, secrets);
    expect([command, args]).toEqual([MKT, []]);
    expect(env).toMatchObject(given);
  });

  test("starts the demo over stdio, without the variables that the demo sets itself", async () => {
    const given = {
      MKT_HOST: "localhost:9",
      MKT_USER_ID: "anna",
      MKT_BEARER_TOKEN: "hush-hush-hush-hush",
      MKT_READ_ONLY: "1",
    };
    const { text, notes } = await configurationOf(client, given, true);
    const { command, args, env } = readConfiguration(client, text, {});
    expect([command, args, env]).toEqual([MKT, ["demo", "--stdio"], { MKT_READ_ONLY: "1" }]);
    expect(notes).toContain("The demo acts as operator.");
  });

  test("calls a server over HTTP if it can, with the token's variable if there is one", async () => {
    if (client === "claude-desktop") return;
    const open = await configurationOf(client, { MCP_HTTP_PORT: "4087" }, true);
    expect(readConfiguration(client, open.text, {})).toMatchObject({ url: "http://127.0.0.1:4087/mcp" });
    expect(readConfiguration(client, open.text, {}).headers?.["Authorization"]).toBeUndefined();
    expect(open.notes).toContain(`The demo must run: ${MKT} demo --port 4087`);
    const variables: Record<string, string> = { MCP_HTTP_PORT: "4087", MCP_BEARER_TOKEN: "hush-hush-hush-hush" };
    const { text, notes } = await configurationOf(client, variables);
    expect(text + notes).not.toContain("hush");
    expect([notes.includes("The demo must run"), notes.includes("MCP_BEARER_TOKEN")]).toEqual([false, true]);
    expect(readConfiguration(client, text, { MCP_BEARER_TOKEN: "t" }).headers).toEqual({ Authorization: "Bearer t" });
  });
});

test("a child has every variable of a server on stdio, paths from the root, secrets by name, and none of HTTP", () => {
  const environment = Object.fromEntries(VARIABLES.map((name) => [name, `v-${name}`]));
  delete environment["MCP_HTTP_PORT"];
  const invocation = { command: MKT, args: [] };
  const { text } = clientConfiguration("cursor", { invocation, environment, demo: false, packVariables: [] });
  const { env = {} } = readConfiguration("cursor", text, Object.fromEntries(SECRETS.map((name) => [name, "a secret"])));
  const ofStdio = VARIABLES.filter((name) => !name.startsWith("MCP_") && name !== "MAX_BODY_SIZE");
  expect(Object.keys(env).toSorted()).toEqual(ofStdio.toSorted());
  for (const name of ofStdio) {
    const isPath = name === "MKT_PLUGIN_DIR" || name === "MKT_BEARER_TOKEN_FILE";
    const value = SECRETS.includes(name) ? "a secret" : isPath ? resolve(`v-${name}`) : `v-${name}`;
    expect([name, env[name]]).toEqual([name, value]);
  }
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
