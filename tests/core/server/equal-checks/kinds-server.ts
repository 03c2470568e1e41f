// A server of the pack of all kinds without a network, and one request of each kind to it. Tools, resources, prompts,
// completions and routes are asked for over HTTP. A subscription is asked for as resources/subscribe, as on stdio, since
// subscriptions/listen answers what it honours instead of failing.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { InMemoryTransport, type JSONRPCMessage } from "@modelcontextprotocol/server";
import { logger } from "../../../../common/logger.ts";
import type { PubSub } from "../../../../core/backend/pubsub.ts";
import type { Offers } from "../../../../core/dispatch/offers.ts";
import { CallLog } from "../../../../core/guardrails/call-log.ts";
import { loadPacks } from "../../../../core/packs/pack-loader.ts";
import { mcpApp } from "../../../../core/server/mcp-app.ts";
import { mcpServerFactory } from "../../../../core/server/sdk/mcp-server.ts";
import { sdkHandler } from "../../../../core/server/sdk/sdk-answer.ts";
import { StdioSubscriptions } from "../../../../core/server/stdio/stdio-subscriptions.ts";
import type { Freeze } from "../../../../core/tools/freeze.ts";
import { HANDSHAKE, modernHeaders, modernMeta } from "../../../support/raw-request.ts";
import { temporaryDirectory } from "../../../support/temporary-directory.ts";
import { httpParts } from "../../support/http-parts.ts";
import { configurationFor, pubsubThatIs } from "../../support/services.ts";
import { type Kind, KINDS_PACK, type VariantName } from "./kinds-pack.ts";

export const TOKEN = "token-of-the-desk-at-acme";
/** The id that each request has in its argument, URI or path. */
export const ID = "zone-7";

interface Answer {
  readonly status: number;
  /** As the client gets it. */
  readonly text: string;
  /** `ok`, the code of the error, or the JSON-RPC code if it has no other. */
  readonly outcome: string;
}

export interface LogLine {
  readonly caller: string | null;
  readonly userId: string | null;
  readonly arguments: unknown;
  readonly outcome: string;
  readonly [kind: string]: unknown;
}

interface Given {
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** Instead of ID. */
  readonly id?: string;
}

interface Conditions {
  readonly environment?: Readonly<Record<string, string>>;
  readonly pubsub?: PubSub;
  readonly frozen?: Freeze;
}

export async function kindsServer({ environment = {}, pubsub, frozen }: Conditions = {}) {
  const configuration = configurationFor({ MCP_HTTP_PORT: "0", MCP_BEARER_TOKEN: TOKEN, ...environment });
  const { packs } = await loadPacks([KINDS_PACK], configuration);
  const path = join(temporaryDirectory(), "calls");
  const callLog = new CallLog({ target: path, secrets: () => [TOKEN], now: () => 0 });
  const parts = httpParts({
    configuration,
    packs,
    services: { pubsub: pubsub ?? pubsubThatIs("connected", ["Market.Operate"]), frozen: () => frozen ?? null },
    record: (record) => callLog.record(record),
  });
  const { dispatcher, offers, metrics } = parts;
  const factory = mcpServerFactory(dispatcher, offers);
  const app = mcpApp({ ...parts, plain: null, sdk: sdkHandler({ factory, offers, log: logger("test") }).answer });
  const subscriber = await subscriberOf(factory, offers);

  const sendRequest = async ({ method, path, body, names = {} }: Sent, { headers, signal }: Given = {}) => {
    const all = { Host: "localhost", Authorization: `Bearer ${TOKEN}`, ...names, ...headers };
    const init = { method, headers: all, body: body ?? null, ...(signal && { signal }) };
    const request = new Request(`http://localhost${path}`, init);
    return await app.fetch(request, { address: "10.0.0.1", setIdleTimeout: () => {} });
  };
  const send = (kind: Kind, variant: VariantName, given: Given) =>
    sendRequest(requestFor(kind, variant, given.id ?? ID), given);
  return {
    dispatcher,
    metrics,
    /** Over HTTP for every kind: a subscription is a subscriptions/listen. */
    send: async (kind: Kind, variant: VariantName = "plain", given: Given = {}): Promise<Answer> => {
      const response = await send(kind, variant, given);
      const isStream = kind === "subscription" && response.status === 200;
      if (!isStream) return answerOf(response.status, await response.text());
      await response.body?.cancel();
      return { status: 200, text: "", outcome: "ok" };
    },
    ask: async (kind: Kind, variant: VariantName, given: Given = {}): Promise<Answer> => {
      if (kind === "subscription") return answerOf(200, await subscriber(`acme://${variant}/${given.id ?? ID}`));
      const response = await send(kind, variant, given);
      return answerOf(response.status, await response.text());
    },
    sendBody: (method: string, name: string, params: object) => sendRequest(message(method, name, params)),
    /** What is in the log now, without a wait. */
    lines: (): LogLine[] => {
      // The first line makes the file.
      if (!existsSync(path)) return [];
      return readFileSync(path, "utf8").split("\n").filter(Boolean).map((line) => JSON.parse(line));
    },
  };
}

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly names?: Readonly<Record<string, string>>;
  readonly body?: string;
}

function requestFor(kind: Kind, variant: VariantName, id: string): Sent {
  const name = `acme_${variant}`;
  const uri = `acme://${variant}/${id}`;
  const completion = { ref: { type: "ref/prompt", name }, argument: { name: "id", value: id } };
  return {
    tool: message("tools/call", name, { name, arguments: { id } }),
    resource: message("resources/read", uri, { uri }),
    prompt: message("prompts/get", name, { name, arguments: { id } }),
    completion: message("completion/complete", "", completion),
    subscription: message("subscriptions/listen", "", { notifications: { resourceSubscriptions: [uri] } }),
    route: { method: variant === "changing" ? "POST" : "GET", path: `/acme/${variant}/${id}` },
  }[kind];
}

function message(method: string, name: string, params: object): Sent {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta: modernMeta() } });
  return { method: "POST", path: "/mcp", names: modernHeaders(method, name), body };
}

function answerOf(status: number, text: string): Answer {
  if (!text.startsWith("{")) return { status, text, outcome: status < 400 ? "ok" : `http_${status}` };
  const { error, result } = JSON.parse(text);
  if (result?.isError === true) return { status, text, outcome: JSON.parse(result.content[0].text).error.code };
  return { status, text, outcome: String(error?.data?.code ?? error?.code ?? "ok") };
}

type Factory = ReturnType<typeof mcpServerFactory>;

/** Sends resources/subscribe on a connection that lasts; gives the text of the answer. */
async function subscriberOf(factory: Factory, offers: Offers) {
  const options = { offers, stdout: new PassThrough(), log: logger("test") };
  const server = await new StdioSubscriptions(options).serving(factory)({ era: "legacy" });
  const [client, serverSide] = InMemoryTransport.createLinkedPair();
  const waiting = new Map<unknown, (text: string) => void>();
  client.onmessage = (answer) => waiting.get(Reflect.get(answer, "id"))?.(JSON.stringify(answer));
  await server.connect(serverSide);
  let last = 0;
  const answered = (request: object) =>
    new Promise<string>((resolve) => {
      const id = ++last;
      waiting.set(id, resolve);
      void client.send({ ...request, id } as JSONRPCMessage);
    });
  await answered(HANDSHAKE[0]!);
  await client.send(HANDSHAKE[1] as JSONRPCMessage);
  return (uri: string) => answered({ jsonrpc: "2.0", method: "resources/subscribe", params: { uri } });
}
