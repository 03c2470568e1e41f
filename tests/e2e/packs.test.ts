// Packs from MKT_PLUGIN_DIR in the compiled executable: what they may use, secrets, and packs that fail.

import { describe, expect, test } from "bun:test";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runMktHere } from "../support/command-line-here.ts";
import { runMkt, startHttpServer } from "../support/executable.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { until } from "../support/until.ts";
import { NO_BACKEND } from "../support/http-requests.ts";
import { NORTH, startPowerMarket } from "../support/power-market.ts";
import { modernOverHttp } from "../support/subscriber.ts";

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = temporaryDirectory();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

/** A pack with a secret, which it tells wherever it can. */
const VAULT = `import { title } from "./_words.ts";
export default (mkt) => {
  const { VAULT_KEY } = mkt.variables({ VAULT_KEY: mkt.secret(mkt.z.string().min(4)).describe("Key of the vault") });
  return mkt.definePack({
    name: "vault", description: "Has a secret",
    tools: [mkt.defineTool({ name: "vault_open", title, description: "Opens", annotations: mkt.READ_ONLY,
      input: mkt.z.strictObject({}), output: mkt.z.looseObject({}), handler: () => ({ length: VAULT_KEY.length }) }),
      mkt.defineTool({ name: "vault_break", title, description: "Breaks", annotations: mkt.READ_ONLY,
        input: mkt.z.strictObject({}), output: mkt.z.looseObject({}),
        handler: (_, { log }) => {
          log.warn("opening with {key}", { key: VAULT_KEY });
          throw new Error("no vault opens with " + VAULT_KEY);
        } })],
    resources: [mkt.defineResource({ name: "box", uri: "vault://box/{boxId}", title: "Box", description: "A box",
      read: ({ boxId }) => ({ boxId }) })],
  });
};`;
const VAULT_FILES = { "vault.ts": VAULT, "_words.ts": `export const title: string = "Opens the vault";` };

/** Begun here, because it takes 10 s. */
const hanging = runMkt(["packs"], {
  MKT_PLUGIN_DIR: folderWith({ ...VAULT_FILES, "hanging.ts": "export default () => new Promise(() => {});" }),
  VAULT_KEY: "k-12345",
});

test("a pack may use all that the declared types have", async () => {
  const folder = temporaryDirectory();
  copyFileSync(join(import.meta.dir, "fixtures/surface-pack.ts"), join(folder, "surface-pack.ts"));
  const engine = await startPowerMarket();
  const env = { ...engine.environmentFor("anna"), MKT_PLUGIN_DIR: folder, SURFACE_SIDE: "sell", MKT_AUTO_CONNECT: "1" };
  const server = await startHttpServer(env);
  const { client } = await modernOverHttp(server.url);
  const call = (name: string, input: Record<string, unknown>) => client.callTool({ name, arguments: input });

  const made = { status: "ok", title: `Order in ${NORTH}`, side: "sell" };
  expect(await call("surface_trade", { contractId: NORTH, price: 5000, note: null })).toMatchObject({
    structuredContent: { ...made, events: ["new.order"], working: 1, netQuantity: 0 },
  });
  expect(await call("surface_trade", { contractId: "nowhere", price: 5000 })).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining('"code":"rejected"') }],
  });
  expect((await call("surface_picture", {})).content).toMatchObject([{ type: "image", mimeType: "image/png" }]);
  expect(await client.readResource({ uri: "surface://motto" })).toMatchObject({
    contents: [{ text: "Buy low.", mimeType: "text/plain" }],
  });
  const { messages } = await client.getPrompt({ name: "surface_greeting" });
  expect(messages).toMatchObject([{ content: { text: "Hello you: true" } }]);

  const get = async (path: string) => await (await fetch(`${server.url}${path}`)).text();
  const posted = await fetch(`${server.url}/surface/a/b%20c`, { method: "POST", body: '{"x":1}' });
  expect(await posted.json()).toEqual({ one: "a", other: "b c", body: { x: 1 } });
  expect(await get("/surface/files/js/app.js")).toBe("js/app.js");
  expect(await get("/surface/live")).toBe('event: first\ndata: {"count":1}\n\ndata: {"count":2}\n\n');
  expect(await get("/surface")).toBe("<p>surface</p>");
});

