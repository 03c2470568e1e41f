// What the SDK gives for one request, as the dispatcher takes it.

import type { ServerContext } from "@modelcontextprotocol/server";
import type { CallScope } from "../../dispatch/call-context.ts";
import { exchangeOf } from "./http-exchange.ts";

/** The name of the client's token, `stdio`, or null over HTTP without a token. */
export function callerOf(context: ServerContext): string | null {
  const exchange = exchangeOf(context);
  return exchange === null ? "stdio" : exchange.caller;
}

export function scopeOf(context: ServerContext): CallScope {
  const exchange = exchangeOf(context);
  return {
    signal: context.mcpReq.signal,
    progress: progressOf(context),
    caller: callerOf(context),
    ...(exchange && { freeSlot: exchange.freeSlot }),
  };
}

/** Only a client that sent a progress token gets progress notifications. */
function progressOf(context: ServerContext): CallScope["progress"] {
  const progressToken = context.mcpReq._meta?.progressToken;
  return async ({ done, total, message }) => {
    if (progressToken === undefined) return;
    await context.mcpReq.notify({
      method: "notifications/progress",
      params: { progressToken, progress: done, total, message },
    });
  };
}
