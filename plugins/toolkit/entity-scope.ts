// Whose credit and documents the acting user may see and set (specification, Authentication): seeing takes the own
// entity, or Scope.Global; setting takes the own entity. The engine enforces the same; here it is refused before it is
// sent.

import type { ToolContext } from "../../core/tools/context.ts";
import { ToolError } from "../../core/error.ts";

type Acting = Pick<ToolContext, "pubsub">;

/** Throws ToolError `forbidden` where the session's user may not see the credit of `entityId`. */
export function checkEntityScope(entityId: string, { pubsub }: Acting): void {
  if (pubsub.session?.capabilities.includes("Scope.Global")) return;
  checkEntity(entityId, { pubsub }, `entity ${JSON.stringify(entityId)} needs the permission Scope.Global`);
}

/** Throws ToolError `forbidden` where the session's user may not set the credit or documents of `entityId`. */
export function checkOwnEntity(entityId: string, acting: Acting): void {
  checkEntity(entityId, acting, "credit and documents can be set for one's own entity only");
}

function checkEntity(entityId: string, { pubsub }: Acting, rule: string): void {
  const session = pubsub.session;
  if (session === null || session.entityId === entityId) return;
  const own = session.entityId === null ? "belongs to no entity" : `belongs to entity ${session.entityId}`;
  throw new ToolError(
    "forbidden",
    `User ${session.userId} ${own}; ${rule}.`,
    session.entityId === null
      ? "Connect as a user of that entity: mkt_disconnect_pubsub, then mkt_connect_pubsub with the userId."
      : `Give entityId ${session.entityId}, or connect as a user of the other entity.`,
  );
}
