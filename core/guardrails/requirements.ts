// Checks the requirements of a tool, a resource, a prompt or a route (`requires`).

import type { AnyModuleData } from "../../protocol/modules/registry.ts";
import type { Permission } from "../../protocol/index.ts";
import type { ToolContext } from "../tools/context.ts";
import { ToolError } from "../error.ts";
import type { Requirements } from "../tools/tool.ts";

/** What has requirements. */
export interface Requiring {
  readonly requires?: Requirements;
  readonly usesClient?: boolean;
}

/** The maximum number of users named in a message. */
const MAX_NAMED = 4;

/** Throws ToolError `not_connected` or `forbidden` if a requirement is not met. */
export function checkRequirements({ requires }: Requiring, context: ToolContext): void {
  if (requires === undefined) return;
  checkConnection(requires, context);
  checkPermissions(requires, context);
}

function checkConnection({ connection }: Requirements, { pubsub, advice }: ToolContext): void {
  if (connection === undefined || pubsub.status === "connected") return;
  if (pubsub.session === null) {
    throw new ToolError("not_connected", "There is no connection to the market.", advice.connectFirst);
  }
  if (connection === "write") {
    throw new ToolError(
      "not_connected",
      "The connection to the market was lost and is being restored; nothing was sent.",
      advice.waitForReconnect,
    );
  }
}

/** Passes without a session, because the permissions are unknown then. The engine checks them anyway. */
export function checkPermissions({ permissions = [], withoutPermission }: Requirements, context: ToolContext): void {
  const session = context.pubsub.session;
  if (session === null) return;
  const missing = permissions.find((permission) => !session.capabilities.includes(permission));
  if (missing === undefined) return;
  const hint = permissionHint(missing, context);
  throw new ToolError(
    "forbidden",
    `User ${session.userId} lacks the permission ${missing}.${holdersOf(missing, context)}`,
    withoutPermission === undefined ? hint : `${hint} ${withoutPermission}`,
  );
}

/** What a user who lacks a permission does next. */
export function permissionHint(permission: Permission, context: Pick<ToolContext, "snapshot" | "advice">): string {
  const connect = context.advice.connectWithPermission(permission);
  if (holdersOf(permission, context) !== "") return connect;
  // Without a connection the users are unknown here.
  if (context.snapshot.count("USER") === 0) return `${connect} The operator of the engine knows who does.`;
  return `You see no user who holds ${permission}: ask the operator of the engine to grant it, or which user to connect as.`;
}

/** A sentence that names users who hold a permission, with a space in front; empty if the snapshot knows none. */
export function holdersOf(permission: string, { snapshot }: Pick<ToolContext, "snapshot">, entityId?: string): string {
  const where = (user: AnyModuleData) => Array.isArray(user["permissions"]) && user["permissions"].includes(permission);
  const { total, modules } = snapshot.find("USER", { equals: { entityId }, where, limit: MAX_NAMED });
  if (total === 0) return "";
  const names = modules.map(({ id }) => id).join(", ");
  return ` Held by ${names}${total > modules.length ? ` and ${total - modules.length} more` : ""}.`;
}
