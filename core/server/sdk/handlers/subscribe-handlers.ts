// resources/subscribe and resources/unsubscribe of clients before protocol 2026-07-28.

import { type McpServer, ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import type { PackRequests } from "../../../dispatch/pack-requests.ts";
import { loggedParameters } from "../../../guardrails/logged-parameters.ts";
import type { ResourceCatalogue } from "../../../resources/resource-catalogue.ts";
import type { Topic } from "../../../subscriptions/change-watch.ts";
import { unknownUri } from "../../../subscriptions/resource-topics.ts";
import type { Subscriptions } from "../../../subscriptions/subscriptions.ts";
import { scopeOf } from "../exchange/call-scope.ts";

interface SubscribeHandlers {
  readonly resources: ResourceCatalogue;
  readonly requests: PackRequests;
  readonly subscriptions: Subscriptions;
  /** What the connection follows. */
  readonly following: Following;
}

interface Following {
  /** Throws ToolError beyond a limit. */
  follow(topic: Topic): void;
  unfollow(key: string): void;
}

/** On a connection that lasts. */
export function serveSubscriptions({ server }: McpServer, options: SubscribeHandlers): void {
  const { resources, requests, subscriptions, following } = options;
  server.setRequestHandler("resources/subscribe", async ({ params: { uri } }, context) => {
    const found = resources.find(uri);
    const scope = scopeOf(context);
    if (found === null) {
      requests.recordUnknown("subscription", "resource", scope);
      throw unknownUri(uri);
    }
    const { resource, parameters } = found;
    const request = { kind: "subscription", name: resource.uri, arguments: loggedParameters(parameters) } as const;
    await requests.run(request, scope, () => following.follow(subscriptions.topics.resource(uri)));
    return {};
  });
  server.setRequestHandler("resources/unsubscribe", ({ params: { uri } }) => {
    following.unfollow(uri);
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
