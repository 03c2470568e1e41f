// Which audit events a user with Market.View may read: all, but those about credit only of the own entity and those
// about documents only where it is one of the pair, unless Scope.Global; the rule for live messages, in visibility.ts.

import type { AuditEvent } from "../../core/protocol/index.ts";
import type { EngineUser } from "../engine/execution.ts";

export function mayReadAudit(user: EngineUser, event: AuditEvent): boolean {
  if (event.moduleType !== "CREDIT" || user.permissions.has("Scope.Global")) return true;
  if (user.entityId === null) return false;
  const concernsPair = event.event === "documentationStatusSet";
  return event.entityId === user.entityId || (concernsPair && event.details["counterpartyId"] === user.entityId);
}
