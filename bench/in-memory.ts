// MCP servers with an official client in one process: ours, and the SDK's server for the same tools.

import { Client } from "@modelcontextprotocol/client";
import { InMemoryTransport, McpServer } from "@modelcontextprotocol/server";
import { mcpServerFactory } from "../core/server/sdk/mcp-server.ts";
import { ToolCatalogue } from "../core/dispatch/catalogue.ts";
import type { Services } from "../core/tools/context.ts";
import { Dispatcher } from "../core/dispatch/dispatcher.ts";
import { RawResult, type Tool } from "../core/tools/tool.ts";
import { SCOPE } from "./tool-context.ts";

type Connectable = Pick<McpServer, "connect" | "close">;
export type MakeServer = () => Connectable | Promise<Connectable>;

/** Servers as mkt creates them; the shared parts are created once, here. */
export function mktServers(tools: readonly Tool[], services: Services): MakeServer {
  const factory = mcpServerFactory(new Dispatcher(new ToolCatalogue(tools), services), []);
  return () => factory({ era: "legacy" });
}

/** Servers as in the SDK's documentation. */
export function registeringServers(tools: readonly Tool[], services: Services): MakeServer {
  const context = { ...services, ...SCOPE };
  return () => {
    const server = new McpServer(services.server);
    for (const { name, title, description, input, output, annotations, handler } of tools) {
      const declaration = { title, description, inputSchema: input, outputSchema: output, annotations };
      server.registerTool(name, declaration, async (parsed) => {
        const value = await handler(parsed, context);
        if (value instanceof RawResult) return value.result;
        return { content: [{ type: "text", text: JSON.stringify(value) }], structuredContent: value };
      });
    }
    return server;
  };
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
