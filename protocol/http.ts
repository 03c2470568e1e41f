// The HTTP API of a backend: administration, audit and health. `X-Mkt-User` names the acting user, whose permissions the
// engine checks. `Authorization: Bearer` carries MKT_BEARER_TOKEN if the engine asks for a token.

import { z } from "zod";
import { moduleSchema } from "./modules/registry.ts";

export const ACTING_USER_HEADER = "X-Mkt-User";

export const PATHS = {
  health: "/health",
  webSocket: "/ws",
  entities: "/api/admin/entities",
  users: "/api/admin/users",
  audit: "/api/admin/audit",
  orderEvents: (orderId: string) => `/api/admin/orders/${encodeURIComponent(orderId)}/events`,
} as const;

export const entitiesResponse = z.object({ entities: z.array(moduleSchema("ENTITY")) });
export const usersResponse = z.object({ users: z.array(moduleSchema("USER")) });

export const auditEvent = z.looseObject({
  id: z.string().describe("Grows with time; unique in the store"),
  time: z.iso.datetime(),
  event: z.string().describe("For example orderQueued, orderCancelled, marketHalted"),
  moduleType: z.string(),
  moduleId: z.string(),
  userId: z.string().nullable().describe("User who caused it; null for the schedule"),
  entityId: z.string().nullable(),
  orderId: z.string().nullable().describe(
    "Order it is about, if any; refused:USERID:CLIENTORDERID for a refused order",
  ),
  details: z.record(z.string(), z.unknown()),
});
export type AuditEvent = z.infer<typeof auditEvent>;

/** From one UTC day to another, both included. */
export const searchedRange = z.object({ from: z.iso.date(), to: z.iso.date() });

export const auditResponse = z.object({
  events: z.array(auditEvent).describe("Newest first"),
  hasMore: z.boolean(),
  cursor: z.string().nullable().describe("Gets the next page; null at the end"),
  range: searchedRange,
});
export type AuditPage = z.infer<typeof auditResponse>;

export const auditRequest = z.object({
  moduleType: z.string().optional(),
  moduleId: z.string().optional(),
  event: z.string().optional(),
  search: z.string().optional().describe("Text in the details and ids, ignoring case"),
  from: z.iso.date().describe("First UTC day"),
  to: z.iso.date().describe("Last UTC day, included"),
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z.string().optional(),
});
export type AuditQuery = z.output<typeof auditRequest>;

export const orderEventsRequest = z.object({
  date: z.iso.date().optional().describe("One UTC day; if absent the last seven, today included"),
  limit: z.coerce.number().int().min(1).max(1000).default(1000),
  cursor: z.string().optional(),
});
export type OrderEventsQuery = z.output<typeof orderEventsRequest>;

export const healthResponse = z.looseObject({ status: z.literal("ok"), engineId: z.string() });

export const errorResponse = z.object({ error: z.object({ code: z.string(), message: z.string() }) });
