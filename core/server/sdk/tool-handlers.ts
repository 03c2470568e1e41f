// tools/list and tools/call.

import { type McpServer, ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { z } from "zod";
import { didYouMean } from "../../../common/command-line.ts";
import { safeText } from "../../../common/safe-text.ts";
import type { Dispatcher } from "../../dispatch/dispatcher.ts";
import { callToolResult } from "../../dispatch/result.ts";
import { scopeOf } from "./call-scope.ts";
import { exchangeOf } from "./http-exchange.ts";
import type { PendingElicitations } from "./pending-elicitations.ts";

interface ToolHandlers {
  readonly dispatcher: Dispatcher;
  readonly elicitations: PendingElicitations;
  readonly era: "legacy" | "modern";
}

export function serveTools(mcp: McpServer, { dispatcher, elicitations, era }: ToolHandlers): void {
  const { catalogue } = dispatcher;
  mcp.server.setRequestHandler("tools/list", () => ({ tools: [...catalogue.listed] }));
  mcp.server.setRequestHandler("tools/call", { params: CALL_PARAMS }, async (params, context) => {
    const answered = exchangeOf(context)?.answered;
    if (answered !== undefined) return callToolResult(answered);
    const scope = scopeOf(context);
    const elicitor = elicitations.elicitorFor({ mcp, era, context, caller: scope.caller ?? null });
    const answer = await dispatcher.call(params.name, params.arguments, { ...scope, elicitor });
    if (answer !== null) return elicitor.inputRequired ?? callToolResult(answer);
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `Tool ${safeText(params.name, MAX_NAME_LENGTH)} not found${didYouMean(params.name, catalogue.names)}`,
    );
  });
}

/**
 * Passes the arguments unchanged to the dispatcher. The SDK's own schema would silently drop a key __proto__. The SDK still
 * checks the rest of the request.
 */
const CALL_PARAMS = z.looseObject({ name: z.string(), arguments: z.unknown().optional() });

/** Maximum length of an unknown tool's name in the error message. */
const MAX_NAME_LENGTH = 100;
