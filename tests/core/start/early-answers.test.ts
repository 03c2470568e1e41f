// A client that is answered early gets the same bytes as one that the SDK answers from the beginning, and finds the SDK in the
// same state afterwards. Both ways read the same generated lines, of every protocol version and broken ones too.

import { describe, expect, test } from "bun:test";
import { PassThrough } from "node:stream";
import { SUPPORTED_PROTOCOL_VERSIONS } from "@modelcontextprotocol/server";
import fc from "fast-check";
import { logger } from "../../../common/logger.ts";
import type { Configuration } from "../../../core/config/configuration.ts";
import { createRuntime } from "../../../core/runtime.ts";
import { mcpServerFactory } from "../../../core/server/sdk/mcp-server.ts";
import { serveStdio, type StdioOptions } from "../../../core/server/stdio/serve-stdio.ts";
import { EarlyAnswers } from "../../../core/start/early-answers.ts";
import { EarlyClient } from "../../../core/start/early-client.ts";
import { PROGRAM } from "../../../cli/program.ts";
import { startTable } from "../../../scripts/start-table.ts";
import { codePoint } from "../../support/code-point.ts";
import { size } from "../../support/sizes.ts";
import { textOf } from "../server/two-paths/drafts.ts";
import * as odd from "../server/two-paths/odd-values.ts";
import { CAPABILITIES_KEY, CLIENT_KEY, MODERN, VERSION_KEY } from "../server/two-paths/usual-requests.ts";
import { configurationFor } from "../support/services.ts";

/** Conversations that both ways answer. */
const RUNS = size(30, 5_000);
/** The cases take turns. */
const CONFIGURATIONS_OF_A_CASE = size(2, 7);
const TABLE = await startTable(PROGRAM);
const LAST = "the last request";
const CONFIGURATIONS = [
  {},
  { MKT_OUTPUT_SCHEMAS: "off" },
  { MKT_READ_ONLY: "1" },
  { MKT_READ_ONLY: "1", MKT_OUTPUT_SCHEMAS: "off", STRESS_TEST_SECRET: "s" },
  { MKT_PACKS: "sim,query" },
  { MKT_PACKS: "dev", STRESS_TEST_SECRET: "s" },
  { MKT_PACKS: "," },
].map((environment) => configurationFor(environment as Record<string, string>));

/** The SDK serves one connection until the last request was answered. Every line that it writes goes to `written`. */
async function serve(configuration: Configuration, written: string[], input: StdioOptions): Promise<void> {
  const { dispatcher, offers } = await createRuntime(configuration, PROGRAM);
  const stdout = new PassThrough();
  const last = Promise.withResolvers<void>();
  let text = "";
  stdout.on("data", (chunk) => {
    const lines = (text + String(chunk)).split("\n");
    text = lines.pop() ?? "";
    written.push(...lines);
    if (lines.some((line) => line.includes(LAST))) last.resolve();
  });
  const server = serveStdio(mcpServerFactory(dispatcher, offers), offers, logger("test"), { ...input, stdout });
  await last.promise;
  // Answers that were being made end in the same turn.
  await new Promise(setImmediate);
  await server.stop();
}

async function answeredByTheSdk(configuration: Configuration, chunks: readonly Buffer[]): Promise<string[]> {
  const written: string[] = [];
  const stdin = new PassThrough();
  for (const chunk of chunks) stdin.write(chunk);
  await serve(configuration, written, { stdin });
  return written.toSorted();
}

