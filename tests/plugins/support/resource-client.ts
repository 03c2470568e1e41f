// An official client of mkt's server in one process, with all packs, on a market in this process.

import { Client } from "@modelcontextprotocol/client";
import { InMemoryTransport } from "@modelcontextprotocol/server";
import { ToolCatalogue } from "../../../core/dispatch/catalogue.ts";
import { Dispatcher } from "../../../core/dispatch/dispatcher.ts";
import { type Offers, offersOf } from "../../../core/dispatch/offers.ts";
import { mcpServerFactory } from "../../../core/server/sdk/mcp-server.ts";
import type { MarketDefinition } from "../../../engine/definition/market-definition.ts";
import { MarketInProcess } from "../../core/support/market-in-process.ts";
import { servicesWith } from "../../core/support/services.ts";
import { atEnd } from "../../support/at-end.ts";
import type { Value } from "./desk.ts";
import { contextOf } from "./market-context.ts";
import { MARKET, SECRET } from "./market.ts";
import { PACKS, TOOLS } from "./packs.ts";

export class ResourceClient {
  private constructor(readonly market: MarketInProcess, readonly client: Client, private readonly offers: Offers) {}

  /** Connected to the market as the user; not connected without one. Ends with the test, or with the file, that opened it. */
  static async open(userId?: string, definition: MarketDefinition = MARKET): Promise<ResourceClient> {
    const market = new MarketInProcess(definition, SECRET);
    if (userId !== undefined) await market.connect(userId);
    const dispatcher = new Dispatcher(new ToolCatalogue(TOOLS), servicesWith({ ...market.services, now: Date.now }));
    const offers = offersOf(PACKS, dispatcher);
    const server = await mcpServerFactory(dispatcher, offers)({ era: "legacy" });
    const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
    const client = new Client({ name: "mkt-test", version: "1.0.0" });
    await server.connect(serverSide);
    await client.connect(clientSide);
    atEnd(() => client.close());
    return new ResourceClient(market, client, offers);
  }

  /** The text of a resource, and its MIME type. */
  async text(uri: string): Promise<{ readonly text: string; readonly mimeType: string | undefined }> {
    const { contents: [content, ...others] } = await this.client.readResource({ uri });
    if (content === undefined || others.length > 0 || !("text" in content)) throw new Error(`${uri} is no text`);
    if (content.uri !== uri) throw new Error(`${uri} answered as ${content.uri}`);
    return { text: content.text, mimeType: content.mimeType };
  }

  async read(uri: string): Promise<Value> {
    return JSON.parse((await this.text(uri)).text) as Value;
  }

  /** The error of a resource that can't be read. */
  async failure(uri: string): Promise<{ readonly code: unknown; readonly message: string; readonly data: unknown }> {
    const read = await this.client.readResource({ uri }).catch((error: unknown) => error);
    if (!(read instanceof Error)) throw new Error(`${uri} was read: ${JSON.stringify(read)}`);
    const { code, message, data } = read as Error & { code: unknown; data: unknown };
    return { code, message, data };
  }

  /** The answer of a tool, which must succeed. */
  async call(name: string, input: Record<string, unknown> = {}): Promise<Value> {
    const result = await this.client.callTool({ name, arguments: input });
    const [content] = result.content;
    if (result.isError || content?.type !== "text") throw new Error(`${name} failed: ${JSON.stringify(result)}`);
    return JSON.parse(content.text) as Value;
  }

  /** The message and the hint of a tool's error, as one text. */
  async toolFailure(name: string, input: Record<string, unknown> = {}): Promise<string> {
    const { isError, content: [content] } = await this.client.callTool({ name, arguments: input });
    if (!isError || content?.type !== "text") throw new Error(`${name} succeeded`);
    const { error } = JSON.parse(content.text) as { error: { message: string; hint: string } };
    return `${error.message} ${error.hint}`;
  }

  /** Throws what `Resource.version` throws. */
  version(uri: string): unknown {
    const found = this.offers.resources.find(uri);
    if (found?.resource.version === undefined) throw new Error(`${uri} can't be followed`);
    return found.resource.version(found.parameters, contextOf(this.market));
  }
}
