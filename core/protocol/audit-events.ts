// The names of audit events that the built-in engine writes. Another engine may write further ones.

export const AUDIT_EVENTS = [
  "orderQueued",
  "orderModified",
  "orderCancelled",
  "orderFilled",
  "orderRejected",
  "orderExpired",
  "orderHeld",
  "orderReleased",
  "marketHalted",
  "marketResumed",
  "marketStatusChanged",
  "marketFlushed",
  "engineFlushed",
  "contractExpired",
  "deliveryEnded",
  "creditLimitSet",
  "documentationStatusSet",
  "developmentReset",
] as const;
export type AuditEventName = (typeof AUDIT_EVENTS)[number];
