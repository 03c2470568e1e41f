// Which audit events a user with Market.View may read: all, but those about credit only of the own entity and those
// about documents only where it is one of the pair, unless Scope.Global; the engine's rule for live messages too.

import type { AuditEvent } from "../protocol/index.ts";

export interface AuditViewer {
  readonly entityId: string | null;
  readonly permissions: ReadonlySet<string>;
}

export function mayReadAudit(viewer: AuditViewer, event: AuditEvent): boolean {
  if (event.moduleType !== "CREDIT" || viewer.permissions.has("Scope.Global")) return true;
  if (viewer.entityId === null) return false;
  const concernsPair = event.event === "documentationStatusSet";
  return event.entityId === viewer.entityId || (concernsPair && event.details["counterpartyId"] === viewer.entityId);
}
