// Whose positions, credit and documents the acting user may see and set (specification, Authentication): a user may see
// those of their own entity, or of any entity with Scope.Global, and set those of their own entity. The engine enforces the
// same rules; checking them here refuses a request before it is sent.

import type { ToolContext } from "../../core/tools/context.ts";
import { ToolError } from "../../core/error.ts";
import { holdersOf } from "../../core/guardrails/requirements.ts";
import type { Permission } from "../../protocol/index.ts";
import { hasAllParties } from "./lookup.ts";
import { didYouMean, suggestedIds } from "./meaning.ts";

type Acting = Pick<ToolContext, "pubsub" | "snapshot">;

/**
 * Throws ToolError `forbidden` if the session's user may not see what only `entityId` sees. The hint names users of that
 * entity who hold `permission`.
 */
export function checkEntityScope(entityId: string, acting: Acting, permission: Permission = "Credit.View"): void {
  if (acting.pubsub.session?.capabilities.includes("Scope.Global")) return;
  const rule = () =>
    `seeing entity ${JSON.stringify(entityId)} needs the permission Scope.Global.${holdersOf("Scope.Global", acting)}`;
  checkEntity(entityId, acting, rule, permission);
}

/** Throws ToolError `forbidden` if the session's user may not set the credit or documents of `entityId`. */
export function checkOwnEntity(entityId: string, acting: Acting): void {
  const rule = () => "a user can set credit and documents of their own entity only.";
  checkEntity(entityId, acting, rule, "Credit.Manage");
}

function checkEntity(entityId: string, acting: Acting, rule: () => string, permission: Permission): void {
  const { session } = acting.pubsub;
  if (session === null || session.entityId === entityId) return;
  const own = session.entityId === null ? "belongs to no entity" : `belongs to entity ${session.entityId}`;
  const holders = holdersOf(permission, acting, entityId).replace(" Held by", ` ${permission} for it:`);
  const otherUser =
    `a user of the other entity: mkt_disconnect_pubsub, then mkt_connect_pubsub with the userId.${holders}`;
  throw new ToolError(
    "forbidden",
    `User ${session.userId} ${own}; ${rule()}${unknownEntity(entityId, acting)}`,
    session.entityId === null ? `Act as ${otherUser}` : `Give entityId ${session.entityId}, or act as ${otherUser}`,
  );
}

/** Says what was probably meant by an id that no entity has, with a space in front; empty if the entity may exist. */
function unknownEntity(entityId: string, { snapshot }: Acting): string {
  if (!hasAllParties(snapshot) || snapshot.get("ENTITY", entityId) !== undefined) return "";
  const meant = didYouMean(suggestedIds(snapshot, "ENTITY", entityId));
  return ` There is no entity ${JSON.stringify(entityId)}. ${meant}`.trimEnd();
}
