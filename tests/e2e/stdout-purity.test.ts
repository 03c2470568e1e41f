// On stdio, stdout carries protocol messages and nothing else, and the executable needs neither Bun nor Node.

import { expect, test } from "bun:test";
import { join } from "node:path";
import { HANDSHAKE, legacyCall } from "../support/raw-request.ts";
import { startStdioServer } from "../support/stdio-server.ts";
import { NO_BACKEND } from "../support/http-requests.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const GREETING_PACK = `
export default (mkt) => mkt.definePack({
  name: "greeting", description: "Greets",
  tools: [mkt.defineTool({
    name: "acme_greet", title: "Greet", description: "Greets by name", annotations: mkt.READ_ONLY,
    input: mkt.z.strictObject({ name: mkt.z.string().describe("Whom to greet") }),
    output: mkt.z.looseObject({ greeting: mkt.z.string() }),
    handler: async ({ name }: { name: string }) => ({ greeting: "hello " + name }),
  })],
});`;

const directory = temporaryDirectory();
await Bun.write(join(directory, "greeting.ts"), GREETING_PACK);
await Bun.write(
  join(directory, "broken.ts"),
  `console.log("I print to stdout"); throw new Error("broken on purpose");`,
);

test.each([
  ["at LOG_LEVEL=debug", { LOG_LEVEL: "debug" }],
  ["when a pack fails to load and prints", {}],
])("stdout carries protocol messages only, %s", async (_name, env) => {
  const server = startStdioServer({ ...NO_BACKEND, ...env, MKT_PLUGIN_DIR: directory });
  server.send(
    ...HANDSHAKE,
    { jsonrpc: "2.0", id: 1, method: "tools/list" },
    legacyCall(2, "mkt_ping"),
    legacyCall(3, "mkt_connect_pubsub"),
    legacyCall(4, "mkt_create_test_order", { nonsense: true }),
    legacyCall(5, "mkt_no_such_tool"),
    legacyCall(6, "acme_greet", { name: "world" }),
  );
  const ids = [0, 1, 2, 3, 4, 5, 6];
  for (const id of ids) await server.answer(id);
  server.close();
  expect(await server.ended()).toBe(0);
  const { stdout, stderr } = server.output;
  const messages = stdout.trim().split("\n").map((line) => JSON.parse(line) as { jsonrpc: string; id: number });
  expect(messages.map(({ jsonrpc }) => jsonrpc)).toEqual(Array(7).fill("2.0"));
  expect(messages.map(({ id }) => id).sort()).toEqual(ids);
  expect(stdout).toContain("hello world");
  expect(stderr).toContain("broken on purpose");
  for (const line of stderr.trim().split("\n").filter((text) => text.startsWith("{"))) {
    expect(() => JSON.parse(line)).not.toThrow();
  }
});
