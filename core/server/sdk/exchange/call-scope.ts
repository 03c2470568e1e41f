// What the SDK gives for one request, as the dispatcher takes it.

import type { ServerContext } from "@modelcontextprotocol/server";
import type { CallScope } from "../../../dispatch/call-context.ts";
import type { RequestOrigin } from "../../../dispatch/request-origin.ts";
import { exchangeOf } from "./http-exchange.ts";
import { ProgressNotifications } from "./progress-notifications.ts";

export function scopeOf(context: ServerContext): CallScope {
  const exchange = exchangeOf(context);
  const progress = progressOf(context);
  return {
    signal: context.mcpReq.signal,
    caller: exchange === null ? "stdio" : exchange.caller,
    origin: originOf(context),
    ...(progress && { progress: progress.report, endProgress: progress.end }),
    ...(exchange && { freeSlot: exchange.freeSlot }),
  };
}

function originOf({ mcpReq: { id, _meta: meta }, http }: ServerContext): RequestOrigin {
  return { transport: http === undefined ? "stdio" : "http", meta, headers: http?.req?.headers, id };
}

/** Undefined if the client sent no progress token. */
function progressOf({ mcpReq }: ServerContext): ProgressNotifications | undefined {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  return new ProgressNotifications({
    signal: mcpReq.signal,
    send: (step) => mcpReq.notify({ method: "notifications/progress", params: { progressToken, ...step } }),
  });
}
