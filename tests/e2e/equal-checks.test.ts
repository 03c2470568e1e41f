// The checks that every kind of request shares, over a socket with the compiled executable: token, rate, and the line in the
// call log, which is in the file before the client has its answer. The table of all checks is in
// tests/core/server/equal-checks.

import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startHttpServer } from "../support/executable.ts";
import { modernHeaders, modernMeta } from "../support/raw-request.ts";
import { until } from "../support/until.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { NO_BACKEND } from "../support/http-requests.ts";

const TOKEN = "token-of-the-desk-at-acme";

const PACK = `export default (mkt) => mkt.definePack({ name: "acme", description: "d",
  tools: [mkt.defineTool({ name: "acme_read", title: "t", description: "d", input: mkt.z.strictObject({}),
    output: mkt.z.looseObject({}), annotations: mkt.READ_ONLY, handler: () => ({}) })],
  resources: [mkt.defineResource({ name: "zone", uri: "acme://zone", title: "t", description: "d",
    version: () => 1, read: () => ({}) })],
  prompts: [mkt.definePrompt({ name: "acme_ask", title: "t", description: "d",
    arguments: { zone: { description: "d", complete: () => ["north"] } }, messages: () => "text" })],
  routes: [mkt.defineRoute({ method: "GET", path: "/acme", description: "d", readOnlyHint: true,
    handler: () => new Response("text") })] })`;

const REQUESTS: Readonly<Record<string, readonly [method: string, name: string, params: object, logged: string]>> = {
  tool: ["tools/call", "acme_read", { name: "acme_read", arguments: {} }, "acme_read"],
  resource: ["resources/read", "acme://zone", { uri: "acme://zone" }, "acme://zone"],
  prompt: ["prompts/get", "acme_ask", { name: "acme_ask", arguments: { zone: "north" } }, "acme_ask"],
  completion: [
    "completion/complete",
    "",
    { ref: { type: "ref/prompt", name: "acme_ask" }, argument: { name: "zone", value: "n" } },
    "acme_ask",
  ],
  subscription: [
    "subscriptions/listen",
    "",
    { notifications: { resourceSubscriptions: ["acme://zone"] } },
    "subscriptions/listen",
  ],
  route: ["GET", "", {}, "GET /acme"],
};

const folder = temporaryDirectory();
writeFileSync(join(folder, "acme.ts"), PACK);
const ENVIRONMENT = { ...NO_BACKEND, MKT_PLUGIN_DIR: folder, MCP_BEARER_TOKEN: TOKEN };

function send(url: string, kind: string, token: string): Promise<Response> {
  const [method, name, params] = REQUESTS[kind] ?? expect.unreachable();
  const headers = { Authorization: `Bearer ${token}` };
  if (kind === "route") return fetch(`${url}/acme`, { headers });
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta: modernMeta() } });
  return fetch(`${url}/mcp`, { method: "POST", headers: { ...modernHeaders(method, name), ...headers }, body });
}

test("every kind has its line in the log before its answer comes, and needs the token", async () => {
  const path = join(temporaryDirectory(), "calls");
  const server = await startHttpServer({ ...ENVIRONMENT, MKT_CALL_LOG: path });
  const lines = () => readFileSync(path, "utf8").split("\n").filter(Boolean).map((line) => JSON.parse(line));
  for (const [index, [kind, [, , , logged]]] of Object.entries(REQUESTS).entries()) {
    expect((await send(server.url, kind, "another")).status).toBe(401);
    const answer = await send(server.url, kind, TOKEN);
    expect(answer.status).toBe(200);
    expect(lines()).toHaveLength(index + 1);
    expect(lines().at(-1)).toMatchObject({ [kind]: logged, caller: "default", userId: null, outcome: "ok" });
    await answer.body?.cancel();
  }
  const metrics = await (await fetch(`${server.url}/metrics`, { headers: { Authorization: `Bearer ${TOKEN}` } }))
    .text();
  for (const [kind, [, , , logged]] of Object.entries(REQUESTS).filter(([kind]) => kind !== "tool")) {
    expect(metrics).toContain(`mkt_requests_total{kind="${kind}",name="${logged}",outcome="ok"} 1`);
    expect(metrics).toContain(`mkt_request_duration_seconds_count{kind="${kind}",name="${logged}"} 1`);
  }
});

test("every kind is 429 with Retry-After above MCP_RATE_LIMIT", async () => {
  for (const kind of Object.keys(REQUESTS)) {
    const server = await startHttpServer({ ...ENVIRONMENT, MCP_RATE_LIMIT: "1" });
    // A window may end between two requests.
    const refused = await until(async () => {
      const answer = await send(server.url, kind, TOKEN);
      await answer.body?.cancel();
      return answer;
    }, ({ status }) => status === 429);
    expect(refused.headers.get("Retry-After")).toBe("1");
    await server.stop();
  }
});
