// The eleven module types of a market, declared once.
//
// A module is one data item of the backend. Its data is a flat object: `id` and the properties declared here. Names are unique
// across the two groups of properties. Types, filters, state messages of the protocol, and what users are told about modules
// derive from this file.

import { z } from "zod";
import { type Property, specs, state } from "./property.ts";

export const ORDER_STATUSES = ["working", "partial", "filled", "cancelled", "held"] as const;
export const MARKET_STATUSES = ["preopen", "open", "closed", "halted"] as const;
export const DOCUMENTATION_STATUSES = ["docs_in_place", "no_docs", "pending"] as const;
export const CREDIT_LIMIT_TYPES = ["notional", "mw", "mwh"] as const;
export const CREDIT_LIMIT_SCOPES = ["total", "per_contract"] as const;
export const CLOSE_REASONS = ["filled", "cancelled", "expired", "flushed", "disconnected", "limit_exceeded"] as const;

/** The unit of a limit, by its type. */
export const CREDIT_LIMIT_UNITS = { notional: "dollars", mw: "MW", mwh: "MWh" } as const;

export type OrderStatus = (typeof ORDER_STATUSES)[number];
export type MarketStatus = (typeof MARKET_STATUSES)[number];
export type DocumentationStatus = (typeof DOCUMENTATION_STATUSES)[number];
export type CreditLimitType = (typeof CREDIT_LIMIT_TYPES)[number];
export type CloseReason = (typeof CLOSE_REASONS)[number];

/** Levels of a side that a book shows, in its module and in change.book events. */
export const BOOK_DEPTH = 10;

/** One price level of a book: price in cents/MWh, volume in MW. */
export const bookLevel = z.looseObject({
  price: z.number().int().describe("cents/MWh"),
  volume: z.number().describe("Open quantity at this price, MW"),
  orderCount: z.number().int().describe("Orders at this price"),
});
export type BookLevel = z.infer<typeof bookLevel>;

/** One credit limit of an entity for a counterparty. */
const creditLimit = z.looseObject({
  limitType: z.enum(CREDIT_LIMIT_TYPES).describe("What is limited"),
  scope: z.enum(CREDIT_LIMIT_SCOPES).describe("All open trades, or those of one contract"),
  contractId: z.string().nullable().describe("The contract, if scope is per_contract"),
  limit: z.number().describe("Dollars for notional, MW for mw, MWh for mwh"),
  marginPercent: z.number().describe("Percent of face value that counts as used, for notional limits"),
  used: z.number().describe("Used by open trades, in the unit of limit"),
  available: z.number().describe("limit - used; negative if the limit was lowered below used"),
});
export type CreditLimit = z.infer<typeof creditLimit>;

const contractSpecification = z.looseObject({
  lot: z.number().describe("MW"),
  tick: z.number().int().describe("cents/MWh"),
  minimumPrice: z.number().int().describe("cents/MWh"),
  maximumPrice: z.number().int().describe("cents/MWh"),
});

