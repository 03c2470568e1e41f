// The operator's kill switch of the compiled executable, from the shell command to the results that an agent gets.

import { describe, expect, test } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { connected, connectHttp, succeed } from "../support/clients.ts";
import { runMktHere } from "../support/command-line-here.ts";
import { startHttpServer } from "../support/executable.ts";
import { NORTH, startPowerMarket } from "../support/power-market.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const FOLDER = temporaryDirectory();
const MKT_FREEZE_FILE = join(FOLDER, "freeze");
const ORDER = { contractId: NORTH, side: "BUY", price: 1000, quantity: 1 };

const engine = await startPowerMarket();
const ENV = { ...engine.environmentFor("anna"), MKT_FREEZE_FILE };
const { client } = await startServer();

const shell = (...args: string[]) => runMktHere(args, { MKT_FREEZE_FILE });
const submit = () => client.call("mkt_create_test_order", ORDER);

async function startServer() {
  const server = await startHttpServer(ENV);
  return { server, client: await connected(connectHttp("v2", server.url)) };
}

describe("mkt freeze", () => {
  test("refuses changes from the next call on, saying why and who can end it, and mkt thaw ends it", async () => {
    const { orderId } = await succeed(client, "mkt_create_test_order", ORDER);
    expect(await shell("freeze", "prices", "look", "wrong")).toMatchObject({ exitCode: 0, stderr: "" });

    const refused = await submit();
    expect(refused.value).toMatchObject({ status: "rejected", orderId: null, error: { code: "frozen" } });
    expect(refused.text).toContain("prices look wrong");
    expect(refused.text).toContain("mkt thaw");
    const { count } = await succeed(client, "mkt_list_orders", { status: "working" });
    expect(count).toBe(1);
    await succeed(client, "mkt_cancel_order", { orderId });
    await succeed(client, "mkt_disconnect_pubsub");
    await succeed(client, "mkt_connect_pubsub");

    expect((await shell("thaw")).stdout).toBe("thawed\n");
    expect((await submit()).isError).toBe(false);
    expect((await shell("thaw")).stdout).toBe("it was not frozen\n");
  });

  test("stays in force over a restart, and applies to mkt call", async () => {
    const before = await startServer();
    await shell("freeze");
    await before.client.close();
    expect(await before.server.stop()).toBe(0);
    const { server, client } = await startServer();
    expect(server.stderr()).toContain("frozen");
    expect((await client.call("mkt_create_test_order", ORDER)).value).toMatchObject({ error: { code: "frozen" } });
    const called = await runMktHere(["call", "mkt_create_test_order", JSON.stringify(ORDER)], ENV);
    expect(called.exitCode).toBe(1);
    expect(JSON.parse(called.stdout)).toMatchObject({ status: "rejected", error: { code: "frozen" } });
    const doctor = await runMktHere(["doctor"], ENV);
    expect(doctor.stdout).toMatch(/failed +kill switch +frozen/);
    await shell("thaw");
    expect((await client.call("mkt_create_test_order", ORDER)).isError).toBe(false);
  });

  test("stays in force if mkt thaw can't remove the file, and mkt thaw says so", async () => {
    await Bun.write(join(MKT_FREEZE_FILE, "something"), "");
    expect((await submit()).value).toMatchObject({ error: { code: "frozen" } });
    const { exitCode, stderr } = await shell("thaw");
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^mkt: still frozen: .*\n$/);
    rmSync(MKT_FREEZE_FILE, { recursive: true });
    expect((await submit()).isError).toBe(false);
  });

  test.each([
    ["without the variable", "", 2, "mkt: MKT_FREEZE_FILE: "],
    ["with a relative path", "freeze", 2, "mkt: MKT_FREEZE_FILE: "],
    ["that can't write", "/nowhere/freeze", 1, "mkt: NOT frozen: "],
  ])("%s says so and freezes nothing", async (_name, path, status, message) => {
    const { exitCode, stderr } = await runMktHere(["freeze"], { MKT_FREEZE_FILE: path });
    expect([exitCode, stderr]).toEqual([status, expect.stringContaining(message)]);
  });
});

test("tools of a pack from MKT_PLUGIN_DIR are frozen too, and can't exempt themselves", async () => {
  const packs = join(FOLDER, "packs");
  const pack = (name: string, more: string) =>
    `export default (mkt) => mkt.definePack({ name: "${name}", description: "d", tools: [mkt.defineTool({
      name: "${name}_act", title: "t", description: "d", input: mkt.z.strictObject({}), output: mkt.z.looseObject({}),
      annotations: { ...mkt.READ_ONLY, readOnlyHint: false }, handler: () => ({}), ${more} })] })`;
  await Bun.write(join(packs, "acme.ts"), pack("acme", ""));
  await Bun.write(join(packs, "sly.ts"), pack("sly", "allowedWhenFrozen: true"));
  await Bun.write(join(packs, "slier.ts"), pack("slier", "allowedInReadOnly: true"));
  const env = { ...ENV, MKT_PLUGIN_DIR: packs };

  expect((await runMktHere(["call", "acme_act"], env)).exitCode).toBe(0);
  writeFileSync(MKT_FREEZE_FILE, "");
  const refused = await runMktHere(["call", "acme_act"], env);
  expect(refused.exitCode).toBe(1);
  expect(JSON.parse(refused.stdout)).toMatchObject({ error: { code: "frozen" } });
  rmSync(MKT_FREEZE_FILE);

  const doctor = await runMktHere(["doctor"], env);
  expect(doctor.stdout).toContain("tools.0.allowedWhenFrozen: is for built-in tools");
  expect(doctor.stdout).toContain("tools.0.allowedInReadOnly: is for built-in tools");
});
