// The official clients behind one interface: `client` 2 on either revision, and `sdk` 1, of an mkt in this process. Each has a
// person who agrees to everything, and records the updates that come.

import {
  Client as ClientV2,
  LOG_LEVEL_META_KEY,
  StreamableHTTPClientTransport as HttpV2,
} from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as HttpV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import {
  ElicitRequestSchema,
  LoggingMessageNotificationSchema,
  ResourceListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
  ResultSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import { atEnd } from "../../support/at-end.ts";
import { lineTransport } from "../../support/in-process.ts";
import { KEPT_VALIDATORS } from "../../support/kept-validators.ts";
import { LEGACY, MODERN, type Revision, type Transport } from "./features.ts";
import type { Answer, LISTS } from "./reading-probes.ts";
import type { Server } from "./world.ts";

type Listed = keyof typeof LISTS;
type Reference = { type: "ref/prompt"; name: string } | { type: "ref/resource"; uri: string };

interface CallOptions {
  readonly signal?: AbortSignal;
  readonly onprogress?: () => void;
}

export interface OfficialClient {
  readonly transport: Transport;
  readonly revision: Revision;
  readonly capabilities: {
    readonly tools?: { readonly listChanged?: boolean };
    readonly prompts?: { readonly listChanged?: boolean };
    readonly resources?: { readonly listChanged?: boolean; readonly subscribe?: boolean };
    readonly logging?: object;
  };
  /** What the person was asked. */
  readonly questions: readonly string[];
  /** The log messages that came. */
  readonly logs: readonly unknown[];
  /** The URIs of the updates that came, in order, and LIST for a change of the list. */
  readonly updates: readonly string[];
  /** Sends `server/discover`, whether or not the revision has it. */
  discover(): Promise<Answer>;
  list(what: Listed): Promise<Answer>;
  callTool(name: string, input: Record<string, unknown>, options?: CallOptions): Promise<Answer>;
  readResource(uri: string): Promise<Answer>;
  getPrompt(name: string, given: Record<string, string>): Promise<Answer>;
  complete(ref: Reference, argument: { name: string; value: string }): Promise<Answer>;
  /** Calls a tool, and asks for its log messages. */
  callWithLog(name: string): Promise<unknown>;
  /** Gives the end of the subscription. */
  subscribe(uri: string): Promise<() => Promise<unknown>>;
  /** Asks for changes of the list of resources: on older revisions with a request for the list itself. */
  followList(): Promise<unknown>;
}

export const LIST = "the list";

const IDENTITY = { name: "mkt-test", version: "1.0.0" };
const CAPABILITIES = { capabilities: { elicitation: {} } };

/** What the two generations have in common. */
interface Common extends Record<Listed, () => Promise<Answer>> {
  getServerCapabilities(): OfficialClient["capabilities"] | undefined;
  close(): Promise<void>;
  readResource(params: { uri: string }): Promise<Answer>;
  getPrompt(params: { name: string; arguments: Record<string, string> }): Promise<Answer>;
  complete(params: { ref: Reference; argument: { name: string; value: string } }): Promise<Answer>;
}

interface Records {
  readonly questions: string[];
  readonly logs: unknown[];
  readonly updates: string[];
}

function newRecords() {
  const records: Records = { questions: [], logs: [], updates: [] };
  const answer = (question: string) => {
    records.questions.push(question);
    return { action: "accept" as const, content: { agree: true } };
  };
  return {
    records,
    answer,
    update: (uri: string) => void records.updates.push(uri),
    log: (data: unknown) => void records.logs.push(data),
  };
}

function common(client: Common, records: Records) {
  atEnd(() => client.close());
  return {
    ...records,
    capabilities: client.getServerCapabilities() ?? {},
    list: (what: Listed) => client[what](),
    readResource: (uri: string) => client.readResource({ uri }),
    getPrompt: (name: string, given: Record<string, string>) => client.getPrompt({ name, arguments: given }),
    complete: (ref: Reference, argument: { name: string; value: string }) => client.complete({ ref, argument }),
  };
}

const endpointOf = (server: Server) => new URL("/mcp", server.httpUrl);

export async function connectClient(server: Server, transport: Transport, revision: Revision): Promise<OfficialClient> {
  const { records, answer, update, log } = newRecords();
  const mode = revision === MODERN ? "auto" : "legacy";
  const client = new ClientV2(IDENTITY, {
    versionNegotiation: { mode },
    jsonSchemaValidator: KEPT_VALIDATORS.v2,
    ...CAPABILITIES,
  });
  client.setRequestHandler("elicitation/create", ({ params }) => answer(params.message));
  client.setNotificationHandler("notifications/resources/updated", ({ params }) => update(params.uri));
  client.setNotificationHandler("notifications/resources/list_changed", () => update(LIST));
  client.setNotificationHandler("notifications/message", ({ params }) => log(params.data));
  await client.connect(transport === "stdio" ? await lineTransport(server.env) : new HttpV2(endpointOf(server)));
  if (client.getNegotiatedProtocolVersion() !== revision) throw new Error(`another revision than ${revision}`);
  return {
    transport,
    revision,
    ...common(client as unknown as Common, records),
    discover: async () =>
      revision === MODERN
        ? await client.discover()
        : await client.request({ method: "server/discover" }, z.looseObject({})),
    callTool: (name, input, options) => client.callTool({ name, arguments: input }, options),
    async callWithLog(name) {
      if (revision === MODERN) return await client.callTool({ name, _meta: { [LOG_LEVEL_META_KEY]: "info" } });
      await client.setLoggingLevel("info");
      return await client.callTool({ name });
    },
    async subscribe(uri) {
      if (revision === MODERN) {
        const subscription = await client.listen({ resourceSubscriptions: [uri] });
        if (!subscription.honoredFilter.resourceSubscriptions?.includes(uri)) throw new Error(`${uri} is not followed`);
        return () => subscription.close();
      }
      await client.subscribeResource({ uri });
      return () => client.unsubscribeResource({ uri });
    },
    followList: () => revision === MODERN ? client.listen({ resourcesListChanged: true }) : client.listResources(),
  };
}

export async function connectSdk(server: Server, transport: Transport): Promise<OfficialClient> {
  const { records, answer, update, log } = newRecords();
  const client = new ClientV1(IDENTITY, { jsonSchemaValidator: KEPT_VALIDATORS.v1, ...CAPABILITIES });
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => answer(params.message));
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => update(params.uri));
  client.setNotificationHandler(ResourceListChangedNotificationSchema, () => update(LIST));
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => log(params.data));
  await client.connect(transport === "stdio" ? await lineTransport(server.env) : new HttpV1(endpointOf(server)));
  return {
    transport,
    revision: LEGACY,
    ...common(client as unknown as Common, records),
    discover: () => client.request({ method: "server/discover" }, ResultSchema),
    callTool: (name, input, options) => client.callTool({ name, arguments: input }, undefined, options),
    async callWithLog(name) {
      await client.setLoggingLevel("info");
      return await client.callTool({ name });
    },
    async subscribe(uri) {
      await client.subscribeResource({ uri });
      return () => client.unsubscribeResource({ uri });
    },
    followList: () => client.listResources(),
  };
}
