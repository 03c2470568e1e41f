// The HTTP API of a backend: administration, audit and health. `X-Mkt-User` names the acting user, whose permissions the
// engine checks. `Authorization: Bearer` carries MKT_BEARER_TOKEN if the engine asks for a token.

import { z } from "zod";
import { clockSetting } from "./clock.ts";
import {
  CREDIT_LIMIT_SCOPES,
  CREDIT_LIMIT_TYPES,
  DOCUMENTATION_STATUSES,
  MARKET_STATUSES,
  moduleSchema,
} from "./modules/registry.ts";

export const ACTING_USER_HEADER = "X-Mkt-User";

export const PATHS = {
  health: "/health",
  metrics: "/metrics",
  webSocket: "/ws",
  entities: "/api/admin/entities",
  positions: (entityId: string) => `/api/admin/entities/${encodeURIComponent(entityId)}/positions`,
  users: "/api/admin/users",
  audit: "/api/admin/audit",
  orderEvents: (orderId: string) => `/api/admin/orders/${encodeURIComponent(orderId)}/events`,
  backup: "/api/admin/backup",
  acceptClock: "/api/admin/clock/accept",
  orderBlocks: (orderId: string) => `/api/admin/orders/${encodeURIComponent(orderId)}/blocks`,
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
const searchedRange = z.object({ from: z.iso.date(), to: z.iso.date() });

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

/** Why an order does not trade with orders that it crosses. `entity` is the order's entity. */
const BLOCK_REASONS = [
  "market_halted",
  "market_preopen",
  "market_closed",
  "self_trade",
  "entity_documents",
  "counterparty_documents",
  "entity_no_limit",
  "entity_limit",
  "counterparty_no_limit",
  "counterparty_limit",
  "documents_or_credit",
] as const;
export type BlockReason = (typeof BLOCK_REASONS)[number];

/** Fields of documents and limits are absent if the reason is another one, or if the user may not see them. */
const orderBlock = z.object({
  counterpartyId: z.string().nullable().describe(
    "Owner of the crossed orders; null for a market status, or if not visible",
  ),
  reason: z.enum(BLOCK_REASONS).or(z.string()).describe("Another engine may have more reasons"),
  quantity: z.number().describe("MW of the crossed orders that this reason keeps from trading"),
  contractId: z.string(),
  price: z.number().int().describe("Best price of these orders, cents/MWh"),
  documentation: z.enum(DOCUMENTATION_STATUSES).optional().describe("Status that keeps the two from trading"),
  limitType: z.enum(CREDIT_LIMIT_TYPES).optional(),
  scope: z.enum(CREDIT_LIMIT_SCOPES).optional(),
  limit: z.number().optional().describe("In unit, as used, available and needed"),
  used: z.number().optional(),
  available: z.number().optional(),
  needed: z.number().optional().describe("What a trade of one lot would use of the limit"),
  unit: z.string().optional().describe("dollars, MW or MWh"),
});
export type OrderBlock = z.infer<typeof orderBlock>;

export const orderBlocksResponse = z.object({
  orderId: z.string(),
  contractId: z.string(),
  marketStatus: z.enum(MARKET_STATUSES),
  blockedBy: z.array(orderBlock).describe("Market status first, then by the best price of each counterparty"),
  moreCounterparties: z.number().int().min(0).describe("Counterparties that blockedBy leaves out"),
  complete: z.boolean().describe("False if the order may cross more orders than were examined"),
});
export type OrderBlocks = z.infer<typeof orderBlocksResponse>;

export const healthResponse = z.looseObject({
  status: z.literal("ok"),
  engineId: z.string(),
  time: z.iso.datetime().optional().describe("Engine time, which is real"),
  marketTime: z.iso.datetime().optional().describe("Market time; absent: engine time"),
  clock: clockSetting.optional(),
  refusal: z.looseObject({ code: z.string(), message: z.string() }).optional().describe(
    "Why changes are rejected now: storage_full, storage_missing, clock_jumped; absent: they are accepted",
  ),
  clockJumpSeconds: z.number().optional().describe(
    "By how much the clock of the engine's machine is ahead of engine time, while the engine does not follow it; negative: behind; 0 or absent: it follows",
  ),
  version: z.string().max(100).optional().describe(
    "Version of mkt, from mkt's own engine; another engine leaves it out",
  ),
});

/** From mkt's own engine: it follows its machine's clock again. */
export const acceptClockResponse = z.looseObject({
  clockJumpSeconds: z.number().describe("By how much the clock was ahead of engine time; negative: behind"),
  time: z.iso.datetime().describe("Engine time, which follows the clock again"),
  marketTime: z.iso.datetime(),
});

export const errorResponse = z.object({ error: z.object({ code: z.string(), message: z.string() }) });
