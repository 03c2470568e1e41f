// Whose credit and documents the acting user may see and set (specification, Authentication): they may see those of their
// own entity, or of any entity with Scope.Global, and set those of their own entity. The engine enforces the same rules;
// checking them here refuses a request before it is sent.

import type { ToolContext } from "../../core/tools/context.ts";
import { ToolError } from "../../core/error.ts";

type Acting = Pick<ToolContext, "pubsub">;

/** Throws ToolError `forbidden` if the session's user may not see the credit of `entityId`. */
export function checkEntityScope(entityId: string, { pubsub }: Acting): void {
  if (pubsub.session?.capabilities.includes("Scope.Global")) return;
  checkEntity(entityId, { pubsub }, `seeing entity ${JSON.stringify(entityId)} needs the permission Scope.Global`);
}

/** Throws ToolError `forbidden` if the session's user may not set the credit or documents of `entityId`. */
export function checkOwnEntity(entityId: string, acting: Acting): void {
  checkEntity(entityId, acting, "a user can set credit and documents of their own entity only");
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
