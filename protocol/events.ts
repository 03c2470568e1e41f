// The events that an engine numbers and publishes. An event type is `verb.noun`; the noun gives the category.
//
// A fact is sent once: an event whose data is a module, and change.book, replace the state message of their module
// (client/module-reduction.ts).

import { z } from "zod";
import {
  BOOK_DEPTH,
  bookLevel,
  CREDIT_LIMIT_SCOPES,
  CREDIT_LIMIT_TYPES,
  DOCUMENTATION_STATUSES,
  MARKET_STATUSES,
  moduleSchema,
  type ModuleType,
} from "./modules/registry.ts";
import { id } from "./actions.ts";
import { CLOCK_MODES } from "./clock.ts";
import { BUY, SELL } from "./sides.ts";

export const EVENT_CATEGORIES = ["order", "fill", "pricing", "market", "credit", "system", "other"] as const;
export type EventCategory = (typeof EVENT_CATEGORIES)[number];

type Noun = EventType extends `${string}.${infer Name}` ? Name : never;

/** The compiler asks for the noun of every declared event. */
const CATEGORY_OF_NOUN: Readonly<Record<Noun, EventCategory> & Record<string, EventCategory>> = {
  order: "order",
  fill: "fill",
  trade: "fill",
  price: "pricing",
  book: "pricing",
  spot: "pricing",
  market: "market",
  session: "market",
  contract: "market",
  credit: "credit",
  documentation: "credit",
  system: "system",
  user: "system",
  connection: "system",
  clock: "system",
};

/** The category of an event type, by the noun after its last dot; `other` for an unknown noun. */
export function categoryOf(type: string): EventCategory {
  const noun = type.slice(type.lastIndexOf(".") + 1);
  return Object.hasOwn(CATEGORY_OF_NOUN, noun) ? CATEGORY_OF_NOUN[noun]! : "other";
}

const order = moduleSchema("ORDER");
const location = { contractId: id, productCode: z.string(), engineId: id };

const rejectedOrder = z.looseObject({
  ...location,
  clientOrderId: id,
  entityId: id,
  userId: id,
  side: z.union([z.literal(BUY), z.literal(SELL)]),
  price: z.number(),
  quantity: z.number(),
  code: z.string().describe("Reason, for programs"),
  message: z.string().describe("Reason, for people"),
});

const marketChange = z.looseObject({
  marketId: id,
  status: z.enum(MARKET_STATUSES),
  previousStatus: z.enum(MARKET_STATUSES),
  reason: z.string().nullable(),
  userId: id.nullable().describe("The operator; null for a change by the schedule"),
});

const creditTerms = {
  entityId: id,
  counterpartyId: id,
  limitType: z.enum(CREDIT_LIMIT_TYPES),
  scope: z.enum(CREDIT_LIMIT_SCOPES),
  contractId: id.nullable(),
  limit: z.number(),
  marginPercent: z.number(),
};

const changedLevels = z.array(bookLevel);

/** What a book has become; `time` of the event is the book's `lastUpdate`. */
const bookChange = z.looseObject({
  ...location,
  bids: changedLevels.describe(
    `Levels of the best ${BOOK_DEPTH} bids that have changed since the contract's last change.book, each as it is now; ` +
      `volume 0: the level has left the best ${BOOK_DEPTH}`,
  ),
  asks: changedLevels.describe("The same of the asks"),
  bestBid: z.number().nullable().describe("cents/MWh"),
  bestAsk: z.number().nullable().describe("cents/MWh"),
  lastPrice: z.number().nullable().describe("Price of the last trade, cents/MWh"),
  totalWorkingOrders: z.number().int().describe("Orders in the book"),
  heldOrders: z.number().int().describe("Orders waiting for release"),
  tradedQuantity: z.number().describe("Traded since the market began, MW"),
});

/** Payload schema of each event type that the built-in engine publishes. */
export const EVENTS = {
  "new.order": order,
  "change.order": order,
  "cancel.order": order,
  "expire.order": order,
  "hold.order": order,
  "release.order": order,
  "reject.order": rejectedOrder,
  "new.fill": moduleSchema("FILL"),
  "new.trade": moduleSchema("TRADE"),
  "change.book": bookChange,
  "change.spot": z.looseObject({
    node: z.string(),
    price: z.number().int().describe("cents/MWh"),
    regime: z.string(),
    time: z.iso.datetime(),
  }),
  "halt.market": marketChange,
  "resume.market": marketChange,
  "change.market": marketChange,
  "new.contract": moduleSchema("CONTRACT"),
  "change.contract": moduleSchema("CONTRACT"),
  "remove.contract": z.looseObject(location),
  "change.credit": z.looseObject({ ...creditTerms, userId: id }),
  "remove.credit": z.looseObject(creditTerms),
  "change.documentation": z.looseObject({
    entityId: id,
    counterpartyId: id,
    status: z.enum(DOCUMENTATION_STATUSES),
    notes: z.string().nullable(),
    userId: id,
  }),
  "change.clock": z.looseObject({
    mode: z.enum(CLOCK_MODES),
    speed: z.number().min(0).describe("Speed of market time from now on; 0 in lockstep"),
    engineTime: z.iso.datetime().describe(
      "Engine time, which is real; the event's `time` is market time at this moment",
    ),
    userId: id.nullable().describe("Null: the engine was started with this clock"),
  }),
  "change.user": z.looseObject({ userId: id, entityId: id.nullable(), connected: z.boolean() }),
} as const;

export type EventType = keyof typeof EVENTS;
export type EventData<Type extends EventType> = z.infer<(typeof EVENTS)[Type]>;

/** The module that the data of an event is, by event type. */
const MODULE_OF_EVENT: Readonly<Record<string, ModuleType>> & { readonly [Type in EventType]?: ModuleType } = {
  "new.order": "ORDER",
  "change.order": "ORDER",
  "cancel.order": "ORDER",
  "expire.order": "ORDER",
  "hold.order": "ORDER",
  "release.order": "ORDER",
  "new.fill": "FILL",
  "new.trade": "TRADE",
  "new.contract": "CONTRACT",
  "change.contract": "CONTRACT",
};

/** The type of the module that an event carries; undefined if its data is no module. */
export function carriedModule(type: string): ModuleType | undefined {
  return Object.hasOwn(MODULE_OF_EVENT, type) ? MODULE_OF_EVENT[type] : undefined;
}

/** Whether an event of the type says something about a module, so that no state message follows. */
export function replacesState(type: string): type is EventType {
  return type === "change.book" || carriedModule(type) !== undefined;
}
