// An answer over HTTP is only sent when the call's line is in the call log.

import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { TokenStore } from "../../../common/http/token-store.ts";
import { logger } from "../../../common/logger.ts";
import { ToolCatalogue } from "../../../core/dispatch/catalogue.ts";
import { Dispatcher } from "../../../core/dispatch/dispatcher.ts";
import { offersOf } from "../../../core/dispatch/offers.ts";
import { CallLog } from "../../../core/guardrails/call-log.ts";
import { serveHttp } from "../../../core/server/http.ts";
import { Metrics } from "../../../core/server/metrics.ts";
import { mcpServerFactory } from "../../../core/server/sdk/mcp-server.ts";
import { idField } from "../../../core/tools/fields.ts";
import { defineTool, RawResult, READ_ONLY } from "../../../core/tools/tool.ts";
import { atEnd } from "../../support/at-end.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";
import { configurationFor, servicesWith } from "../support/services.ts";

type Handler = Parameters<typeof defineTool>[0]["handler"];
const toolOf = (name: string, handler: Handler) =>
  defineTool({
    name,
    title: name,
    description: name,
    input: z.strictObject({ id: idField("An id") }),
    output: z.looseObject({}),
    annotations: READ_ONLY,
    handler: handler as never,
  });

const TOOLS = [
  toolOf("mkt_at_once", () => ({ done: true })),
  toolOf("mkt_later", async () => ({ done: await Promise.resolve(true) })),
  toolOf("mkt_content", () => new RawResult({ content: [{ type: "text", text: "done" }] })),
];

function serve() {
  const target = join(temporaryDirectory(), "calls");
  const log = new CallLog({ target, secrets: () => [], now: Date.now });
  const dispatcher = new Dispatcher(new ToolCatalogue(TOOLS), servicesWith(), (record) => log.record(record));
  const { http } = configurationFor({ MCP_HTTP_PORT: "0" });
  if (http === null) throw new Error("no HTTP is configured");
  const variables = { token: "MCP_BEARER_TOKEN", file: "MCP_BEARER_TOKEN_FILE" };
  const offers = offersOf([], dispatcher);
  const server = serveHttp({
    configuration: http,
    factory: mcpServerFactory(dispatcher, offers),
    offers,
    dispatcher,
    metrics: new Metrics(),
    tokens: new TokenStore({ token: null, file: null, variables, log: logger("test") }),
  });
  atEnd(() => server.stop());
  return { url: `${server.url}/mcp`, logged: () => readFileSync(target, "utf8") };
}

test("of many calls at the same time, each has its line when its answer comes", async () => {
  const { url, logged } = serve();
  const ask = async (name: string, id: string) => {
    const response = await fetch(url, {
      method: "POST",
      headers: { "Content-Type": "application/json", Accept: "application/json, text/event-stream" },
      body: JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: { id } } }),
    });
    const isLogged = logged().includes(`"${id}"`);
    const body = await response.text();
    return { status: response.status, isLogged, isDone: body.includes("done") };
  };
  const names = TOOLS.map(({ name }) => name);
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, at) => ask(names[at % names.length]!, `call-${at}-`)),
  );
  for (const answer of answers) expect(answer).toEqual({ status: 200, isLogged: true, isDone: true });
});
