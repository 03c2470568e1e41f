// The requests that a client may send over the WebSocket: for each action its payload, and the result of an `ok` response.
// Prices are integer cents/MWh and may be negative, quantities MW, notional limits dollars.

import { z } from "zod";
import { clockSetting, clockSpeed } from "./clock.ts";
import { MAX_ID_LENGTH, MAX_TEXT_LENGTH } from "./limits.ts";
import {
  CREDIT_LIMIT_SCOPES,
  CREDIT_LIMIT_TYPES,
  DOCUMENTATION_STATUSES,
  MARKET_STATUSES,
  moduleSchema,
} from "./modules/registry.ts";
import type { Permission } from "./permissions.ts";
import { BUY, SELL } from "./sides.ts";

/** Ids are opaque strings. */
export const id = z.string().min(1).max(MAX_ID_LENGTH);
export const text = z.string().max(MAX_TEXT_LENGTH);
const priceCents = z.number().int().min(-1_000_000_000).max(1_000_000_000);
const quantityMw = z.number().positive().max(1_000_000);

const upperBound = z.number().min(0).max(1e15);

/** Upper bounds on one order and its user. The engine refuses an order that would exceed one. Absent: no bound. */
export const orderBounds = z.object({
  maxQuantity: upperBound.optional().describe("MW ordered"),
  maxNotional: upperBound.optional().describe(
    "Dollars: the order's trades at their prices plus its remaining quantity at its limit price; kept with the order",
  ),
  maxOpenOrders: z.number().int().min(0).max(1_000_000_000).optional().describe("Open orders of the order's user"),
  maxOpenNotional: upperBound.optional().describe("Dollars: open orders of the order's user, at their limit prices"),
  maxNetPosition: upperBound.optional().describe(
    "MW: net position of the order's user in the contract if all open orders of the order's side were filled",
  ),
});
export type OrderBounds = z.output<typeof orderBounds>;

const confirmedOrder = z.looseObject({ order: moduleSchema("ORDER") });
const marketOutcome = z.looseObject({ marketId: id, marketStatus: z.enum(MARKET_STATUSES) });

const submitOrder = z.object({
  contractId: id,
  side: z.union([z.literal(BUY), z.literal(SELL)]).describe("0 buy, 1 sell"),
  price: priceCents.describe("cents/MWh"),
  quantity: quantityMw.describe("MW, a multiple of the contract's lot"),
  timeInForce: z.enum(["day", "gtc"]).default("gtc"),
  clientOrderId: id.optional().describe("The operationId if absent"),
  bounds: orderBounds.optional(),
});

const creditLimitPayload = z.object({
  entityId: id.describe("Entity that grants the credit; must be the user's own"),
  counterpartyId: id,
  limitType: z.enum(CREDIT_LIMIT_TYPES),
  scope: z.enum(CREDIT_LIMIT_SCOPES),
  contractId: id.optional().describe("Required if scope is per_contract"),
  limit: z.number().min(0).max(1e12).describe("Dollars, MW or MWh, depending on limitType"),
  marginPercent: z.number().min(0).max(100).default(100).describe("0 to 100"),
});

const documentationPayload = z.object({
  entityId: id,
  counterpartyId: id,
  status: z.enum(DOCUMENTATION_STATUSES),
  notes: text.optional(),
});

const marketPayload = z.object({
  marketId: id.optional().describe("The first market if absent"),
  reason: text.optional(),
});
const clockOutcome = z.looseObject({
  clock: clockSetting,
  marketTime: z.iso.datetime().describe("Market time after the command"),
});
const previewField = z.boolean().default(false).describe("Count only, cancel nothing");

/** Regimes of a spot price: its usual course, a price spike, a price drop. */
export const SPOT_REGIMES = ["base", "spike", "drop"] as const;

export interface ActionDeclaration {
  /** The sender must hold one of them. */
  readonly permissions: readonly Permission[];
  /** A further condition on the sender, in words. */
  readonly condition?: string;
  readonly payload: z.ZodObject;
  readonly result: z.ZodObject;
}

