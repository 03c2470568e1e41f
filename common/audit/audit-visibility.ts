// Which audit events a user may read: one rule for each event name. The compiler requires a rule for a new name; an event
// with an unknown name is shown to nobody.
//
// An audit event must not reveal what live messages and modules hide. So a credit limit is visible to the entity that
// grants it, a documentation status to both entities of the pair, and a reset of all credit to holders of Scope.Global only.

import type { AuditEvent, AuditEventName, Permission } from "../../protocol/index.ts";

export interface AuditViewer {
  readonly entityId: string | null;
  readonly permissions: ReadonlySet<string>;
}

interface Rule {
  readonly permission: Permission;
  /** Entities whose users may read the event with Market.View only. */
  readonly entities: "none" | "own" | "both of the pair";
}

const MARKET: Rule = { permission: "Market.View", entities: "none" };

const RULES: { readonly [name in AuditEventName]: Rule } = {
  orderQueued: MARKET,
  orderModified: MARKET,
  orderCancelled: MARKET,
  orderFilled: MARKET,
  orderRejected: MARKET,
  orderExpired: MARKET,
  orderHeld: MARKET,
  orderReleased: MARKET,
  marketHalted: MARKET,
  marketResumed: MARKET,
  marketStatusChanged: MARKET,
  marketFlushed: MARKET,
  engineFlushed: MARKET,
  contractListed: MARKET,
  contractExpired: MARKET,
  deliveryEnded: MARKET,
  contractRemoved: MARKET,
  creditLimitSet: { permission: "Scope.Global", entities: "own" },
  creditLimitRemoved: { permission: "Scope.Global", entities: "own" },
  documentationStatusSet: { permission: "Scope.Global", entities: "both of the pair" },
  clockSet: MARKET,
  developmentReset: { permission: "Scope.Global", entities: "none" },
};

export function mayReadAudit({ entityId, permissions }: AuditViewer, event: AuditEvent): boolean {
  if (!permissions.has("Market.View") || !isRuled(event.event)) return false;
  const rule = RULES[event.event];
  if (permissions.has(rule.permission)) return true;
  if (rule.entities === "none" || entityId === null) return false;
  const concernsCounterparty = rule.entities === "both of the pair";
  return event.entityId === entityId || (concernsCounterparty && event.details["counterpartyId"] === entityId);
}

function isRuled(name: string): name is AuditEventName {
  return Object.hasOwn(RULES, name);
}
