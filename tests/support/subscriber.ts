// Official clients that subscribe to resources, and what they are told.

import {
  type Client as ClientV2,
  type McpSubscription,
  StreamableHTTPClientTransport as HttpV2,
  type SubscriptionFilter,
} from "@modelcontextprotocol/client";
import type { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as HttpV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { type LineTransport, lineTransport } from "./in-process.ts";
import { listenWith, newClient } from "./official-client.ts";

/** What a client was told, in order. */
class Told {
  readonly updates: { readonly uri: string; readonly atMs: number }[] = [];
  listChanges = 0;
  onUpdate: (uri: string) => void = () => {};

  constructor(client: ClientV1 | ClientV2) {
    listenWith(client, "notifications/resources/updated", ({ uri }) => this.#updated(String(uri)));
    listenWith(client, "notifications/resources/list_changed", () => void (this.listChanges += 1));
  }

  of(uri: string): number {
    return this.updates.filter((update) => update.uri === uri).length;
  }

  #updated(uri: string): void {
    this.updates.push({ uri, atMs: performance.now() });
    this.onUpdate(uri);
  }
}

/** A client of protocol 2026-07-28. */
export interface ModernSubscriber {
  readonly client: ClientV2;
  readonly told: Told;
  listen(filter: SubscriptionFilter): Promise<McpSubscription>;
}

/** A client of an older protocol. */
export interface OlderSubscriber {
  readonly client: ClientV1;
  readonly told: Told;
}

export function modernOverHttp(url: string, token?: string): Promise<ModernSubscriber> {
  const options = token === undefined ? {} : { requestInit: { headers: { Authorization: `Bearer ${token}` } } };
  return modern(new HttpV2(new URL("/mcp", url), options));
}

export async function modernOnStdio(env: Record<string, string>): Promise<ModernSubscriber> {
  return await modern(await lineTransport(env));
}

export async function olderOnStdio(env: Record<string, string>): Promise<OlderSubscriber> {
  return await older(await lineTransport(env));
}

export function olderOverHttp(url: string): Promise<OlderSubscriber> {
  return older(new HttpV1(new URL("/mcp", url)));
}

async function modern(transport: HttpV2 | LineTransport): Promise<ModernSubscriber> {
  const client = newClient("v2") as ClientV2;
  const told = new Told(client);
  await client.connect(transport);
  return { client, told, listen: (filter) => client.listen(filter) };
}

async function older(transport: HttpV1 | LineTransport): Promise<OlderSubscriber> {
  const client = newClient("v1") as ClientV1;
  const told = new Told(client);
  await client.connect(transport);
  return { client, told };
}