/** Every action: who may send it, its payload, and the result of a response that says `ok`. */
export const ACTIONS = {
  "order.submit": {
    permissions: ["Order.Submit"],
    condition: "the user must have an entity",
    payload: submitOrder,
    result: confirmedOrder,
  },
  "order.modify": {
    permissions: ["Order.Submit"],
    condition: "own entity only",
    payload: z.object({
      orderId: id,
      price: priceCents.optional(),
      quantity: quantityMw.optional(),
      bounds: orderBounds.optional(),
    }),
    result: confirmedOrder,
  },
  "order.cancel": {
    permissions: ["Order.Submit", "Market.Operate"],
    condition: "own entity only without Market.Operate",
    payload: z.object({ orderId: id }),
    result: confirmedOrder,
  },
  "market.halt": { permissions: ["Market.Operate"], payload: marketPayload, result: marketOutcome },
  "market.resume": { permissions: ["Market.Operate"], payload: marketPayload, result: marketOutcome },
  "credit.setLimit": {
    permissions: ["Credit.Manage"],
    condition: "own entity only",
    payload: creditLimitPayload,
    result: z.looseObject({ credit: moduleSchema("CREDIT") }),
  },
  "credit.setDocumentation": {
    permissions: ["Credit.Manage"],
    condition: "own entity only",
    payload: documentationPayload,
    result: z.looseObject({ credit: moduleSchema("CREDIT") }),
  },
  "engine.flush": {
    permissions: ["Market.Operate"],
    payload: z.object({ engineId: id, preview: previewField }),
    result: z.looseObject({ engineId: id, contractId: id, ordersAffected: z.number().int().min(0) }),
  },
  "market.flush": {
    permissions: ["Market.Operate"],
    payload: z.object({ preview: previewField }),
    result: z.looseObject({ ordersAffected: z.number().int().min(0) }),
  },
  "dev.reset": {
    permissions: [],
    condition: "the secret is required",
    payload: z.object({
      secret: z.string().describe("The engine's own STRESS_TEST_SECRET"),
      creditLimit: z.number().min(0).max(1e12).describe("Dollars, notional, for every ordered pair of entities"),
      skipCredit: z.boolean().default(false),
      skipDocs: z.boolean().default(false),
    }),
    result: z.looseObject({
      summary: z.object({
        entities: z.number().int(),
        pairs: z.number().int().describe("Ordered pairs of entities"),
        creditUpdates: z.number().int(),
        docsUpdates: z.number().int(),
      }).describe("entities, pairs, creditUpdates, docsUpdates"),
      errors: z.array(z.string()),
    }),
  },
  "clock.set": {
    permissions: ["Market.Operate", "Spot.Publish"],
    condition: "not in lockstep",
    payload: z.object({ speed: clockSpeed.describe("Speed of market time relative to real time, 0.1 to 1000") }),
    result: clockOutcome,
  },
  "clock.advance": {
    permissions: ["Market.Operate", "Spot.Publish"],
    condition: "in lockstep only",
    payload: z.object({ to: z.iso.datetime().max(40).describe("Market time to move to, at most 31 days ahead") }),
    result: clockOutcome,
  },
  "spot.publish": {
    permissions: ["Spot.Publish"],
    payload: z.object({
      prices: z.array(z.object({
        node: id,
        price: z.number().int().describe("cents/MWh"),
        regime: z.enum(SPOT_REGIMES),
        time: z.iso.datetime().describe("Market time of the price"),
      })).min(1).max(1000).describe("1 to 1000 of node, price, regime, time"),
    }),
    result: z.looseObject({ published: z.number().int() }),
  },
} as const satisfies Record<string, ActionDeclaration>;

export type Action = keyof typeof ACTIONS;
export const ACTION_NAMES = Object.keys(ACTIONS) as [Action, ...Action[]];

/** The payload that a client sends; fields with a default may be absent. */
export type ActionRequest<Name extends Action> = z.input<(typeof ACTIONS)[Name]["payload"]>;
/** The payload after parsing, with defaults filled in. */
export type ActionPayload<Name extends Action> = z.output<(typeof ACTIONS)[Name]["payload"]>;
export type ActionResult<Name extends Action> = z.output<(typeof ACTIONS)[Name]["result"]>;
