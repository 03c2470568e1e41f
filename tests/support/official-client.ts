// One interface over the official MCP clients of both generations, so one test can run with each. Each client ends with the
// test, or with the file, that made it.

import { Client as ClientV2, type Transport as TransportV2 } from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import type { Transport as TransportV1 } from "@modelcontextprotocol/sdk/shared/transport.js";
import * as schemas from "@modelcontextprotocol/sdk/types.js";
import { atEnd } from "./at-end.ts";
import { KEPT_VALIDATORS } from "./kept-validators.ts";

export interface ToolAnswer {
  readonly isError: boolean;
  readonly structured: Record<string, unknown> | undefined;
  readonly text: string;
  /** The structured content, or the JSON of the text if there is none. */
  readonly value: Record<string, unknown>;
}

export interface ListedTool {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema: Record<string, unknown>;
  readonly outputSchema?: Record<string, unknown>;
  readonly annotations?: Record<string, unknown>;
}

interface ListedPrompt {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly arguments?: readonly { readonly name: string; readonly description?: string; readonly required?: boolean }[];
}

type Texts = Record<string, string>;

export interface TestClient {
  readonly serverVersion: { name: string; version: string } | undefined;
  listTools(): Promise<ListedTool[]>;
  call(name: string, input?: Record<string, unknown>): Promise<ToolAnswer>;
  listPrompts(): Promise<readonly ListedPrompt[]>;
  /** The text of the prompt's messages. Rejects if it is refused. */
  prompt(name: string, given?: Texts): Promise<string>;
  /** The values that are offered for an argument of a prompt. Rejects if that is refused. */
  complete(prompt: string, argument: string, typed: string, others?: Texts): Promise<readonly string[]>;
  close(): Promise<void>;
}

export type Generation = "v1" | "v2";
export type Transport = "stdio" | "http";
/** Of the protocol: since revision 2026-07-28, or before it. */
export type Era = "modern" | "legacy";

/** Every official client over every transport. */
export const COMBINATIONS: readonly [Generation, Transport][] = [
  ["v2", "http"],
  ["v1", "stdio"],
  ["v2", "stdio"],
  ["v1", "http"],
];

/** The person at a client, who answers what a server asks (elicitation). */
export type PersonAtClient = (question: string) => {
  readonly action: "accept" | "decline" | "cancel";
  readonly content?: Record<string, boolean | string | number>;
};

const IDENTITY = { name: "mkt-test", version: "1.0.0" };

/** By method: the schemas that clients of generation v1 know it by. */
const REQUESTS = {
  "elicitation/create": schemas.ElicitRequestSchema,
  "sampling/createMessage": schemas.CreateMessageRequestSchema,
  "roots/list": schemas.ListRootsRequestSchema,
};
const NOTIFICATIONS = {
  "notifications/message": schemas.LoggingMessageNotificationSchema,
  "notifications/resources/updated": schemas.ResourceUpdatedNotificationSchema,
  "notifications/resources/list_changed": schemas.ResourceListChangedNotificationSchema,
};

/** A client that is not yet connected. Only generation v2 knows the modern era. */
export function newClient(
  generation: Generation,
  { capabilities = {}, era = "modern" }: { readonly capabilities?: object; readonly era?: Era } = {},
): ClientV1 | ClientV2 {
  const mode = era === "modern" ? "auto" : "legacy";
  const client = generation === "v2"
    ? new ClientV2(IDENTITY, { versionNegotiation: { mode }, jsonSchemaValidator: KEPT_VALIDATORS.v2, capabilities })
    : new ClientV1(IDENTITY, { jsonSchemaValidator: KEPT_VALIDATORS.v1, capabilities });
  atEnd(() => client.close());
  return client;
}

/** How a client answers the server's requests of this method. */
export function answerWith(
  client: ClientV1 | ClientV2,
  method: keyof typeof REQUESTS,
  answer: (request: { readonly params: unknown }) => unknown,
): void {
  if (client instanceof ClientV1) client.setRequestHandler(REQUESTS[method], answer as never);
  else client.setRequestHandler(method, answer as never);
}

