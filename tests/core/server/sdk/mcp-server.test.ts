// What a server declares to each generation of clients, and for how long its lists may be kept.

import { expect, spyOn, test } from "bun:test";
import { Client } from "@modelcontextprotocol/client";
import { createMcpHandler, InMemoryTransport, type McpServer } from "@modelcontextprotocol/server";
import { definePack } from "../../../../core/packs/pack.ts";
import { definePrompt } from "../../../../core/prompts/prompt.ts";
import { InputRequired } from "../../../../core/tools/client.ts";
import type { Tool } from "../../../../core/tools/tool.ts";
import { mcpServerFactory } from "../../../../core/server/sdk/mcp-server.ts";
import { modernHeaders, modernMeta } from "../../../support/raw-request.ts";
import { atEnd } from "../../../support/at-end.ts";
import { testTool } from "../../support/declarations.ts";
import { httpParts } from "../../support/http-parts.ts";

const PROMPT = { name: "acme_ask", title: "t", description: "d", messages: () => "" };

function factoryWith(pack: object) {
  const parts = httpParts({ packs: [definePack({ name: "acme", description: "d", ...pack })] });
  return mcpServerFactory(parts.dispatcher, parts.offers);
}

interface Declared {
  readonly server: { getCapabilities(): Record<string, unknown> };
  readonly connect: McpServer["connect"];
}

const madeBy = async (factory: ReturnType<typeof factoryWith>, context: object) =>
  await factory(context as never) as unknown as Declared;

const LISTS = { tools: { listChanged: false }, prompts: { listChanged: false }, completions: {} };
const [TELLS, TELLS_NOT] = [true, false].map((told) => ({
  ...LISTS,
  resources: { subscribe: told, listChanged: told },
}));
const HTTP = { requestInfo: { headers: new Headers() } };

test.each<[string, object, object]>([
  ["of today over HTTP", { era: "modern", ...HTTP }, TELLS!],
  ["of today on stdio", { era: "modern" }, TELLS!],
  ["that is older on stdio", { era: "legacy" }, TELLS!],
  ["that is older over HTTP, which can be told nothing", { era: "legacy", ...HTTP }, TELLS_NOT!],
])(
  "a client %s is told what it can be told, and of logs only if a pack sends them",
  async (_whose, context, expected) => {
    const tool = (usesClient: boolean) => testTool("acme_do", () => ({}), { usesClient });
    const prompt = (usesClient: boolean) => definePrompt({ ...PROMPT, usesClient });
    for (
      const [pack, logs] of [
        [{ tools: [tool(false)], prompts: [prompt(false)] }, false],
        [{ tools: [tool(true)] }, true],
        [{ prompts: [prompt(true)] }, true],
      ] as const
    ) {
      const { server } = await madeBy(factoryWith(pack), context);
      expect(server.getCapabilities()).toEqual({ ...expected, ...(logs && { logging: {} }) });
    }
  },
);

test("a client learns who the server is and how it is used", async () => {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const mcp = await madeBy(factoryWith({ tools: [testTool("acme_do", () => ({}))] }), { era: "legacy" });
  await mcp.connect(far);
  const client = new Client({ name: "c", version: "1" });
  await client.connect(near as never);
  expect([client.getServerVersion(), client.getInstructions()]).toEqual([
    { name: "mkt", title: "mkt: an electricity market", version: "1.2.3" },
    "Be careful.",
  ]);
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["acme_do"]);
  await client.close();
});

test("a person at an older client has five minutes to answer a question", async () => {
  const question = new InputRequired({
    requests: {
      sure: {
        method: "elicitation/create",
        params: { mode: "form", message: "Sure?", requestedSchema: { type: "object", properties: {} } },
      },
    },
  });
  const asks: Tool["handler"] = (_input, { client }) =>
    client.responses["sure"] === undefined ? question : { agreed: true };
  const [near, far] = InMemoryTransport.createLinkedPair();
  const tool = testTool("acme_ask", asks, { usesClient: true });
  const mcp = await madeBy(factoryWith({ tools: [tool] }), { era: "legacy" });
  await mcp.connect(far);
  const client = new Client({ name: "c", version: "1" }, { capabilities: { elicitation: {} } });
  const waits = spyOn(globalThis, "setTimeout");
  atEnd(() => waits.mockRestore());
  let limits: unknown[] = [];
  client.setRequestHandler("elicitation/create", () => {
    limits = waits.mock.calls.map(([, ms]) => ms);
    return { action: "accept", content: {} };
  });
  await client.connect(near as never);
  waits.mockClear();
  expect((await client.callTool({ name: "acme_ask", arguments: {} })).structuredContent).toEqual({ agreed: true });
  expect(limits).toContain(300_000);
  await client.close();
});

test.each<[string, number, "public" | "private"]>([
  ["server/discover", 300_000, "public"],
  ["tools/list", 300_000, "public"],
  ["prompts/list", 300_000, "public"],
  ["resources/templates/list", 300_000, "public"],
  ["resources/list", 10_000, "private"],
])("a client of today may keep the answer to %s for %d ms, %s", async (method, ttlMs, cacheScope) => {
  const handler = createMcpHandler(factoryWith({ tools: [testTool("acme_do", () => ({}))] }));
  const { "Mcp-Name": _, ...headers } = modernHeaders(method, "");
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { _meta: modernMeta() } });
  const response = await handler.fetch(new Request("http://localhost/mcp", { method: "POST", headers, body }));
  const text = (await response.text()).replace(/^event: message\ndata: /, "");
  expect(JSON.parse(text).result).toMatchObject({ ttlMs, cacheScope });
  await handler.close();
});
