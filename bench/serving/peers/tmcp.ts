// tmcp with the tools of mkt, its adapter for zod and its HTTP transport. Clients name no session, so each request is on its
// own. Besides it only a plain token check.

import { ZodJsonSchemaAdapter } from "@tmcp/adapter-zod";
import { HttpTransport } from "@tmcp/transport-http";
import { type CallToolResult, McpServer } from "tmcp";
import { resultOf } from "../../registered-tools.ts";
import { SCOPE } from "../../tool-context.ts";
import { connectedTools, serveWithToken } from "./serve-peer.ts";

const { tools, services } = await connectedTools();
const { name, version, instructions } = services.server;
const server = new McpServer({ name, version, description: "mkt" }, {
  adapter: new ZodJsonSchemaAdapter(),
  capabilities: { tools: { listChanged: false } },
  instructions,
});
const context = { ...services, ...SCOPE };
for (const tool of tools) {
  const { name, title, description, annotations, input, output } = tool;
  server.tool(
    { name, title, description, annotations, schema: input, outputSchema: output },
    // The two libraries declare the same result with different types.
    async (parsed) => await resultOf(tool, parsed, context) as CallToolResult<Record<string, unknown>>,
  );
}
const transport = new HttpTransport(server, { path: "/mcp" });
serveWithToken(async (request) => await transport.respond(request) ?? new Response("Not found", { status: 404 }));
