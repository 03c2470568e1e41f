// Which entity a caller names, and whether the acting user may see or set what belongs to it (specification, Authentication).
//
// What a user may not see does not exist for that user. An id that no module has and the id of a module that the user may not
// see get the same `not_found`, in every tool; only the user's own entity and its users are ever suggested. `forbidden` is
// for an entity that the user sees, but not its positions and credit. A user may see those of their own entity, or of any with
// Scope.Global, and set those of their own. Ids of markets, products, contracts and engines are public. So are ids of orders
// and fills: the engine announces their removal to everyone (engine/api/visibility.ts).
//
// The engine enforces the same rules; checking them here refuses a request before it is sent.

import type { ToolContext } from "../../core/tools/context.ts";
import { ToolError } from "../../core/error.ts";
import { holdersOf, permissionHint } from "../../core/guardrails/requirements.ts";
import type { Permission } from "../../protocol/index.ts";
import { hasAllParties, unknownModule } from "./lookup.ts";
import { onlyMeaning, suggestedIds } from "./meaning.ts";

const OWN_ONLY = "A user can set credit and documents of their own entity only.";

type Acting = Pick<ToolContext, "pubsub" | "snapshot" | "advice">;

/**
 * The id of the entity that a read names, also in another form (meaning.ts). Throws ToolError `not_found`, and `forbidden` if
 * the session's user may not see what only that entity sees. The hint names users of the entity who hold `permission`.
 */
export function entityInScope(named: string, acting: Acting, permission: Permission = "Credit.View"): string {
  const entityId = onlyMeaning(acting.snapshot, "ENTITY", named) ?? named;
  const rule = () =>
    `seeing entity ${JSON.stringify(entityId)} needs the permission Scope.Global.${holdersOf("Scope.Global", acting)}`;
  checkScope(entityId, acting, { rule, permission, isGlobal: true });
  return entityId;
}

/** Throws ToolError `not_found`, and `forbidden` if the session's user may not set the credit or documents of `entityId`. */
export function checkOwnEntity(entityId: string, acting: Acting): void {
  const rule = () => "a user can set credit and documents of their own entity only.";
  checkScope(entityId, acting, { rule, permission: "Credit.Manage", isGlobal: false });
}

interface Scope {
  /** What the user may not do, as the end of a sentence. */
  readonly rule: () => string;
  readonly permission: Permission;
  /** Whether Scope.Global lets a user do it for every entity. */
  readonly isGlobal: boolean;
}

function checkScope(entityId: string, acting: Acting, { rule, permission, isGlobal }: Scope): void {
  const { session } = acting.pubsub;
  if (session === null || session.entityId === entityId) return;
  checkSeen(entityId, acting, isGlobal);
  if (isGlobal && session.capabilities.includes("Scope.Global")) return;
  const own = session.entityId === null ? "belongs to no entity" : `belongs to entity ${session.entityId}`;
  const holders = holdersOf(permission, acting, entityId).replace(" Held by", ` ${permission} for it:`);
  const otherUser =
    `a user of the other entity: mkt_disconnect_pubsub, then mkt_connect_pubsub with the userId.${holders}`;
  throw new ToolError(
    "forbidden",
    `User ${session.userId} ${own}; ${rule()}`,
    session.entityId === null ? `Act as ${otherUser}` : `Give entityId ${session.entityId}, or act as ${otherUser}`,
  );
}

/** Throws ToolError `not_found` unless the user sees the entity, or might: an engine may serve entities over HTTP only. */
function checkSeen(entityId: string, acting: Acting, isGlobal: boolean): void {
  const { snapshot, pubsub: { session } } = acting;
  if (snapshot.get("ENTITY", entityId) !== undefined) return;
  if (snapshot.find("CREDIT", { equals: { entityId }, limit: 1 }).total > 0) return;
  const seesAll = session?.capabilities.includes("Market.View") !== false;
  if (seesAll && !hasAllParties(snapshot)) return;
  const unknown = unknownModule("ENTITY", entityId, suggestedIds(snapshot, "ENTITY", entityId));
  if (session === null || hasAllParties(snapshot)) throw unknown;
  throw unseen(unknown, partOf(session.userId), isGlobal ? permissionHint("Scope.Global", acting) : OWN_ONLY);
}

/** What a user without Market.View sees of entities and users. */
export function partOf(userId: string): string {
  return `User ${userId} lacks the permission Market.View, and sees only the own entity and its users.`;
}

/** The error for a party that the user does not see: it says that there may be others. `part`: see partOf. */
export function unseen(error: ToolError, part: string, remedy: string): ToolError {
  const hint = `${error.hint} ${remedy}`;
  return new ToolError(error.code, `${error.message.replace(/\.$/, "")} that you can see. ${part}`, hint);
}
