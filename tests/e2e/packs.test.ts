// Packs from MKT_PLUGIN_DIR in the compiled executable: the sample of docs/writing-a-pack.md with official clients, variables
// and secrets, files that a pack imports, and packs that fail.

import { describe, expect, test } from "bun:test";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { runMkt, startHttpServer } from "../support/executable.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { until } from "../support/until.ts";
import { connected, connectStdio, succeed } from "../support/clients.ts";
import { NO_BACKEND } from "./support/http-requests.ts";
import { NORTH, startMarket, submit, WEST } from "./support/market.ts";
import { modernOverHttp, olderOnStdio } from "./support/subscriber.ts";

const SAMPLES = resolve(import.meta.dir, "../../docs/examples");
const URI = `acme://spread/${NORTH}`;

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = temporaryDirectory();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

/** The documentation's sample packs, as a reader of it has them. */
function samples(): string {
  const folder = temporaryDirectory();
  for (const name of ["mkt-pack.d.ts", "first-pack.ts", "spread-watch.ts"]) {
    copyFileSync(join(SAMPLES, name), join(folder, name));
  }
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
    routes: [
      mkt.defineRoute({ method: "POST", path: "/vault", description: "Changes", readOnlyHint: false,
        handler: () => Response.json({ changed: true }) }),
      mkt.defineRoute({ method: "GET", path: "/vault", description: "Reads", readOnlyHint: true,
        handler: () => Response.json({ read: true }) }),
    ],
  });
};`;
const WORDS = `export const title: string = "Opens the vault";`;

/** Begun here, because it takes 10 s. */
const hanging = runMkt(["packs"], {
  MKT_PLUGIN_DIR: folderWith({
    "hanging.ts": "export default () => new Promise(() => {});",
    "vault.ts": VAULT,
    "_words.ts": WORDS,
  }),
  VAULT_KEY: "k-12345",
});

describe("the documentation's sample packs", async () => {
  const engine = await startMarket();
  const env = {
    ...engine.environmentFor("anna"),
    MKT_PLUGIN_DIR: samples(),
    MKT_AUTO_CONNECT: "1",
    SPREAD_WATCH_LEAST: "150",
  };
  const server = await startHttpServer(env);
  const trader = await connected(connectStdio("v2", engine.environmentFor("anna")));
  await submit(trader, "BUY", 4000, 5);
  await submit(trader, "SELL", 4200, 5);
  const modern = await modernOverHttp(server.url);
  const older = await olderOnStdio(env);
  // Each server has a connection of its own to the market.
  for (const { client } of [modern, older]) {
    await until(async () => JSON.stringify((await client.readResource({ uri: URI })).contents).includes("4200"));
  }

  test("offer the tool of the first pack", async () => {
    const called = await runMkt(["call", "acme_megawatt_hours", '{"quantity": 5, "hours": 3}'], env);
    expect(called).toEqual({ exitCode: 0, stdout: '{"energy":15}\n', stderr: "" });
  });

  test.each([["2026-07-28 over HTTP", modern.client], ["2025-11-25 on stdio", older.client]])(
    "offer tool, resource, completion and prompt to the official client of %s",
    async (_, client) => {
      const called = await client.callTool({ name: "acme_wide_spreads", arguments: {} });
      const [spread] = (called.structuredContent as { spreads: { productCode: string }[] }).spreads;
      expect(called.structuredContent).toMatchObject({ least: 150, spreads: [{ contractId: NORTH, spread: 200 }] });

      const { resourceTemplates } = await client.listResourceTemplates();
      expect(resourceTemplates).toContainEqual(expect.objectContaining({ uriTemplate: "acme://spread/{contractId}" }));
      expect((await client.listResources()).resources.map(({ uri }) => uri)).toContain(URI);
      const { contents: [content] } = await client.readResource({ uri: URI });
      expect(JSON.parse((content as { text: string }).text)).toEqual({
        contractId: NORTH,
        bestBid: 4000,
        bestAsk: 4200,
        spread: 200,
      });
      await expect(client.readResource({ uri: "acme://spread/nowhere" })).rejects.toThrow(
        "There is no contract nowhere.",
      );

      const ofContract = { type: "ref/resource", uri: "acme://spread/{contractId}" } as const;
      const completed = await client.complete({ ref: ofContract, argument: { name: "contractId", value: "west" } });
      expect(completed.completion.values).toEqual([WEST]);
      const ofProduct = { type: "ref/prompt", name: "spread_report" } as const;
      const products = await client.complete({ ref: ofProduct, argument: { name: "productCode", value: "" } });
      expect(products.completion.values).toContain(spread!.productCode);

      expect((await client.listPrompts()).prompts.map(({ name }) => name)).toContain("spread_report");
      const prompt = await client.getPrompt({ name: "spread_report", arguments: { productCode: spread!.productCode } });
      expect(JSON.stringify(prompt.messages)).toContain(`for the product ${spread!.productCode}`);
    },
  );

  test("tell subscribers of their resource about a change", async () => {
    await modern.listen({ resourceSubscriptions: [URI] });
    await older.client.subscribeResource({ uri: URI });
    const before = [modern.told.of(URI), older.told.of(URI)] as const;
    await submit(trader, "BUY", 4050, 1);
    await until(() => modern.told.of(URI) > before[0] && older.told.of(URI) > before[1]);
  });

  test("answer their route, and 404 beside it", async () => {
    const called = await succeed(trader, "mkt_list_products", { limit: 10 });
    const [product] = called["products"] as { code: string }[];
    const answer = await fetch(`${server.url}/spreads/${product!.code}`);
    expect([answer.status, answer.headers.get("Content-Type")]).toEqual([200, "text/csv; charset=utf-8"]);
    expect(await answer.text()).toStartWith("contract_id,spread\n");
    expect((await fetch(`${server.url}/spreads`)).status).toBe(404);
  });

  test("are listed by mkt packs, as text and as JSON, and by mkt doctor", async () => {
    const text = (await runMkt(["packs"], env)).stdout;
    expect(text).toContain(`spread-watch: Watches spreads (${join(env.MKT_PLUGIN_DIR, "spread-watch.ts")})\n`);
    for (
      const line of [
        /^ {2}tool {6}acme_wide_spreads +Wide spreads$/m,
        /^ {2}resource {2}acme:\/\/spread\/\{contractId\} +Spread of a contract$/m,
        /^ {2}prompt {4}spread_report +Report on wide spreads$/m,
        /^ {2}route {5}GET \/spreads\/:productCode +The spreads of a product as CSV, in cents\/MWh$/m,
        /^ {2}variable {2}SPREAD_WATCH_LEAST=150 +Smallest spread that is wide, cents\/MWh$/m,
        /^not offered: pack dev: .*STRESS_TEST_SECRET/m,
      ]
    ) expect(text).toMatch(line);
    const json = JSON.parse((await runMkt(["packs", "--json"], env)).stdout) as { packs: { name: string }[] };
    expect(json).toMatchObject({ notLoaded: [], notOffered: [{ what: "pack dev" }] });
    expect(json.packs.find(({ name }) => name === "spread-watch")).toEqual({
      name: "spread-watch",
      description: "Watches spreads",
      file: join(env.MKT_PLUGIN_DIR, "spread-watch.ts"),
      tools: [{ name: "acme_wide_spreads", title: "Wide spreads" }],
      resources: [{ name: "spread", uri: "acme://spread/{contractId}", title: "Spread of a contract" }],
      prompts: [{ name: "spread_report", title: "Report on wide spreads" }],
      routes: [{
        method: "GET",
        path: "/spreads/:productCode",
        description: "The spreads of a product as CSV, in cents/MWh",
      }],
      variables: [{
        name: "SPREAD_WATCH_LEAST",
        description: "Smallest spread that is wide, cents/MWh",
        secret: false,
        isSet: true,
        shown: "150",
      }],
    } as unknown as { name: string });
    expect((await runMkt(["doctor"], env)).stdout).toMatch(/^ok +pack spread-watch +SPREAD_WATCH_LEAST=150$/m);
  });

  test("have the value of their variable from DOTENV_PATH too, or its default", async () => {
    const file = join(folderWith({ "mkt.env": "SPREAD_WATCH_LEAST=7\n" }), "mkt.env");
    const { MKT_PLUGIN_DIR } = env;
    const listed = async (more: Record<string, string>) =>
      (await runMkt(["packs"], { MKT_PLUGIN_DIR, ...more })).stdout;
    expect(await listed({ DOTENV_PATH: file })).toContain("SPREAD_WATCH_LEAST=7 ");
    expect(await listed({ DOTENV_PATH: file, SPREAD_WATCH_LEAST: "9" })).toContain("SPREAD_WATCH_LEAST=9 ");
    expect(await listed({})).toContain("SPREAD_WATCH_LEAST=100 (default) ");
  });

  test("are left out with the fault of their variable, and mkt doctor fails", async () => {
    const faulty = { ...env, SPREAD_WATCH_LEAST: "-1" };
    const packs = await runMkt(["packs"], faulty);
    expect(packs).toMatchObject({ exitCode: 0, stderr: "" });
    expect(packs.stdout).toMatch(/^not loaded: .*spread-watch\.ts: SPREAD_WATCH_LEAST is invalid: Too small/m);
    expect(packs.stdout).toContain("first: My first pack");
    const doctor = await runMkt(["doctor"], faulty);
    expect(doctor).toMatchObject({ exitCode: 1, stdout: expect.stringMatching(/^failed +packs .*is invalid/m) });
    const named = await runMkt(["packs"], { ...faulty, MKT_PACKS: "spread-watch" });
    expect(named).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("SPREAD_WATCH_LEAST is invalid") });
  });
});

test("a pack may use all that the declared types have", async () => {
  const folder = temporaryDirectory();
  copyFileSync(join(import.meta.dir, "fixtures/surface-pack.ts"), join(folder, "surface-pack.ts"));
  const engine = await startMarket();
  const env = { ...engine.environmentFor("anna"), MKT_PLUGIN_DIR: folder, SURFACE_SIDE: "sell", MKT_AUTO_CONNECT: "1" };
  const server = await startHttpServer(env);
  const { client } = await modernOverHttp(server.url);
  const call = async (name: string, input: Record<string, unknown>) =>
    await client.callTool({ name, arguments: input });

  expect(await call("surface_trade", { contractId: NORTH, price: 5000, note: null })).toMatchObject({
    structuredContent: {
      status: "ok",
      title: `Order in ${NORTH}`,
      side: "sell",
      events: ["new.order"],
      working: 1,
      netQuantity: 0,
    },
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
  const MKT_PLUGIN_DIR = folderWith({ "vault.ts": VAULT, "_words.ts": WORDS });
  const env = { ...NO_BACKEND, MKT_PLUGIN_DIR, VAULT_KEY: "k-12345" };

  test("reaches the pack, and is in no output of mkt packs and mkt doctor", async () => {
    expect((await runMkt(["call", "vault_open"], env)).stdout).toBe('{"length":7}\n');
    for (const args of [["packs"], ["packs", "--json"], ["doctor"], ["tools", "--json"]]) {
      const { stdout, stderr } = await runMkt(args, env);
      expect(stdout + stderr).not.toContain("k-12345");
      if (args[0] !== "tools") expect(stdout).toMatch(/VAULT_KEY=\[secret\]|"secret": true/);
    }
    const short = await runMkt(["packs"], { ...env, VAULT_KEY: "k-1" });
    expect(short.stdout).toContain("VAULT_KEY is invalid: Too small");
    expect(short.stdout).not.toContain("k-1");
    expect((await runMkt(["packs"], { MKT_PLUGIN_DIR })).stdout).toContain("VAULT_KEY is required: Key of the vault");
  });

  test("is replaced in the log, whatever its characters are", async () => {
    for (const VAULT_KEY of ["k-12345", 'k"1\\2\n3\u00e9']) {
      const { exitCode, stdout, stderr } = await runMkt(["call", "vault_break"], { ...env, VAULT_KEY });
      expect([exitCode, JSON.parse(stdout)]).toMatchObject([1, { error: { code: "internal" } }]);
      expect(stderr).toMatch(/opening with \\"\[secret\]\\"[^]*no vault opens with \[secret\]/);
      for (const part of ["12345", "1\\", "2\\n3"]) expect(stderr + stdout).not.toContain(part);
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

test("in read-only mode a route that changes something answers 403 read_only, and the others work", async () => {
  const MKT_PLUGIN_DIR = folderWith({ "vault.ts": VAULT, "_words.ts": WORDS });
  const server = await startHttpServer({ ...NO_BACKEND, MKT_PLUGIN_DIR, VAULT_KEY: "k-12345", MKT_READ_ONLY: "1" });
  const changing = await fetch(`${server.url}/vault`, { method: "POST" });
  expect([changing.status, await changing.json()]).toMatchObject([403, { error: { code: "read_only" } }]);
  expect(await (await fetch(`${server.url}/vault`)).json()).toEqual({ read: true });
});

test("mkt packs and mkt doctor warn of a prompt that names a tool which no pack has", async () => {
  const folder = folderWith({
    "acme.ts": `export default (mkt) => mkt.definePack({ name: "acme", description: "d", prompts: [mkt.definePrompt({
      name: "acme_look", title: "t", description: "d", uses: ["mkt_get_ordr"], messages: () => "Look." })] });`,
  });
  const warning = /^warning\b.*prompt acme_look .*mkt_get_ordr, which no pack has \(did you mean mkt_get_order\?\)$/m;
  expect((await runMkt(["packs"], { MKT_PLUGIN_DIR: folder })).stdout).toMatch(warning);
  expect((await runMkt(["doctor"], { ...NO_BACKEND, MKT_PLUGIN_DIR: folder })).stdout).toMatch(warning);
});

test("a pack that never settles is left out after its limit, and the others are served", async () => {
  const called = await hanging;
  expect(called).toMatchObject({ exitCode: 0, stderr: "" });
  expect(called.stdout).toMatch(/hanging\.ts: it was not ready within 10 s and is left out$/m);
  expect(called.stdout).toContain("vault: Has a secret");
});
