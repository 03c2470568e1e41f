// Whose credit and documents the acting user may see and set: those of the user's own entity, or of every entity with
// Scope.Global (specification, Authentication). The engine enforces the same; here it is refused before it is sent.

import type { ToolContext } from "./context.ts";
import { ToolError } from "./error.ts";

/** Throws ToolError `forbidden` where the session's user has no say over `entityId`. */
export function checkEntityScope(entityId: string, { pubsub }: Pick<ToolContext, "pubsub">): void {
  const session = pubsub.session;
  if (session === null || session.entityId === entityId || session.capabilities.includes("Scope.Global")) return;
  const own = session.entityId === null ? "belongs to no entity" : `belongs to entity ${session.entityId}`;
  throw new ToolError(
    "forbidden",
    `User ${session.userId} ${own}; entity ${JSON.stringify(entityId)} needs the permission Scope.Global.`,
    session.entityId === null
      ? "Connect as a user of that entity: mkt_disconnect_pubsub, then mkt_connect_pubsub with the userId."
      : `Ask for entityId ${session.entityId}, or connect as a user of the other entity.`,
  );
}
