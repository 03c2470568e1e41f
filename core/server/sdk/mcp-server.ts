// The factory of MCP servers: one for the stdio connection, or one for each HTTP request. What servers share (tool list,
// JSON Schemas, connections, event buffer) is created once and passed in, so a server is cheap.

import {
  type Implementation,
  McpServer,
  type McpServerFactory,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import type { Pack } from "../../packs/pack.ts";
import { didYouMean } from "../../../common/command-line.ts";
import { safeText } from "../../../common/safe-text.ts";
import type { Dispatcher } from "../../dispatch/dispatcher.ts";
import { callToolResult } from "../../dispatch/result.ts";
import type { ServerFacts } from "../../tools/context.ts";
import { exchangeOf } from "./http-exchange.ts";
import { hideInternalErrors } from "./internal-errors.ts";
import { PendingElicitations } from "./pending-elicitations.ts";

export function mcpServerFactory(dispatcher: Dispatcher, packs: readonly Pack[]): McpServerFactory {
  const { catalogue, services } = dispatcher;
  const elicitations = new PendingElicitations(services.log, services.now);
  return ({ era }) => {
    const mcp = new McpServer(
      implementationOf(services.server),
      { capabilities: { tools: { listChanged: false } }, instructions: services.server.instructions },
    );
    hideInternalErrors(mcp, services.log);
    mcp.server.setRequestHandler("tools/list", () => ({ tools: [...catalogue.listed] }));
    mcp.server.setRequestHandler("tools/call", { params: CALL_PARAMS }, async (params, context) => {
      const exchange = exchangeOf(context);
      if (exchange?.answered !== undefined) return callToolResult(exchange.answered);
      const caller = exchange === null ? "stdio" : exchange.caller;
      const elicitor = elicitations.elicitorFor({ mcp, era, context, caller });
      const { signal } = context.mcpReq;
      const scope = { signal, progress: progressOf(context), caller, elicitor, freeSlot: exchange?.freeSlot };
      const answer = await dispatcher.call(params.name, params.arguments, scope);
      if (answer !== null) return elicitor.inputRequired ?? callToolResult(answer);
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `Tool ${safeText(params.name, MAX_NAME_LENGTH)} not found${didYouMean(params.name, catalogue.names)}`,
      );
    });
    for (const pack of packs) pack.register?.(mcp, services);
    return mcp;
  };
}

/** The server's identity, as clients see it. */
export function implementationOf({ name, version }: ServerFacts): Implementation {
  return { name, title: "mkt: an electricity market", version };
}

/**
 * Passes the arguments unchanged to the dispatcher. The SDK's own schema would silently drop a key __proto__. The SDK still
 * checks the rest of the request.
 */
const CALL_PARAMS = z.looseObject({ name: z.string(), arguments: z.unknown().optional() });

/** Maximum length of an unknown tool's name in the error message. */
const MAX_NAME_LENGTH = 100;

/** Only a client that sent a progress token gets progress notifications. */
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
