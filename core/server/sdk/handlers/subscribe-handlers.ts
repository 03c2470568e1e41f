// resources/subscribe and resources/unsubscribe of clients before protocol 2026-07-28.

import { type McpServer, ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import type { Offers } from "../../../dispatch/offers.ts";
import { loggedParameters } from "../../../guardrails/logged-parameters.ts";
import { unknownUri } from "../../../subscriptions/resource-topics.ts";
import { scopeOf } from "../exchange/call-scope.ts";

interface SubscribeHandlers extends Pick<Offers, "resources" | "requests"> {
  /** Throws ToolError beyond a limit, and if nobody may subscribe to this URI now. */
  readonly follow: (uri: string) => void;
  readonly unfollow: (uri: string) => void;
}

/** On a connection that lasts. */
export function serveSubscriptions({ server }: McpServer, handlers: SubscribeHandlers): void {
  const { resources, requests, follow, unfollow } = handlers;
  server.setRequestHandler("resources/subscribe", async ({ params: { uri } }, context) => {
    const found = resources.find(uri);
    const scope = scopeOf(context);
    if (found === null) {
      requests.recordUnknown("subscription", "resource", scope);
      throw unknownUri(uri);
    }
    const { resource, parameters } = found;
    const request = { kind: "subscription", name: resource.uri, arguments: loggedParameters(parameters) } as const;
    await requests.run(request, scope, () => follow(uri));
    return {};
  });
  server.setRequestHandler("resources/unsubscribe", ({ params: { uri } }) => {
    unfollow(uri);
    return {};
  });
}

/** Over HTTP: before protocol 2026-07-28, updates would need a session. */
export function refuseSubscriptions({ server }: McpServer): void {
  for (const method of ["resources/subscribe", "resources/unsubscribe"] as const) {
    server.setRequestHandler(method, () => {
      throw new ProtocolError(
        ProtocolErrorCode.MethodNotFound,
        "mkt keeps no sessions over HTTP, so it can't send updates to clients of this protocol revision. Use protocol " +
          "2026-07-28 (subscriptions/listen), or stdio.",
      );
    });
  }
}