export const MODULES = {
  MARKET: {
    parent: null,
    properties: {
      name: specs.string("Name of the market"),
      code: specs.string("Short code"),
      timezone: specs.string("IANA time zone of the session schedule"),
      nodes: specs.strings("Price nodes at which its contracts deliver"),
      status: state.oneOf(MARKET_STATUSES, "Session status; halted overrides the schedule"),
      halted: state.boolean("Whether an operator has halted it"),
      haltReason: state.nullableString("Reason given with the halt"),
      preopen: state.nullableTime("Start of preopen of the current or next session; null if it always trades"),
      open: state.nullableTime("Start of trading of the current or next session; null if it always trades"),
      close: state.nullableTime("End of the current or next session; null if it always trades"),
      currentTime: state.time("Market time when this state was sent"),
    },
  },
  PRODUCT: {
    parent: { type: "MARKET", foreignKey: "marketId" },
    properties: {
      marketId: specs.string("Market that lists it"),
      name: specs.string("Name"),
      code: specs.string("Product code"),
      type: specs.string("Kind of delivery: hour, base, peak, weekend, week, month, quarter, year"),
      node: specs.string("Price node of delivery"),
      currency: specs.string("ISO 4217 code"),
      contractSpecification: specs.object(contractSpecification, "Lot, tick and price range of its contracts"),
    },
  },
  CONTRACT: {
    parent: { type: "PRODUCT", foreignKey: "productId" },
    properties: {
      productId: specs.string("Product it belongs to"),
      productCode: specs.string("Code of that product"),
      marketId: specs.string("Market that lists it"),
      engineId: specs.string("Engine that matches it"),
      name: specs.string("Name"),
      code: specs.string("Contract code"),
      node: specs.string("Price node of delivery"),
      deliveryStart: specs.time("Start of delivery"),
      deliveryEnd: specs.time("End of delivery"),
      hours: specs.number("Hours of delivery between start and end", { unit: "hours" }),
      lot: specs.number("Quantities are multiples of it", { unit: "MW" }),
      tick: specs.number("Prices are multiples of it", { unit: "cents/MWh" }),
      minimumPrice: specs.number("Lowest price an order may have", { unit: "cents/MWh" }),
      maximumPrice: specs.number("Highest price an order may have", { unit: "cents/MWh" }),
      status: state.oneOf(["listed", "expired"], "expired once delivery has started"),
    },
  },
  ENGINE: {
    parent: { type: "CONTRACT", foreignKey: "contractId" },
    properties: {
      contractId: specs.string("Contract it matches"),
      productCode: specs.string("Code of the contract's product"),
      marketId: specs.string("Market it belongs to"),
      bids: state.arrayOf(bookLevel, "Ten best bid levels, best first"),
      asks: state.arrayOf(bookLevel, "Ten best ask levels, best first"),
      bestBid: state.nullableNumber("Best bid price", { unit: "cents/MWh" }),
      bestAsk: state.nullableNumber("Best ask price", { unit: "cents/MWh" }),
      lastPrice: state.nullableNumber("Price of the last trade", { unit: "cents/MWh" }),
      totalWorkingOrders: state.number("Orders in the book: working and partial"),
      heldOrders: state.number("Orders waiting for release"),
      tradedQuantity: state.number("Traded since the market began", { unit: "MW" }),
      lastUpdate: state.time("When the book last changed"),
    },
  },
  QUEUE: {
    parent: { type: "ENGINE", foreignKey: "engineId" },
    properties: {
      engineId: specs.string("Engine whose held orders wait here"),
      contractId: specs.string("Contract of that engine"),
      length: state.number("Number of held orders"),
      orderIds: state.strings("The first hundred held orders, in the order in which they will be released"),
      lastUpdate: state.time("When the queue last changed"),
    },
  },
  ORDER: {
    parent: { type: "ENGINE", foreignKey: "engineId" },
    properties: {
      clientOrderId: specs.string("The submitter's own id; the operationId if none was given"),
      engineId: specs.string("Engine that holds it"),
      contractId: specs.string("Contract it is for"),
      productCode: specs.string("Code of the contract's product"),
      marketId: specs.string("Market it is in"),
      entityId: specs.string("Entity it belongs to"),
      userId: specs.string("User who submitted it"),
      side: specs.side("0 buy, 1 sell"),
      timeInForce: specs.oneOf(["day", "gtc"], "day expires at the close; gtc stays until cancelled"),
      createdAt: specs.time("When the engine accepted it"),
      price: state.number("Limit price", { unit: "cents/MWh" }),
      quantity: state.number("Ordered quantity", { unit: "MW" }),
      filledQuantity: state.number("Filled so far", { unit: "MW" }),
      remainingQuantity: state.number("Still open; 0 once filled or cancelled", { unit: "MW" }),
      averagePrice: state.nullableNumber("Volume-weighted fill price", { unit: "cents/MWh" }),
      status: state.oneOf(ORDER_STATUSES, "Order status"),
      closeReason: state.nullableOneOf(CLOSE_REASONS, "Why it is filled or cancelled; null while it is open"),
      updatedAt: state.time("When it last changed"),
    },
  },
  FILL: {
    parent: { type: "ORDER", foreignKey: "orderId" },
    properties: {
      orderId: specs.string("Order that was filled"),
      tradeId: specs.string("Trade it is one side of"),
      engineId: specs.string("Engine that matched it"),
      contractId: specs.string("Contract traded"),
      productCode: specs.string("Code of the contract's product"),
      marketId: specs.string("Market it is in"),
      entityId: specs.string("Entity that was filled"),
      userId: specs.string("User of the order"),
      counterpartyId: specs.string("Entity on the other side"),
      side: specs.side("0 bought, 1 sold"),
      price: specs.number("Trade price", { unit: "cents/MWh" }),
      quantity: specs.number("Filled quantity", { unit: "MW" }),
      notional: specs.number("|price| x MWh", { unit: "dollars" }),
      liquidity: specs.oneOf(["resting", "aggressor"], "Whether the order rested in the book or crossed it"),
      time: specs.time("When it was matched"),
    },
  },
  TRADE: {
    parent: { type: "ENGINE", foreignKey: "engineId" },
    properties: {
      engineId: specs.string("Engine that matched it"),
      contractId: specs.string("Contract traded"),
      productCode: specs.string("Code of the contract's product"),
      marketId: specs.string("Market it is in"),
      buyOrderId: specs.string("Buy order"),
      sellOrderId: specs.string("Sell order"),
      buyEntityId: specs.string("Buying entity"),
      sellEntityId: specs.string("Selling entity"),
      aggressorSide: specs.side("Side of the order that crossed the book"),
      price: specs.number("Trade price, that of the resting order", { unit: "cents/MWh" }),
      quantity: specs.number("Traded quantity", { unit: "MW" }),
      energy: specs.number("quantity x hours of delivery", { unit: "MWh" }),
      notional: specs.number("|price| x energy", { unit: "dollars" }),
      time: specs.time("When it was matched"),
    },
  },
  ENTITY: {
    parent: null,
    properties: {
      name: specs.string("Name of the trading entity"),
      code: specs.string("Short code"),
      userIds: state.strings("Users of the entity"),
      creditStatus: state.oneOf(
        ["ok", "exhausted", "none"],
        "ok: its limits leave a lot of a listed contract for some counterparty; exhausted: limits, but none does; none: no limit",
      ),
    },
  },
  USER: {
    parent: { type: "ENTITY", foreignKey: "entityId" },
    properties: {
      name: specs.string("Name"),
      entityId: specs.nullableString("Entity the user trades for; null for a user who may not trade"),
      permissions: specs.strings("Permissions held"),
      connected: state.boolean("Whether a connection of the user is open"),
    },
  },
  CREDIT: {
    parent: { type: "ENTITY", foreignKey: "entityId" },
    properties: {
      entityId: specs.string("Entity that grants the credit"),
      counterpartyId: specs.string("Entity it is granted to"),
      limits: state.arrayOf(creditLimit, "Limits, with used and available credit"),
      usedNotional: state.number("Gross notional of open trades at face value", { unit: "dollars" }),
      usedMw: state.number("Gross quantity of open trades", { unit: "MW" }),
      usedMwh: state.number("Gross energy of open trades", { unit: "MWh" }),
      documentation: state.oneOf(DOCUMENTATION_STATUSES, "Status that the entity has set for the counterparty"),
      counterpartyDocumentation: state.oneOf(DOCUMENTATION_STATUSES, "Status that the counterparty has set in return"),
      tradable: state.boolean(
        "Whether documents and limits of both let the two trade at least one lot of a listed contract",
      ),
      notes: state.nullableString("Notes given with the documentation status"),
      updatedAt: state.time("When it last changed"),
    },
  },
} as const satisfies Record<string, ModuleDeclaration>;