describe("a secret variable", () => {
  const MKT_PLUGIN_DIR = folderWith(VAULT_FILES);
  const env = { ...NO_BACKEND, MKT_PLUGIN_DIR, VAULT_KEY: "k-12345" };

  test("reaches the pack, and is in no output of mkt packs and mkt doctor", async () => {
    expect((await runMktHere(["call", "vault_open"], env)).stdout).toBe('{"length":7}\n');
    for (const args of [["packs"], ["packs", "--json"], ["doctor"], ["tools", "--json"]]) {
      const { stdout, stderr } = await runMktHere(args, env);
      expect(stdout + stderr).not.toContain("k-12345");
      if (args[0] !== "tools") expect(stdout).toMatch(/VAULT_KEY=\[secret\]|"secret": true/);
    }
    const short = await runMktHere(["packs"], { ...env, VAULT_KEY: "q#1" });
    expect(short.stdout).toContain("VAULT_KEY is invalid: must ");
    expect(short.stdout).not.toContain("q#1");
    expect((await runMktHere(["packs"], { MKT_PLUGIN_DIR })).stdout).toContain(
      "VAULT_KEY is required: Key of the vault",
    );
  });

  test("is replaced in the log, whatever its characters are", async () => {
    for (const VAULT_KEY of ["k-12345", 'aardvark"badger\\caiman\ndingo\u00e9']) {
      const { exitCode, stdout, stderr } = await runMktHere(["call", "vault_break"], { ...env, VAULT_KEY });
      expect([exitCode, JSON.parse(stdout)]).toMatchObject([1, { error: { code: "internal" } }]);
      expect(stderr).toMatch(/opening with \\"\[secret\]\\"[^]*no vault opens with \[secret\]/);
      for (const part of ["k-12345", "aardvark", "badger", "caiman", "dingo"]) {
        expect(stderr + stdout).not.toContain(part);
      }
    }
  });

  test("is replaced in the call log", async () => {
    const callLog = join(temporaryDirectory(), "calls");
    const server = await startHttpServer({ ...env, MKT_CALL_LOG: callLog });
    const { client } = await modernOverHttp(server.url);
    await client.readResource({ uri: "vault://box/k-12345" });
    await client.readResource({ uri: "vault://box/b-67890" });
    const log = await until(() => readFileSync(callLog, "utf8"), (text) => text.includes("b-67890"));
    expect(log).toContain('"boxId":"[secret]"');
    expect(log).not.toContain("k-12345");
  });
});

test("mkt packs and mkt doctor warn of a prompt that names a tool which no pack has", async () => {
  const folder = folderWith({
    "acme.ts": `export default (mkt) => mkt.definePack({ name: "acme", description: "d", prompts: [mkt.definePrompt({
      name: "acme_look", title: "t", description: "d", uses: ["mkt_get_ordr"], messages: () => "Look." })] });`,
  });
  const warning = /^warning\b.*prompt acme_look .*mkt_get_ordr, which no pack has \(did you mean mkt_get_order\?\)$/m;
  expect((await runMktHere(["packs"], { MKT_PLUGIN_DIR: folder })).stdout).toMatch(warning);
  expect((await runMktHere(["doctor"], { ...NO_BACKEND, MKT_PLUGIN_DIR: folder })).stdout).toMatch(warning);
});

test("a pack that never settles is left out after its limit, and the others are served", async () => {
  const called = await hanging;
  expect(called).toMatchObject({ exitCode: 0, stderr: "" });
  expect(called.stdout).toMatch(/hanging\.ts: it was not ready within 10 s and is left out$/m);
  expect(called.stdout).toContain("vault: Has a secret");
});
