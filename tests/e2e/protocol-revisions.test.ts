// Each revision of the protocol over both transports, with messages written by hand: the beginning, the lists, a call, a
// resource, a completion, and the protocol's errors for what does not fit.

import { describe, expect, test } from "bun:test";
import { startHttpServer } from "../support/executable.ts";
import { MODERN, modernMeta } from "../support/raw-request.ts";
import { startStdioServer } from "../support/stdio-server.ts";
import { post } from "../support/http-requests.ts";
import { NORTH, startPowerMarket } from "../support/power-market.ts";
import { LONG } from "../support/sizes.ts";

const OLDER = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] as const;
const BOOK = `mkt://order-book/${NORTH}`;
const TEMPLATE = "mkt://order-book/{contractId}";

const engine = await startPowerMarket();
const env = { ...engine.environmentFor("anna"), MKT_AUTO_CONNECT: "1" };
const server = await startHttpServer(env);

interface Answer {
  readonly id?: number;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: Record<string, unknown> };
}

interface Message {
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

const READ: Message = { method: "resources/read", params: { uri: BOOK } };
const COMPLETE: Message = {
  method: "completion/complete",
  params: { ref: { type: "ref/resource", uri: TEMPLATE }, argument: { name: "contractId", value: "nor" } },
};
const LISTS: readonly (readonly [method: string, member: string])[] = [
  ["tools/list", "tools"],
  ["resources/list", "resources"],
  ["resources/templates/list", "resourceTemplates"],
  ["prompts/list", "prompts"],
];
const request = (id: number, message: Message) => ({ jsonrpc: "2.0", id, ...message });

const initialize = (protocolVersion: string): Message => ({
  method: "initialize",
  params: { protocolVersion, capabilities: {}, clientInfo: { name: "mkt-test", version: "1.0.0" } },
});

/** The only message of the answer, which is JSON or an event stream. */
async function messageOf(response: Response): Promise<Answer> {
  const text = await response.text();
  const data = text.startsWith("{") || text.startsWith("[") ? text : /^data: (\{.*)$/m.exec(text)?.[1];
  return JSON.parse(data ?? "null") as Answer;
}

/** The same over HTTP. A revision before 2025-06-18 has no header for itself. */
async function overHttp(revision: string) {
  const headers: Record<string, string> = revision >= "2025-06-18" ? { "MCP-Protocol-Version": revision } : {};
  const send = async (message: Message) => await messageOf(await post(server, request(1, message), headers));
  return { begun: await send(initialize(revision)), send };
}

/** A child over stdio, and a sender of requests to it. */
function startChild() {
  const child = startStdioServer({ ...env, PATH: process.env["PATH"] ?? "" });
  let id = 0;
  const send = async (message: Message) => {
    id += 1;
    child.send(request(id, message));
    return await child.answer(id) as unknown as Answer;
  };
  return { child, send };
}

/** A sender of requests on this revision over stdio, after its handshake. */
async function overStdio(revision: string) {
  const { child, send } = startChild();
  const begun = await send(initialize(revision));
  child.send({ jsonrpc: "2.0", method: "notifications/initialized" });
  return { begun, send };
}

async function expectEverything(send: (message: Message) => Promise<Answer>): Promise<void> {
  for (const [method, member] of LISTS) {
    const { result } = await send({ method });
    expect(Array.isArray(result?.[member])).toBe(true);
    expect(result).not.toHaveProperty("ttlMs");
  }
  const call = await send({ method: "tools/call", params: { name: "mkt_ping", arguments: {} } });
  expect(JSON.stringify(call.result)).toContain("toolCount");
  const read = await send(READ);
  expect(read.result).toEqual({
    contents: [{ uri: BOOK, mimeType: "application/json", text: expect.stringContaining(NORTH) }],
  });
  expect(await send(COMPLETE)).toMatchObject({ result: { completion: { values: [NORTH] } } });
  // The SDK gives this code on every revision, and its clients take it for "not found" as they take -32002.
  expect(await send({ method: "resources/read", params: { uri: "mkt://nowhere" } })).toMatchObject({
    error: { code: -32602, data: { uri: "mkt://nowhere" } },
  });
  expect(await send({ method: "prompts/get", params: { name: "no-such-prompt" } })).toMatchObject({
    error: { code: -32602 },
  });
  expect(await send({ method: "no/such/method" })).toMatchObject({ error: { code: -32601 } });
  expect(await send({ method: "server/discover" })).toMatchObject({ error: { code: -32601 } });
}

describe.each(OLDER)("revision %s", (revision) => {
  // Each child over stdio takes time: in every run only those of the oldest and the newest.
  const isBoth = LONG || revision === OLDER[0] || revision === OLDER.at(-1);
  test.each([...(isBoth ? [["stdio", true] as const] : []), ["HTTP", false] as const])(
    "begins with initialize and has everything over %s",
    async (transport, subscribe) => {
      const open = transport === "stdio" ? overStdio : overHttp;
      const { begun, send } = await open(revision);
      expect(begun.result).toMatchObject({
        protocolVersion: revision,
        capabilities: { tools: {}, prompts: {}, completions: {}, resources: { subscribe } },
      });
      await expectEverything(send);
    },
  );
});

describe("older revisions", () => {
  test("an unknown revision is answered with the newest older one", async () => {
    const { send } = await overHttp("2025-11-25");
    for (const { result } of [await send(initialize("1999-01-01")), (await overStdio("1999-01-01")).begun]) {
      expect(result).toMatchObject({ protocolVersion: "2025-11-25" });
    }
  });

  test("an unknown MCP-Protocol-Version header is 400, and the message names the revisions", async () => {
    const response = await post(server, request(1, READ), { "MCP-Protocol-Version": "1999-01-01" });
    expect(response.status).toBe(400);
    expect((await messageOf(response)).error?.message).toContain("2025-11-25");
  });

  test("a batch over HTTP is answered message by message", async () => {
    const batch = [request(1, READ), { jsonrpc: "2.0", method: "notifications/initialized" }, request(2, COMPLETE)];
    const text = await (await post(server, batch)).text();
    const answers = [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data!) as Answer);
    expect(answers.map(({ id }) => id).sort()).toEqual([1, 2]);
    expect(answers.every(({ result }) => result !== undefined)).toBe(true);
  });
});

/** A request on 2026-07-28 over HTTP, with headers that fit unless others are given. null leaves one out. */
async function modern(message: Message, others: Readonly<Record<string, string | null>> = {}, _meta = modernMeta()) {
  const params = { ...message.params, _meta };
  const name = message.params?.["name"] ?? message.params?.["uri"];
  const headers = Object.entries({
    "MCP-Protocol-Version": MODERN,
    "Mcp-Method": message.method,
    ...(typeof name === "string" && { "Mcp-Name": name }),
    ...others,
  }).filter((header): header is [string, string] => header[1] !== null);
  const response = await post(server, request(1, { ...message, params }), Object.fromEntries(headers));
  return { status: response.status, ...await messageOf(response) };
}

describe("revision 2026-07-28 over HTTP", () => {
  const CACHED = { ttlMs: expect.any(Number), cacheScope: expect.stringMatching(/public|private/) };
  const SERVER = { "io.modelcontextprotocol/serverInfo": { name: "mkt" } };

  test("has server/discover, and everything with result type, cache time and the server's name", async () => {
    expect(await modern({ method: "server/discover" })).toMatchObject({
      status: 200,
      result: { supportedVersions: [MODERN], resultType: "complete", ...CACHED, _meta: SERVER },
    });
    for (const [method, member] of LISTS) {
      const { result } = await modern({ method });
      expect(result).toMatchObject({ [member]: expect.any(Array), resultType: "complete", ...CACHED, _meta: SERVER });
    }
    expect((await modern(READ)).result).toMatchObject({ resultType: "complete", ttlMs: 0, cacheScope: "private" });
    const { result } = await modern(COMPLETE);
    expect(result).toMatchObject({ completion: { values: [NORTH] }, resultType: "complete" });
    expect(result).not.toHaveProperty("ttlMs");
  });

  const GET: Message = { method: "prompts/get", params: { name: "no-such-prompt" } };
  test.each<[string, Message, Record<string, string | null>]>([
    ["no MCP-Protocol-Version", READ, { "MCP-Protocol-Version": null }],
    ["another MCP-Protocol-Version than in _meta", READ, { "MCP-Protocol-Version": "2025-11-25" }],
    ["no Mcp-Method", READ, { "Mcp-Method": null }],
    ["another Mcp-Method", READ, { "Mcp-Method": "resources/list" }],
    ["no Mcp-Name for a resource", READ, { "Mcp-Name": null }],
    ["another Mcp-Name for a resource", READ, { "Mcp-Name": "mkt://market" }],
    ["no Mcp-Name for a prompt", GET, { "Mcp-Name": null }],
    ["another Mcp-Name for a prompt", GET, { "Mcp-Name": "another" }],
    ["another Mcp-Method for a completion", COMPLETE, { "Mcp-Method": "prompts/get" }],
    ["another Mcp-Method for a list", { method: "resources/list" }, { "Mcp-Method": "tools/list" }],
  ])("%s is 400, a header mismatch", async (_name, message, headers) => {
    expect(await modern(message, headers)).toMatchObject({ status: 400, error: { code: -32020 } });
  });

  test("a Mcp-Name in Base64 fits its value", async () => {
    const encoded = `=?base64?${Buffer.from(BOOK).toString("base64")}?=`;
    expect(await modern(READ, { "Mcp-Name": encoded })).toMatchObject({ status: 200 });
  });

  test("a version that mkt does not have is 400, and the error lists those that it has", async () => {
    const _meta = { ...modernMeta(), "io.modelcontextprotocol/protocolVersion": "2099-01-01" };
    const error = { code: -32022, data: { requested: "2099-01-01", supported: expect.arrayContaining([MODERN]) } };
    const answer = await modern({ method: "tools/list" }, { "MCP-Protocol-Version": "2099-01-01" }, _meta);
    expect(answer).toMatchObject({ status: 400, error });
  });

  test("_meta without capabilities is 400", async () => {
    const { "io.modelcontextprotocol/clientCapabilities": _, ...incomplete } = modernMeta();
    const answer = await modern({ method: "tools/list" }, {}, incomplete);
    expect(answer).toMatchObject({ status: 400, error: { code: -32602 } });
  });

  test.each<[string, Message]>([
    ["an unknown method", { method: "no/such/method" }],
    ["initialize", initialize(MODERN)],
    ["ping", { method: "ping" }],
    ["resources/subscribe", { method: "resources/subscribe", params: { uri: BOOK } }],
    ["resources/unsubscribe", { method: "resources/unsubscribe", params: { uri: BOOK } }],
    ["logging/setLevel", { method: "logging/setLevel", params: { level: "info" } }],
  ])("%s is 404, method not found", async (_name, message) => {
    expect(await modern(message)).toMatchObject({ status: 404, error: { code: -32601 } });
  });

  test("an unknown resource, template, prompt or argument is an invalid parameter", async () => {
    const unknown: readonly Message[] = [
      { method: "resources/read", params: { uri: "mkt://nowhere" } },
      { method: "resources/read", params: { uri: "mkt://order-book/no-such-contract" } },
      GET,
      { ...COMPLETE, params: { ...COMPLETE.params, ref: { type: "ref/resource", uri: "mkt://nowhere/{id}" } } },
      { ...COMPLETE, params: { ...COMPLETE.params, ref: { type: "ref/prompt", name: "no-such-prompt" } } },
    ];
    for (const message of unknown) expect((await modern(message)).error).toMatchObject({ code: -32602 });
  });
});

/** A sender of requests on 2026-07-28 over stdio. */
function modernStdio() {
  const { send } = startChild();
  return ({ method, params }: Message, _meta: Record<string, unknown> = modernMeta()) =>
    send({ method, params: { ...params, _meta } });
}

describe("revision 2026-07-28 over stdio", () => {
  test.each([
    "tools/list",
    "prompts/list",
    "subscriptions/listen",
  ])("%s of a version that mkt does not have is refused with those that it has, whenever it comes", async (method) => {
    const send = modernStdio();
    const message: Message = { method, params: { notifications: { resourceSubscriptions: [BOOK] } } };
    for (const requested of ["2099-01-01", "2099-01-01", "2025-11-25"]) {
      const _meta = { ...modernMeta(), "io.modelcontextprotocol/protocolVersion": requested };
      expect((await send(message, _meta)).error).toMatchObject({
        code: -32022,
        data: { requested, supported: expect.arrayContaining([MODERN]) },
      });
      expect(await send({ method: "tools/list" })).toHaveProperty("result");
    }
  });

  test("a client that falls back to initialize may name any version", async () => {
    const send = modernStdio();
    expect(await send({ method: "server/discover" })).toHaveProperty("result");
    expect(await send(initialize("2025-11-25"), {})).toHaveProperty("result");
    const _meta = { ...modernMeta(), "io.modelcontextprotocol/protocolVersion": "2099-01-01" };
    expect(await send({ method: "tools/list" }, _meta)).toHaveProperty("result");
  });
});
