// The names of audit events that the built-in engine writes, and the types of what they are about. Another engine may
// write further ones.

import { MODULE_TYPES } from "./modules/registry.ts";

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
  "contractListed",
  "contractExpired",
  "deliveryEnded",
  "contractRemoved",
  "creditLimitSet",
  "creditLimitRemoved",
  "documentationStatusSet",
  "developmentReset",
] as const;
export type AuditEventName = (typeof AUDIT_EVENTS)[number];

/** SYSTEM: the engine as a whole. */
export const AUDIT_MODULE_TYPES = [...MODULE_TYPES, "SYSTEM"] as const;
