// tools/list and tools/call.

import { type McpServer, ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { z } from "zod";
import { didYouMean } from "../../../../common/command-line.ts";
import { safeText } from "../../../../common/safe-text.ts";
import type { Dispatcher } from "../../../dispatch/dispatcher.ts";
import { callToolResult } from "../../../dispatch/result.ts";
import { actingUser } from "../../../tools/context.ts";
import { scopeOf } from "../exchange/call-scope.ts";
import { type CallOrigin, type ClientExchange, exchangeWith } from "../asking/client-exchange.ts";
import { exchangeOf } from "../exchange/http-exchange.ts";
import type { PendingElicitations } from "../asking/pending-elicitations.ts";
import type { RequestStates } from "../asking/request-states.ts";

interface ToolHandlers {
  readonly dispatcher: Dispatcher;
  readonly elicitations: PendingElicitations;
  readonly states: RequestStates;
  readonly era: "legacy" | "modern";
}

export function serveTools(mcp: McpServer, { dispatcher, elicitations, states, era }: ToolHandlers): void {
  const { catalogue } = dispatcher;
  // The SDK compares the Mcp-Param-* headers with the arguments by this schema, before it calls the handler.
  mcp.toolInputSchemaJson = (name) => catalogue.schemaWithHeaders(name) ?? undefined;
  mcp.server.setRequestHandler("tools/list", () => ({ tools: [...catalogue.listed] }));
  mcp.server.setRequestHandler("tools/call", { params: CALL_PARAMS }, async (params, context) => {
    const answered = exchangeOf(context)?.answered;
    if (answered !== undefined) return callToolResult(answered);
    const scope = scopeOf(context);
    const origin = { mcp, era, context, caller: scope.caller ?? null };
    const client = await clientOf(origin, params, dispatcher, states);
    const elicitor = elicitations.elicitorFor(origin, client?.carried);
    const answer = await dispatcher.call(params.name, params.arguments, {
      ...scope,
      elicitor,
      ...(client && { client }),
    });
    if (answer !== null) {
      return elicitor.inputRequired ?? await client?.inputRequired(states, elicitor.agreed) ?? callToolResult(answer);
    }
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `Tool ${safeText(params.name, MAX_NAME_LENGTH)} not found${didYouMean(params.name, catalogue.names)}`,
    );
  });
}

/** Undefined if the tool does not use its client. */
async function clientOf(
  origin: CallOrigin,
  { name, arguments: given }: z.infer<typeof CALL_PARAMS>,
  { catalogue, services }: Dispatcher,
  states: RequestStates,
): Promise<ClientExchange | undefined> {
  if (catalogue.get(name)?.usesClient !== true) return undefined;
  const call = { method: "tools/call", name, arguments: given, userId: actingUser(services) } as const;
  return await exchangeWith(origin, call, states, services.log);
}

/**
 * Passes the arguments unchanged to the dispatcher. The SDK's own schema would silently drop a key __proto__. The SDK still
 * checks the rest of the request.
 */
const CALL_PARAMS = z.looseObject({ name: z.string(), arguments: z.unknown().optional() });

/** Maximum length of an unknown tool's name in the error message. */
const MAX_NAME_LENGTH = 100;
