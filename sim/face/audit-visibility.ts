// Which audit events a user with Market.View may read: all, but those about credit and documents only of the own entity,
// unless Scope.Global; the same rule as for live messages.

import type { AuditEvent } from "../../core/protocol/index.ts";
import type { EngineUser } from "../engine/execution.ts";

export function mayReadAudit(user: EngineUser, event: AuditEvent): boolean {
  if (event.moduleType !== "CREDIT" || user.permissions.has("Scope.Global")) return true;
  return user.entityId !== null && event.entityId === user.entityId;
}
