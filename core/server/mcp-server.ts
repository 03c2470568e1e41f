// The one factory of MCP servers: stdio takes one for its connection, HTTP one for each request. What servers share
// (tool table, JSON Schemas, connections, buffer) is made once, outside; a server is cheap.

import {
  McpServer,
  type McpServerFactory,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import type { Pack } from "../packs/pack.ts";
import { safeText } from "../../common/safe-text.ts";
import type { Dispatcher } from "../dispatch/dispatcher.ts";
import { hideInternalErrors } from "./internal-errors.ts";
import { PendingElicitations } from "./pending-elicitations.ts";

export function mcpServerFactory(dispatcher: Dispatcher, packs: readonly Pack[]): McpServerFactory {
  const { catalogue, services } = dispatcher;
  const tools = [...catalogue.listed];
  const elicitations = new PendingElicitations(services.log, services.now);
  return ({ era }) => {
    const mcp = new McpServer(
      { name: services.server.name, title: "mkt: an electricity market", version: services.server.version },
      { capabilities: { tools: { listChanged: false } }, instructions: services.server.instructions },
    );
    hideInternalErrors(mcp, services.log);
    mcp.server.setRequestHandler("tools/list", () => ({ tools }));
    mcp.server.setRequestHandler("tools/call", { params: CALL_PARAMS }, async (params, context) => {
      const caller = callerOf(context);
      const elicitor = elicitations.elicitorFor({ mcp, era, context, caller });
      const scope = { signal: context.mcpReq.signal, progress: progressOf(context), caller, elicitor };
      const result = await dispatcher.call(params.name, params.arguments, scope);
      if (result !== null) return elicitor.inputRequired ?? result;
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Tool ${safeText(params.name, LONGEST_NAME)} not found`);
    });
    for (const pack of packs) pack.register?.(mcp, services);
    return mcp;
  };
}

/**
 * The arguments go to the dispatcher as they came. The SDK's own schema would drop a key __proto__ from them without a
 * word; it still checks the rest of the request.
 */
const CALL_PARAMS = z.looseObject({ name: z.string(), arguments: z.unknown() });

/** Of a tool's name that a client made up. */
const LONGEST_NAME = 100;

/** On stdio the one client there is; over HTTP the name of its token, if it sent one. */
function callerOf({ http }: ServerContext): string | null {
  return http === undefined ? "stdio" : http.authInfo?.clientId ?? null;
}

/** Sends progress only to a client that asked for it with a token. */
function progressOf(context: ServerContext) {
  const progressToken = context.mcpReq._meta?.progressToken;
  return async ({ done, total, message }: { done: number; total?: number; message?: string }): Promise<void> => {
    if (progressToken === undefined) return;
    await context.mcpReq.notify({
      method: "notifications/progress",
      params: { progressToken, progress: done, total, message },
    });
  };
}