/** The SDK takes over after `first` chunks. */
async function answeredEarly(configuration: Configuration, chunks: readonly Buffer[], first: number) {
  const written: string[] = [];
  const [paused, resumed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  async function* stdin() {
    yield* chunks.slice(0, first);
    paused.resolve();
    await resumed.promise;
    yield* chunks.slice(first);
    // stdin stays open until the end of the test.
    await new Promise(() => {});
  }
  const output = { write: (line: string) => written.push(line.trimEnd()) > 0, handOver: () => {} };
  const answers = new EarlyAnswers(TABLE, configuration, output);
  const client = new EarlyClient(answers, stdin());
  await paused.promise;
  const atOnce = written.length;
  const served = serve(configuration, written, { started: { client, answers, output } });
  resumed.resolve();
  await served;
  return { all: written.toSorted(), atOnce };
}

const lineOf = (message: unknown) => Buffer.from(`${textOf(message)}\n`);
const request = (method: string, params?: unknown, id: unknown = 1) => ({ jsonrpc: "2.0", id, method, params });
const initialize = (protocolVersion: unknown, capabilities: unknown = {}, clientInfo: unknown = CLIENT) =>
  request("initialize", { protocolVersion, capabilities, clientInfo });
const CLIENT = { name: "test", version: "1" };
const VERSIONS = [...SUPPORTED_PROTOCOL_VERSIONS, MODERN, "2024-01-01", "2099-01-01", "", "x"];
const envelope = (version: unknown = MODERN, capabilities: unknown = {}, client?: unknown) => ({
  _meta: {
    [VERSION_KEY]: version,
    [CAPABILITIES_KEY]: capabilities,
    ...(client !== undefined && { [CLIENT_KEY]: client }),
  },
});
const INITIALIZED = { jsonrpc: "2.0", method: "notifications/initialized" };
const END = lineOf(request("no/such/method", undefined, LAST));

const ALL_CAPABILITIES = {
  roots: { listChanged: true },
  sampling: {},
  elicitation: { form: {}, url: {} },
  tasks: { requests: { elicitation: { create: {} } } },
  experimental: { x: {} },
};
const capabilities = fc.oneof(
  fc.constantFrom<unknown>(
    ...odd.ODD_CAPABILITIES,
    { elicitation: { form: { applyDefaults: true }, url: {} }, sampling: { context: {}, tools: {} } },
    { tasks: { list: {}, cancel: {}, requests: { sampling: { createMessage: {} }, elicitation: { create: {} } } } },
    { experimental: { thing: {} }, extensions: { "a/b": { c: {} } } },
    { experimental: { listChanged: true } },
    { roots: { listChanged: {} } },
    { elicitation: { form: { applyDefaults: {} } } },
    ALL_CAPABILITIES,
  ),
  fc.dictionary(
    fc.constantFrom("roots", "sampling", "elicitation", "tasks", "experimental", "extensions", "other", "__proto__"),
    fc.dictionary(
      fc.constantFrom("listChanged", "form", "url", "tools", "list", "requests", "x", "__proto__"),
      fc.constantFrom<unknown>(true, false, null, 1, "x", [], {}, { applyDefaults: false }, { sampling: 1 }),
      { maxKeys: 2 },
    ),
    { maxKeys: 3 },
  ),
);
const clients = fc.constantFrom<unknown>(CLIENT, CLIENT, ...odd.CLIENT_INFOS);
const params = fc.oneof(
  fc.constantFrom<unknown>(
    ...[undefined, undefined, {}, envelope(), envelope(), null, [], "x", { cursor: "x" }, { _meta: {} }, { _meta: 1 }],
    ...[{ _meta: { progressToken: 1 } }, envelope("2025-11-25"), envelope("2099-01-01"), envelope(1), { name: "x" }],
    ...odd.META_MEMBERS.map((member) => ({ _meta: { ...envelope()._meta, ...member } })),
    { ...envelope(), cursor: "x" },
  ),
  fc.tuple(capabilities, clients).map(([given, client]) => envelope(MODERN, given, client)),
);
const initializations = fc.tuple(fc.constantFrom(...VERSIONS), capabilities, clients)
  .map(([version, given, client]) => initialize(version, given, client));
const requests = fc.record({
  jsonrpc: fc.constantFrom("2.0", "2.0", "2.0", "2.0", "2.0", "2.0", "1.0"),
  id: fc.oneof(
    fc.constantFrom<unknown>(0, 1, 1, "1", Number.MAX_SAFE_INTEGER, undefined, ...odd.ODD_IDS),
    fc.string({ unit: codePoint, maxLength: 5 }),
  ),
  method: fc.constantFrom(
    ...["ping", "tools/list", "tools/list", "server/discover", "tools/call", "initialize", "notifications/initialized"],
    ...["notifications/cancelled", "resources/list", "logging/setLevel"],
  ),
  params,
});
const calls = fc.record({
  name: fc.constantFrom("mkt_get_module_schema", "mkt_get_order", "mkt_watch_fills", "mkt_no_such_tool", 1),
  arguments: fc.constantFrom<unknown>(
    ...[{}, {}, { moduleType: "order" }, { orderId: "x", limit: "many" }, { x: 1 }, [], null],
  ),
  _meta: fc.constantFrom<unknown>(undefined, undefined, envelope()._meta, envelope()._meta, {}, { progressToken: 1 }),
}, { requiredKeys: ["name"] }).map((params) => request("tools/call", params, 5));
const ping = JSON.stringify(request("ping"));
const texts = fc.constantFrom(
  ...["\n", "\r\n", "{\n", "[]\n", "null\n", '"x"\n', "\ufeff{}\n", "\xff\n", `[${ping}]\n`, `${ping}\r\n`],
  `{"jsonrpc":"2.0","id":1,"id":2,"method":"ping","method":"tools/list"}\n`,
  `{"jsonrpc":"2.0","id":1,"method":"ping","__proto__":{"x":1}}\n`,
  `{"jsonrpc":"2.0","id":3,"method":"ping","extra":1}\n`,
  `{"jsonrpc":"2.0","id":3,"result":{}}\n`,
);
const lines = fc.oneof(
  { arbitrary: calls.map(lineOf), weight: 5 },
  { arbitrary: requests.map(lineOf), weight: 6 },
  { arbitrary: initializations.map(lineOf), weight: 2 },
  { arbitrary: fc.constantFrom(initialize("2025-06-18"), INITIALIZED, request("tools/list")).map(lineOf), weight: 5 },
  { arbitrary: fc.constant(lineOf(request("server/discover", envelope()))), weight: 2 },
  { arbitrary: texts.map((text) => Buffer.from(text)), weight: 1 },
);

/** The lines with an id of its own for each request: of requests with one id that run at once, the SDK may answer only one. */
function withOwnIds(given: readonly Buffer[]): Buffer[] {
  const used = new Set<unknown>();
  return given.map((line, index) => {
    const text = line.toString();
    if (!text.startsWith('{"jsonrpc":"2.0","id":')) return line;
    const message = JSON.parse(text) as { id: unknown };
    const own = used.has(message.id) ? lineOf({ ...message, id: `${message.id} at ${index}` }) : line;
    used.add(message.id);
    return own;
  });
}

/** The bytes in pieces, which may end within a line or a character. */
function inPieces(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const places = [...new Set(cuts.map((cut) => Math.floor(cut * bytes.length)))].toSorted((a, b) => a - b);
  return [0, ...places].map((from, index) => bytes.subarray(from, places[index])).filter((piece) => piece.length > 0);
}

describe("a client that is answered early", () => {
  test("gets what the SDK alone would have answered, whatever it sends and whenever more is loaded", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...CONFIGURATIONS),
        fc.array(lines, { maxLength: 8 }),
        fc.array(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), { maxLength: 6 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        async (configuration, sent, cuts, share) => {
          const chunks = inPieces(Buffer.concat([...withOwnIds(sent), END]), cuts);
          const { all } = await answeredEarly(configuration, chunks, Math.round(share * chunks.length));
          expect(all).toEqual(await answeredByTheSdk(configuration, chunks));
        },
      ),
      { numRuns: RUNS },
    );
  });

  test.each([
    ...VERSIONS.map((version) => [
      `that speaks ${version || "no version"}`,
      [initialize(version), INITIALIZED, request("tools/list", undefined, 2), request("ping", {}, 'ü\u2028"')],
      3,
    ]),
    [
      "with every capability",
      [
        initialize("2025-11-25", ALL_CAPABILITIES, { ...CLIENT, title: "A client" }),
        request("tools/list", {}, 2),
      ],
      2,
    ],
    [
      "of protocol 2026-07-28",
      [request("server/discover", envelope(MODERN, {}, CLIENT)), request("tools/list", envelope(), 2)],
      2,
    ],
    ["of protocol 2026-07-28 that does not ask first", [request("tools/list", envelope(), "a")], 1],
  ].map((each, at) => [...each, at]) as [string, object[], number, number][])(
    "%s is answered at once",
    async (_name, messages, count, at) => {
      for (let each = at; each < at + CONFIGURATIONS_OF_A_CASE; each++) {
        const configuration = CONFIGURATIONS[each % CONFIGURATIONS.length]!;
        const chunks = [Buffer.concat(messages.map(lineOf)), END];
        const { atOnce, all } = await answeredEarly(configuration, chunks, 1);
        expect(atOnce).toBe(count);
        expect(all).toEqual(await answeredByTheSdk(configuration, chunks));
      }
    },
  );
});
