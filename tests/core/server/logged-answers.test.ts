// An answer over HTTP is only sent when the call's line is in the call log.

import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { CallLog } from "../../../core/guardrails/call-log.ts";
import { definePack } from "../../../core/packs/pack.ts";
import { serveHttp } from "../../../core/server/http.ts";
import { mcpServerFactory } from "../../../core/server/sdk/mcp-server.ts";
import { idField } from "../../../core/tools/fields.ts";
import { RawResult } from "../../../core/tools/tool.ts";
import { atEnd } from "../../support/at-end.ts";
import { post } from "../../support/http-requests.ts";
import { legacyCall } from "../../support/raw-request.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";
import { testTool } from "../support/declarations.ts";
import { httpParts } from "../support/http-parts.ts";

const WITH_ID = { input: z.strictObject({ id: idField("An id") }) };
const TOOLS = [
  testTool("mkt_at_once", () => ({ done: true }), WITH_ID),
  testTool("mkt_later", async () => ({ done: await Promise.resolve(true) }), WITH_ID),
  testTool("mkt_content", () => new RawResult({ content: [{ type: "text", text: "done" }] }), WITH_ID),
];

function serve() {
  const target = join(temporaryDirectory(), "calls");
  const log = new CallLog({ target, secrets: () => [], now: Date.now });
  const packs = [definePack({ name: "acme", description: "d", tools: TOOLS })];
  const parts = httpParts({ packs, record: (record) => log.record(record) });
  const server = serveHttp({ ...parts, factory: mcpServerFactory(parts.dispatcher, parts.offers) });
  atEnd(() => server.stop());
  return { server, logged: () => readFileSync(target, "utf8") };
}

test("of many calls at the same time, each has its line when its answer comes", async () => {
  const { server, logged } = serve();
  const ask = async (name: string, id: string) => {
    const response = await post(server, legacyCall(1, name, { id }));
    const isLogged = logged().includes(`"${id}"`);
    const body = await response.text();
    return { status: response.status, isLogged, isDone: body.includes("done") };
  };
  const names = TOOLS.map(({ name }) => name);
  const asked = Array.from({ length: 60 }, (_, at) => ask(names[at % names.length]!, `call-${at}-`));
  for (const answer of await Promise.all(asked)) expect(answer).toEqual({ status: 200, isLogged: true, isDone: true });
});
