// Errors of the handlers for resources and prompts: a ToolError reaches the client, with its text made safe; any other error
// is logged and hidden. For tools the dispatcher does this.

import { type McpServer, ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { errorStack } from "../../../../common/error-message.ts";
import type { Logger } from "../../../../common/logger.ts";
import { safeValue } from "../../../../common/safe-text.ts";
import { textOf, ToolError } from "../../../error.ts";

type Handler = (...parameters: unknown[]) => unknown;

/** Applies to every handler that is registered afterwards. */
export function hideInternalErrors({ server }: McpServer, log: Logger): void {
  const register = server.setRequestHandler.bind(server) as (method: string, ...rest: unknown[]) => void;
  server.setRequestHandler = (method: string, ...rest: unknown[]) => {
    const handler = rest.pop() as Handler;
    register(method, ...rest, async (...parameters: unknown[]) => {
      try {
        return await handler(...parameters);
      } catch (error) {
        throw protocolErrorOf(error, method, log);
      }
    });
  };
}

/** What a client is told of an error. */
export function protocolErrorOf(error: unknown, method: string, log: Logger): ProtocolError {
  if (error instanceof ProtocolError) return error;
  if (error instanceof ToolError) {
    const report = safeValue(error.report());
    return new ProtocolError(ProtocolErrorCode.InvalidParams, textOf(report), report);
  }
  const reference = crypto.randomUUID();
  log.error("{method} failed: {error} ({reference})", { method, reference, error: errorStack(error) });
  return new ProtocolError(
    ProtocolErrorCode.InternalError,
    `mkt failed on this request; the server's log has details under ${reference}.`,
  );
}
