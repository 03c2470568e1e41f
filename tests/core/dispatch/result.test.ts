import { expect, test } from "bun:test";
import { createMcpHandler } from "@modelcontextprotocol/server";
import { ToolCatalogue } from "../../../core/dispatch/catalogue.ts";
import { Dispatcher } from "../../../core/dispatch/dispatcher.ts";
import { resultJson } from "../../../core/dispatch/result.ts";
import { ToolError } from "../../../core/error.ts";
import { offersOf } from "../../../core/dispatch/offers.ts";
import { mcpServerFactory } from "../../../core/server/sdk/mcp-server.ts";
import type { Tool } from "../../../core/tools/tool.ts";
import { servicesWith } from "../support/services.ts";
import { toolNamed } from "../support/tools.ts";

const ANSWERS: Record<string, Pick<Tool, "handler" | "onFailure">> = {
  "a value": { handler: () => ({ z: 1, a: [{}, "text"], "10": null, none: undefined, minus: -0, no: NaN }) },
  "text with every kind of escape": { handler: () => ({ text: 'a"b\\c\n\u202e\ud800 😀/\u2028' }) },
  "an empty object": { handler: () => ({}) },
  "an error": {
    handler: () => {
      throw new ToolError("not_found", 'No "such" thing.', "List the things.");
    },
  },
  "a failed status": { handler: () => ({ status: "rejected" }), onFailure: () => ({ status: "error" }) },
  "a successful status": { handler: () => ({ status: "success" }), onFailure: () => ({ status: "error" }) },
};

test.each(Object.entries(ANSWERS))("%s: the JSON of the result is what the SDK writes", async (_name, behaviour) => {
  const tool = toolNamed("mkt_answer", behaviour);
  const dispatcher = new Dispatcher(new ToolCatalogue([tool]), servicesWith());
  const scope = { signal: new AbortController().signal };
  const answer = await dispatcher.call(tool.name, {}, scope);
  if (answer?.kind !== "json") throw new Error("no JSON");
  expect(answer.text).toBe(JSON.stringify(answer.value));
  expect(await writtenBySdk(dispatcher, tool.name)).toBe(
    `event: message\ndata: {"result":${resultJson(answer)},"jsonrpc":"2.0","id":1}\n\n`,
  );
});

/** The body with which the SDK's HTTP handler answers a call, in protocol 2025-11-25. */
async function writtenBySdk(dispatcher: Dispatcher, name: string): Promise<string> {
  const handler = createMcpHandler(mcpServerFactory(dispatcher, offersOf([], dispatcher)));
  const request = new Request("http://localhost/mcp", {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      "Accept": "application/json, text/event-stream",
      "MCP-Protocol-Version": "2025-11-25",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: {} } }),
  });
  const response = await handler.fetch(request);
  const body = await response.text();
  await handler.close();
  return body;
}