interface ModuleDeclaration {
  /** The parent's module type, and the property that holds the parent's id; null for a root. */
  readonly parent: { readonly type: string; readonly foreignKey: string } | null;
  readonly properties: Readonly<Record<string, Property>>;
}

export type ModuleType = keyof typeof MODULES;
export const MODULE_TYPES = Object.keys(MODULES) as [ModuleType, ...ModuleType[]];

type Properties<Type extends ModuleType> = (typeof MODULES)[Type]["properties"];

/** The data of one module: `id` and its properties, flat. */
export type ModuleData<Type extends ModuleType> =
  & { id: string }
  & {
    -readonly [Name in keyof Properties<Type>]: Properties<Type>[Name] extends Property<infer Schema> ? z.infer<Schema>
      : never;
  };

/** Data of a module whose type is known only at run time. */
export type AnyModuleData = { id: string } & Record<string, unknown>;

export function isModuleType(value: string): value is ModuleType {
  return Object.hasOwn(MODULES, value);
}

export function moduleDeclaration(type: ModuleType): ModuleDeclaration {
  return MODULES[type];
}

/** The zod schema of a module's data. It allows further properties, which another engine may have. */
export function moduleSchema<Type extends ModuleType>(type: Type): z.ZodType<ModuleData<Type>> {
  const schema = moduleSchemas.get(type) ?? madeSchema(type);
  moduleSchemas.set(type, schema);
  return schema as unknown as z.ZodType<ModuleData<Type>>;
}

/** Each is made when it is first needed, because a short-lived process needs few. */
const moduleSchemas = new Map<ModuleType, z.ZodObject>();

function madeSchema(type: ModuleType): z.ZodObject {
  const shape: Record<string, z.ZodType> = { id: z.string().describe("Id of the module") };
  for (const [name, property] of Object.entries(moduleDeclaration(type).properties)) {
    shape[name] = describeProperty(property);
  }
  return z.looseObject(shape);
}

function describeProperty(property: Property): z.ZodType {
  return property.schema.describe(property.unit ? `${property.description}, ${property.unit}` : property.description);
}
