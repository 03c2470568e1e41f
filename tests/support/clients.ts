// The official MCP clients of the compiled executable, both generations, over both transports.
// in-process.ts has clients of an mkt in this process.

import { StreamableHTTPClientTransport as HttpV2 } from "@modelcontextprotocol/client";
import { StdioClientTransport as StdioV2 } from "@modelcontextprotocol/client/stdio";
import { StdioClientTransport as StdioV1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as HttpV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { BARE_ENVIRONMENT, MKT } from "./executable.ts";
import { connectV1, connectV2, type Generation, type TestClient } from "./official-client.ts";

export { connected, failure, type ListedTool, succeed, type TestClient, type ToolAnswer } from "./official-client.ts";

/**
 * Asks for the protocol's revision in the process that it then uses. The SDK's class starts a second process for the question,
 * as in connectStdio.
 */
export class OneProcessTransport extends StdioV2 {}

/** Over stdio the client launches the compiled executable as its child. */
export async function connectStdio(
  generation: Generation,
  env: Record<string, string>,
  args: readonly string[] = [],
): Promise<TestClient> {
  const parameters = { command: MKT, args: [...args], env: { ...BARE_ENVIRONMENT, ...env }, stderr: "ignore" as const };
  return await (generation === "v2" ? connectV2(new StdioV2(parameters)) : connectV1(new StdioV1(parameters)));
}

export async function connectHttp(generation: Generation, url: string, token?: string): Promise<TestClient> {
  const endpoint = new URL("/mcp", url);
  const options = token === undefined ? {} : { requestInit: { headers: { Authorization: `Bearer ${token}` } } };
  return await (generation === "v2"
    ? connectV2(new HttpV2(endpoint, options))
    : connectV1(new HttpV1(endpoint, options)));
}
