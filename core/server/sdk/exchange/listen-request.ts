// A subscriptions/listen of protocol 2026-07-28, before the SDK reads it.

import { PROTOCOL_VERSION_META_KEY } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { Filter } from "../../../subscriptions/subscriptions.ts";

export const LISTEN = "subscriptions/listen";

export type ListenRequest = z.infer<typeof listenRequest>;

const listenRequest = z.looseObject({
  jsonrpc: z.literal("2.0"),
  id: z.union([z.string(), z.number()]),
  method: z.literal(LISTEN),
  params: z.looseObject({
    _meta: z.looseObject({ [PROTOCOL_VERSION_META_KEY]: z.string() }),
    notifications: z.looseObject({
      resourceSubscriptions: z.array(z.string()).exactOptional(),
      resourcesListChanged: z.boolean().exactOptional(),
    }),
  }),
});

/** Null if it is another message, or one that the SDK refuses. `message` is parsed JSON. */
export function listenRequestOf(message: unknown): ListenRequest | null {
  if (typeof message !== "object" || message === null || Reflect.get(message, "method") !== LISTEN) return null;
  return listenRequest.safeParse(message).data ?? null;
}

/** The same request for what is honoured only. What mkt never tells, such as changes of the list of tools, is left out. */
export function narrowed(request: ListenRequest, notifications: Filter): object {
  return { ...request, params: { ...request.params, notifications } };
}
