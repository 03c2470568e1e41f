// The SDK's server with the tools of mkt, as in the SDK's documentation: a new McpServer for each request, registerTool for
// each tool, createMcpHandler. Besides it only a plain token check.

import { createMcpHandler } from "@modelcontextprotocol/server";
import { registeringServers } from "../../registered-tools.ts";
import { connectedTools, serveWithToken } from "./serve-peer.ts";

const { tools, services } = await connectedTools();
const { fetch } = createMcpHandler(registeringServers(tools, services));
serveWithToken((request) => fetch(request));
