// Whose credit and documents the acting user may see and set (specification, Authentication): they may see those of their
// own entity, or of any entity with Scope.Global, and set those of their own entity. The engine enforces the same rules;
// checking them here refuses a request before it is sent.

import type { ToolContext } from "../../core/tools/context.ts";
import { ToolError } from "../../core/error.ts";
import { holdersOf } from "../../core/guardrails/requirements.ts";
import { didYouMean, suggestedIds } from "./meaning.ts";

type Acting = Pick<ToolContext, "pubsub" | "snapshot">;

/** Throws ToolError `forbidden` if the session's user may not see the credit of `entityId`. */
export function checkEntityScope(entityId: string, acting: Acting): void {
  if (acting.pubsub.session?.capabilities.includes("Scope.Global")) return;
  const rule = () =>
    `seeing entity ${JSON.stringify(entityId)} needs the permission Scope.Global.${holdersOf("Scope.Global", acting)}`;
  checkEntity(entityId, acting, rule, "Credit.View");
}

/** Throws ToolError `forbidden` if the session's user may not set the credit or documents of `entityId`. */
export function checkOwnEntity(entityId: string, acting: Acting): void {
  const rule = () => "a user can set credit and documents of their own entity only.";
  checkEntity(entityId, acting, rule, "Credit.Manage");
}

function checkEntity(entityId: string, acting: Acting, rule: () => string, permission: string): void {
  const { session } = acting.pubsub;
  if (session === null || session.entityId === entityId) return;
  const own = session.entityId === null ? "belongs to no entity" : `belongs to entity ${session.entityId}`;
  const meant = acting.snapshot.count("ENTITY") > 0 && acting.snapshot.get("ENTITY", entityId) === undefined
    ? ` There is no entity ${JSON.stringify(entityId)}. ${
      didYouMean(suggestedIds(acting.snapshot, "ENTITY", entityId))
    }`
      .trimEnd()
    : "";
  const holders = holdersOf(permission, acting, entityId).replace(" Held by", ` ${permission} for it:`);
  const other =
    `act as a user of the other entity: mkt_disconnect_pubsub, then mkt_connect_pubsub with the userId.${holders}`;
  throw new ToolError(
    "forbidden",
    `User ${session.userId} ${own}; ${rule()}${meant}`,
    session.entityId === null
      ? `${other.charAt(0).toUpperCase()}${other.slice(1)}`
      : `Give entityId ${session.entityId}, or ${other}`,
  );
}
