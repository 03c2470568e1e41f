// Our MCP server, and an official client for any server, in one process.

import { Client } from "@modelcontextprotocol/client";
import { InMemoryTransport, type McpServer } from "@modelcontextprotocol/server";
import { mcpServerFactory } from "../core/server/sdk/mcp-server.ts";
import { ToolCatalogue } from "../core/dispatch/catalogue.ts";
import type { Services } from "../core/tools/context.ts";
import { Dispatcher } from "../core/dispatch/dispatcher.ts";
import { offersOf } from "../core/dispatch/offers.ts";
import type { Tool } from "../core/tools/tool.ts";

type Connectable = Pick<McpServer, "connect" | "close">;
export type MakeServer = () => Connectable | Promise<Connectable>;

/** Servers as mkt creates them; the shared parts are created once, here. */
export function mktServers(tools: readonly Tool[], services: Services): MakeServer {
  const dispatcher = new Dispatcher(new ToolCatalogue(tools), services);
  const factory = mcpServerFactory(dispatcher, offersOf([], dispatcher));
  return () => factory({ era: "legacy" });
}

/** An official client connected to a new server. */
export async function connected(makeServer: MakeServer): Promise<{ client: Client; close: () => Promise<void> }> {
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
  const server = await makeServer();
  const client = new Client({ name: "bench", version: "1.0.0" });
  await server.connect(serverSide);
  await client.connect(clientSide);
  return {
    client,
    close: async () => {
      await client.close();
      await server.close();
    },
  };
}
