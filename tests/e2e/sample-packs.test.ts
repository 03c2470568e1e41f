// The sample packs of docs/writing-a-pack.md in the compiled executable, with official clients.

import { describe, expect, test } from "bun:test";
import { copyFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { connected, connectStdio, succeed } from "../support/clients.ts";
import { runMktHere } from "../support/command-line-here.ts";
import { startHttpServer } from "../support/executable.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { until } from "../support/until.ts";
import { NORTH, startPowerMarket, submit, WEST } from "../support/power-market.ts";
import { modernOverHttp, olderOnStdio } from "../support/subscriber.ts";

const SAMPLES = resolve(import.meta.dir, "../../docs/examples");
const URI = `acme://spread/${NORTH}`;

/** The documentation's sample packs, as a reader of it has them. */
function samples(): string {
  const folder = temporaryDirectory();
  for (const name of ["mkt-pack.d.ts", "first-pack.ts", "spread-watch.ts"]) {
    copyFileSync(join(SAMPLES, name), join(folder, name));
  }
  return folder;
}

describe("the documentation's sample packs", async () => {
  const engine = await startPowerMarket();
  const settings = { MKT_PLUGIN_DIR: samples(), MKT_AUTO_CONNECT: "1", SPREAD_WATCH_LEAST: "150" };
  const env = { ...engine.environmentFor("anna"), ...settings };
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
    const called = await runMktHere(["call", "acme_megawatt_hours", '{"quantity": 5, "hours": 3}'], env);
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
      const ofNorth = { contractId: NORTH, bestBid: 4000, bestAsk: 4200, spread: 200 };
      expect(JSON.parse((content as { text: string }).text)).toEqual(ofNorth);
      const nowhere = client.readResource({ uri: "acme://spread/nowhere" });
      await expect(nowhere).rejects.toThrow("There is no contract nowhere.");

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
    const text = (await runMktHere(["packs"], env)).stdout;
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
    const json = JSON.parse((await runMktHere(["packs", "--json"], env)).stdout) as { packs: { name: string }[] };
    expect(json).toMatchObject({ notLoaded: [], notOffered: [{ what: "pack dev" }] });
    const ofRoute = "The spreads of a product as CSV, in cents/MWh";
    const ofVariable = { description: "Smallest spread that is wide, cents/MWh" };
    expect(json.packs.find(({ name }) => name === "spread-watch")).toEqual({
      name: "spread-watch",
      description: "Watches spreads",
      file: join(env.MKT_PLUGIN_DIR, "spread-watch.ts"),
      tools: [{ name: "acme_wide_spreads", title: "Wide spreads" }],
      resources: [{ name: "spread", uri: "acme://spread/{contractId}", title: "Spread of a contract" }],
      prompts: [{ name: "spread_report", title: "Report on wide spreads" }],
      routes: [{ method: "GET", path: "/spreads/:productCode", description: ofRoute }],
      variables: [{ ...ofVariable, name: "SPREAD_WATCH_LEAST", secret: false, isSet: true, shown: "150" }],
    } as unknown as { name: string });
    expect((await runMktHere(["doctor"], env)).stdout).toMatch(/^ok +pack spread-watch +SPREAD_WATCH_LEAST=150$/m);
  });

  test("have the value of their variable from DOTENV_PATH too, or its default", async () => {
    const file = join(temporaryDirectory(), "mkt.env");
    await Bun.write(file, "SPREAD_WATCH_LEAST=7\n");
    const { MKT_PLUGIN_DIR } = env;
    const listed = async (more: Record<string, string>) =>
      (await runMktHere(["packs"], { MKT_PLUGIN_DIR, ...more })).stdout;
    expect(await listed({ DOTENV_PATH: file })).toContain("SPREAD_WATCH_LEAST=7 ");
    expect(await listed({ DOTENV_PATH: file, SPREAD_WATCH_LEAST: "9" })).toContain("SPREAD_WATCH_LEAST=9 ");
    expect(await listed({})).toContain("SPREAD_WATCH_LEAST=100 (default) ");
  });

  test("are left out with the fault of their variable, which fails mkt doctor", async () => {
    const doctor = await runMktHere(["doctor"], { ...env, SPREAD_WATCH_LEAST: "-1" });
    expect(doctor).toMatchObject({ exitCode: 1, stdout: expect.stringMatching(/^failed +packs .*is invalid/m) });
  });
});
