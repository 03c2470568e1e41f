// On stdio, stdout carries protocol messages and nothing else, and the executable needs neither Bun nor Node.

import { beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { connectStdio, succeed } from "../support/clients.ts";
import { MKT } from "../support/executable.ts";
import { startProcess } from "../support/processes.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const BACKEND = { MKT_HOST: "127.0.0.1:1", MKT_BASE_URL: "http://127.0.0.1:1", MKT_USER_ID: "anna" };

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

let directory: string;

beforeAll(async () => {
  directory = temporaryDirectory();
  await Bun.write(join(directory, "greeting.ts"), GREETING_PACK);
  await Bun.write(
    join(directory, "broken.ts"),
    `console.log("I print to stdout"); throw new Error("broken on purpose");`,
  );
});

/** Sends the messages, closes stdin and returns all output. Without PATH, so that no other program can help. */
async function converse(messages: readonly object[], env: Record<string, string>) {
  const child = startProcess([MKT], { env: { ...BACKEND, ...env }, stdin: "pipe", stdout: "pipe", stderr: "pipe" });
  for (const message of messages) child.stdin.write(`${JSON.stringify(message)}\n`);
  await child.stdin.flush();
  const reader = child.stdout.getReader();
  const decoder = new TextDecoder();
  let stdout = "";
  const expected = messages.filter((message) => "id" in message).length;
  while (stdout.split("\n").length - 1 < expected) {
    const { value, done } = await reader.read();
    if (done) break;
    stdout += decoder.decode(value, { stream: true });
  }
  child.stdin.end();
  for (let rest = await reader.read(); !rest.done; rest = await reader.read()) stdout += decoder.decode(rest.value);
  return { stdout, stderr: await new Response(child.stderr).text(), exitCode: await child.exited };
}

const INITIALIZE = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } },
};
const call = (id: number, name: string, input: object = {}) => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name, arguments: input },
});

describe("stdout on stdio", () => {
  test.each([
    ["at LOG_LEVEL=debug", { LOG_LEVEL: "debug" }],
    ["when a pack fails to load and prints", {}],
  ])("carries protocol messages only, %s", async (_name, env) => {
    const { stdout, stderr, exitCode } = await converse([
      INITIALIZE,
      { jsonrpc: "2.0", method: "notifications/initialized" },
      { jsonrpc: "2.0", id: 2, method: "tools/list" },
      call(3, "mkt_ping"),
      call(4, "mkt_connect_pubsub"),
      call(5, "mkt_create_test_order", { nonsense: true }),
      call(6, "mkt_no_such_tool"),
      call(7, "acme_greet", { name: "world" }),
    ], { ...env, MKT_PLUGIN_DIR: directory });
    const messages = stdout.trim().split("\n").map((line) => JSON.parse(line) as { jsonrpc: string; id: number });
    expect(messages.map(({ jsonrpc }) => jsonrpc)).toEqual(Array(7).fill("2.0"));
    expect(messages.map(({ id }) => id).sort()).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(stdout).toContain("hello world");
    expect(stderr).toContain("broken on purpose");
    for (const line of stderr.trim().split("\n").filter((text) => text.startsWith("{"))) {
      expect(() => JSON.parse(line)).not.toThrow();
    }
    expect(exitCode).toBe(0);
  });
});

describe("a pack in MKT_PLUGIN_DIR", () => {
  test.each(["v1", "v2"] as const)(
    "serves client %s on the compiled executable, even if another pack fails to load",
    async (generation) => {
      const client = await connectStdio(generation, { ...BACKEND, MKT_PLUGIN_DIR: directory });
      const names = (await client.listTools()).map(({ name }) => name);
      expect(names).toContain("acme_greet");
      expect(await succeed(client, "acme_greet", { name: "market" })).toEqual({ greeting: "hello market" });
      expect((await succeed(client, "mkt_ping"))["toolCount"]).toBe(names.length);
      await client.close();
    },
  );
});
