// Checks the requirements of a tool (Tool.requires).

import type { ToolContext } from "../tools/context.ts";
import { ToolError } from "../error.ts";
import type { Tool, ToolRequirements } from "../tools/tool.ts";

/** Throws ToolError `not_connected` or `forbidden` if a requirement is not met. */
export function checkRequirements(tool: Tool, context: ToolContext): void {
  if (tool.requires === undefined) return;
  checkConnection(tool.requires, context);
  checkPermissions(tool.requires, context);
}

function checkConnection({ connection }: ToolRequirements, { pubsub, advice }: ToolContext): void {
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
export function checkPermissions(
  { permissions = [], withoutPermission }: ToolRequirements,
  { pubsub, advice }: ToolContext,
): void {
  const session = pubsub.session;
  if (session === null) return;
  const missing = permissions.find((permission) => !session.capabilities.includes(permission));
  if (missing === undefined) return;
  const hint = advice.connectWithPermission(missing);
  throw new ToolError(
    "forbidden",
    `User ${session.userId} lacks the permission ${missing}.`,
    withoutPermission === undefined ? hint : `${hint} ${withoutPermission}`,
  );
}
