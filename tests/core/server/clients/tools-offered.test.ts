// The tools that tools/list offers in each configuration; toolCount must agree.

import { describe, expect, test } from "bun:test";
import { PACKS } from "../../../../plugins/index.ts";
import { clientHere, rawServerHere } from "../../../support/in-process.ts";
import { type ListedTool, succeed } from "../../../support/official-client.ts";
import { HANDSHAKE, legacyCall } from "../../../support/raw-request.ts";

const BACKEND = { MKT_HOST: "127.0.0.1:1", MKT_USER_ID: "anna" };
const DEV = "mkt_dev_reset_credit_and_docs";

async function offered(environment: Record<string, string>, generation: "v1" | "v2" = "v2"): Promise<ListedTool[]> {
  const client = await clientHere({ ...BACKEND, ...environment }, { generation });
  const tools = await client.listTools();
  const names = tools.map(({ name }) => name);
  if (names.includes("mkt_ping")) expect((await succeed(client, "mkt_ping"))["toolCount"]).toBe(tools.length);
  await client.close();
  return tools;
}

const namesOf = (tools: readonly { readonly name: string }[]) => tools.map(({ name }) => name);
const DECLARED = PACKS.flatMap(({ tools }) => tools);

describe("tools/list", () => {
  test.each(["v2", "v1"] as const)("offers client %s every tool of every pack but dev", async (generation) => {
    const names = namesOf(await offered({}, generation));
    expect(names.sort()).toEqual(namesOf(DECLARED).filter((name) => name !== DEV).sort());
  });

  test("offers mkt_dev_reset_credit_and_docs only with STRESS_TEST_SECRET, and only if MKT_PACKS includes dev", async () => {
    expect(namesOf(await offered({ STRESS_TEST_SECRET: "s" })).sort()).toEqual(namesOf(DECLARED).sort());
    expect(namesOf(await offered({ STRESS_TEST_SECRET: "s", MKT_PACKS: "query" }))).not.toContain(DEV);
    expect(namesOf(await offered({ STRESS_TEST_SECRET: "s", MKT_PACKS: "query,dev" }))).toContain(DEV);
  });

  test("MKT_READ_ONLY offers only read-only tools, connect and disconnect, whatever else is set", async () => {
    const packs = PACKS.map(({ name }) => name).join(",");
    const tools = await offered({ MKT_READ_ONLY: "1", STRESS_TEST_SECRET: "s", MKT_PACKS: packs });
    const readers = DECLARED.filter(({ annotations }) => annotations.readOnlyHint);
    const connecting = ["mkt_connect_pubsub", "mkt_disconnect_pubsub"];
    expect(namesOf(tools).sort()).toEqual([...namesOf(readers), ...connecting].sort());
    const writers = tools.filter(({ annotations }) => annotations?.["readOnlyHint"] !== true);
    expect(namesOf(writers).sort()).toEqual(connecting);
  });

  test("MKT_OUTPUT_SCHEMAS=off leaves out the output schemas; both clients get structured results as before", async () => {
    for (const generation of ["v1", "v2"] as const) {
      const client = await clientHere({ ...BACKEND, MKT_OUTPUT_SCHEMAS: "off" }, { generation });
      const tools = await client.listTools();
      expect(tools.filter((tool) => "outputSchema" in tool)).toEqual([]);
      const { structured } = await client.call("mkt_ping", {});
      expect(structured).toMatchObject({ status: "ok", toolCount: tools.length });
      await client.close();
    }
  });

  test("lists the same annotations and schemas to both official clients", async () => {
    const schemasOf = (tools: readonly ListedTool[]) =>
      tools.map(({ name, inputSchema, outputSchema }) => ({ name, inputSchema, outputSchema }));
    const [v1, v2] = [await offered({}, "v1"), await offered({}, "v2")];
    expect(schemasOf(v1)).toEqual(schemasOf(v2));
    const hints = ["destructiveHint", "idempotentHint", "openWorldHint", "readOnlyHint", "title"];
    for (const { annotations = {} } of v2) expect(Object.keys(annotations).sort()).toEqual(hints);
  });
});

test("a call of a tool that is not offered is a protocol error with the nearest name", async () => {
  const server = await rawServerHere({ ...BACKEND, MKT_READ_ONLY: "1" });
  const calls = ["mkt_list_order", "potato", "mkt_halt_market"].map((name, at) => legacyCall(at + 1, name));
  server.send(...HANDSHAKE, ...calls);
  const message: unknown = expect.stringContaining("mkt_list_order not found (did you mean mkt_list_orders?)");
  expect(await server.answer(1)).toMatchObject({ error: { code: -32602, message } });
  expect(await server.answer(2)).toMatchObject({ error: { message: expect.stringMatching(/potato not found$/) } });
  const halt: unknown = expect.stringContaining("mkt_halt_market not found");
  expect(await server.answer(3)).toMatchObject({ error: { code: -32602, message: halt } });
  await server.end();
});
