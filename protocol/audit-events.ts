// Names and module types of the audit events of the built-in engine. Another engine may write others as well.

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
  "clockSet",
] as const;
export type AuditEventName = (typeof AUDIT_EVENTS)[number];

/** SYSTEM stands for the engine as a whole. */
export const AUDIT_MODULE_TYPES = [...MODULE_TYPES, "SYSTEM"] as const;