/** What a client does with the server's notifications of this method. */
export function listenWith(
  client: ClientV1 | ClientV2,
  method: keyof typeof NOTIFICATIONS,
  take: (params: Record<string, unknown>) => void,
): void {
  const taken = ({ params = {} }: { readonly params?: Record<string, unknown> }) => take(params);
  if (client instanceof ClientV1) client.setNotificationHandler(NOTIFICATIONS[method], taken as never);
  else client.setNotificationHandler(method, taken as never);
}

export async function connectV2(transport: TransportV2, person?: PersonAtClient, era?: Era): Promise<TestClient> {
  return await connectTo(newClient("v2", { ...capabilitiesWith(person), ...(era && { era }) }), transport, person);
}

export async function connectV1(transport: TransportV1, person?: PersonAtClient): Promise<TestClient> {
  const client = newClient("v1", capabilitiesWith(person));
  const connected = await connectTo(client, transport as TransportV2, person);
  // The client checks structured content against output schemas it has listed.
  await client.listTools();
  return connected;
}

async function connectTo(client: ClientV1 | ClientV2, transport: TransportV2, person?: PersonAtClient) {
  if (person) answerWith(client, "elicitation/create", ({ params }) => person((params as { message: string }).message));
  await client.connect(transport as TransportV1 & TransportV2);
  return testClient(client as OfficialClient, client.getServerVersion());
}

function capabilitiesWith(person: PersonAtClient | undefined) {
  return { capabilities: person === undefined ? {} : { elicitation: {} } };
}

interface OfficialClient {
  listTools(): Promise<{ tools: unknown[] }>;
  callTool(parameters: { name: string; arguments: Record<string, unknown> }): Promise<unknown>;
  listPrompts(): Promise<{ prompts: ListedPrompt[] }>;
  getPrompt(parameters: { name: string; arguments: Texts }): Promise<{ messages: { content: unknown }[] }>;
  complete(parameters: {
    ref: { type: "ref/prompt"; name: string };
    argument: { name: string; value: string };
    context: { arguments: Texts };
  }): Promise<{ completion: { values: string[] } }>;
  close(): Promise<void>;
}

function testClient(client: OfficialClient, serverVersion: { name: string; version: string } | undefined): TestClient {
  return {
    serverVersion,
    listTools: async () => (await client.listTools()).tools as ListedTool[],
    call: async (name, input = {}) => answerOf(await client.callTool({ name, arguments: input })),
    listPrompts: async () => (await client.listPrompts()).prompts,
    prompt: async (name, given = {}) => {
      const { messages } = await client.getPrompt({ name, arguments: given });
      return messages.map(({ content }) => (content as { text?: string }).text ?? "").join("\n");
    },
    complete: async (prompt, name, value, others = {}) => {
      const ref = { type: "ref/prompt", name: prompt } as const;
      const asked = { ref, argument: { name, value }, context: { arguments: others } };
      return (await client.complete(asked)).completion.values;
    },
    close: () => client.close(),
  };
}

function answerOf(result: unknown): ToolAnswer {
  const { content, structuredContent, isError } = result as {
    content: { type: string; text?: string }[];
    structuredContent?: Record<string, unknown>;
    isError?: boolean;
  };
  const text = content.map((block) => block.text ?? "").join("");
  return {
    isError: isError === true,
    structured: structuredContent,
    text,
    value: structuredContent ?? JSON.parse(text) as Record<string, unknown>,
  };
}

/** The same client, connected to the market. */
export async function connected(client: TestClient | Promise<TestClient>): Promise<TestClient> {
  await succeed(await client, "mkt_connect_pubsub");
  return client;
}

/** The value of a call that must fail. */
export async function failure(
  client: TestClient,
  name: string,
  input: Record<string, unknown> = {},
): Promise<Record<string, unknown>> {
  const answer = await client.call(name, input);
  if (!answer.isError) throw new Error(`${name} succeeded: ${answer.text}`);
  return answer.value;
}

/** The value of a call that must succeed. */
export async function succeed(
  client: TestClient,
  name: string,
  input: Record<string, unknown> = {},
): Promise<Record<string, unknown>> {
  const answer = await client.call(name, input);
  if (answer.isError) throw new Error(`${name} failed: ${answer.text}`);
  return answer.value;
}
