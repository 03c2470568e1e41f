// An official client whose requests can be followed (progress) and cancelled: each generation, transport and era.

import { StreamableHTTPClientTransport as HttpV2 } from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as HttpV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ResultSchema } from "@modelcontextprotocol/sdk/types.js";
import { answerWith, type Era, type Generation, newClient, type Transport } from "../../../support/official-client.ts";
import { httpServerHere, type LineTransport, lineTransport } from "../../../support/in-process.ts";

export interface Step {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}

interface RequestOptions {
  /** Asks for progress. */
  readonly onprogress?: (step: Step) => void;
  readonly signal?: AbortSignal;
}

export interface Kind {
  readonly generation: Generation;
  readonly transport: Transport;
  readonly era: Era;
}

/** Every generation, transport and era. The clients of generation v1 know only the older protocols. */
export const KINDS: readonly Kind[] = [
  { generation: "v2", transport: "stdio", era: "modern" },
  { generation: "v2", transport: "http", era: "modern" },
  { generation: "v2", transport: "stdio", era: "legacy" },
  { generation: "v2", transport: "http", era: "legacy" },
  { generation: "v1", transport: "stdio", era: "legacy" },
  { generation: "v1", transport: "http", era: "legacy" },
];

export function nameOf({ generation, transport, era }: Kind): string {
  return `${generation} over ${transport}, ${era === "modern" ? "protocol 2026-07-28" : "an older protocol"}`;
}

/** Older clients over HTTP can't cancel one request, so they close the connection. */
export function canCancelOne({ transport, era }: Kind): boolean {
  return transport === "stdio" || era === "modern";
}

/** Answers a question to the person at the client. Only clients on stdio with an older protocol are asked here. */
type Person = () => Promise<{ action: "accept"; content: Record<string, boolean> }>;

export interface FollowedClient {
  request(method: string, params: Record<string, unknown>, options?: RequestOptions): Promise<Record<string, unknown>>;
  /** What the client could not make sense of, such as an answer to a request that it has cancelled. */
  readonly faults: string[];
  close(): Promise<void>;
}

/** A server for clients of this kind. On stdio each client starts one of its own. */
export async function serverFor(
  kind: Kind,
  env: Record<string, string>,
): Promise<(person?: Person) => Promise<FollowedClient>> {
  if (kind.transport === "stdio") return async (person) => await open(kind, await lineTransport(env), person);
  const url = new URL("/mcp", (await httpServerHere(env)).url);
  const Http = kind.generation === "v1" ? HttpV1 : HttpV2;
  return (person) => open(kind, new Http(url) as HttpV2, person);
}

async function open(
  { generation, era }: Kind,
  transport: HttpV2 | LineTransport,
  person?: Person,
): Promise<FollowedClient> {
  const client = newClient(generation, { era, capabilities: person === undefined ? {} : { elicitation: {} } });
  if (person) answerWith(client, "elicitation/create", person);
  const faults: string[] = [];
  client.onerror = (error) => faults.push(error.message);
  await client.connect(transport);
  const request: FollowedClient["request"] = client instanceof ClientV1
    ? (method, params, options) => client.request({ method, params }, ResultSchema, options)
    : (method, params, options) => client.request({ method, params } as never, options as never);
  return { faults, request, close: () => client.close() };
}

/** The structured content of a tool's result. */
export async function called(
  client: FollowedClient,
  name: string,
  input: Record<string, unknown> = {},
  options?: RequestOptions,
): Promise<Record<string, unknown>> {
  const result = await client.request("tools/call", { name, arguments: input }, options);
  const [{ text = "" } = {}] = result["content"] as { text?: string }[];
  return result["structuredContent"] as Record<string, unknown> | undefined ?? JSON.parse(text);
}
