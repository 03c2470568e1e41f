// The tools of mkt in the SDK's server, as its documentation shows: the peer of our server.

import { type CallToolResult, McpServer } from "@modelcontextprotocol/server";
import type { Services, ToolContext } from "../core/tools/context.ts";
import { RawResult, type Tool } from "../core/tools/tool.ts";
import { SCOPE } from "./tool-context.ts";

/** Makes a server with every tool registered. */
export function registeringServers(tools: readonly Tool[], services: Services): () => McpServer {
  const context = { ...services, ...SCOPE };
  return () => {
    const server = new McpServer(services.server);
    for (const tool of tools) {
      const { name, title, description, input, output, annotations } = tool;
      const declaration = { title, description, inputSchema: input, outputSchema: output, annotations };
      server.registerTool(name, declaration, (parsed) => resultOf(tool, parsed, context));
    }
    return server;
  };
}

/** Runs the bare handler of a tool. */
export async function resultOf(
  { handler }: Tool,
  input: Record<string, unknown>,
  context: ToolContext,
): Promise<CallToolResult> {
  const value = await handler(input, context);
  if (value instanceof RawResult) return value.result;
  return { content: [{ type: "text", text: JSON.stringify(value) }], structuredContent: value };
}
