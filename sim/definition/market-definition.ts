// What a market is made of when it begins: markets with their schedules, products, contracts, entities, users, credit
// and documents. `mkt engine --market FILE` reads one as JSON; built-in.ts makes the one that mkt brings along.
//
// The schema checks each value; references between parts, overlaps and sizes are checked in check-definition.ts.

import { z } from "zod";
import { CREDIT_LIMIT_SCOPES, CREDIT_LIMIT_TYPES, DOCUMENTATION_STATUSES } from "../../protocol/modules/registry.ts";
import { permission } from "../../protocol/index.ts";

const identifier = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/, "letters, digits, dot, dash and underscore");
const label = z.string().min(1).max(200);
const localTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, "a local time such as 08:30");

export const WEEKDAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;

/** Sessions in local times of the market's time zone; less than 24 hours from preopen to close. */
export const schedule = z.strictObject({
  days: z.array(z.enum(WEEKDAYS)).min(1).describe("On which the market opens"),
  preopen: localTime.describe("From then on orders are taken and held; on the day before if it is later than open"),
  open: localTime.describe("From then on orders are matched; the same as preopen for a market without a preopen"),
  close: localTime.describe("From then on orders are refused; on the next day if it is not later than open"),
});

const market = z.strictObject({
  id: identifier,
  code: identifier,
  name: label,
  timezone: z.string().describe("IANA time zone"),
  nodes: z.array(identifier).min(1),
  schedule: schedule.nullable().describe("null: it trades around the clock"),
  keepDeliveredHours: z.number().int().min(0).max(8760).default(72)
    .describe("How long a contract, its orders and its trades stay after its delivery has ended"),
});

/** What a product delivers: its contracts' periods, if it lists them by a rule. */
export const PRODUCT_TYPES = ["hour", "base", "peak", "weekend", "week", "month", "quarter", "year"] as const;

const listing = z.strictObject({
  ahead: z.number().int().min(1).max(60)
    .describe("How many periods after the current one are listed; for type hour: of how many days, at most 14"),
  at: localTime.default("00:00")
    .describe("Local time at which the next period is listed, on the first day of a period"),
  hours: z.enum(["base", "peak"]).default("base")
    .describe("Which hours deliver. peak: 06:00 to 22:00 on weekdays, for types week, month, quarter and year"),
});

const product = z.strictObject({
  id: identifier,
  marketId: identifier,
  code: identifier,
  name: label,
  type: z.enum(PRODUCT_TYPES).describe("Which periods its contracts deliver"),
  node: identifier,
  currency: z.string().length(3).default("USD"),
  lot: z.number().min(0.001).max(10_000).multipleOf(0.001).default(1).describe("MW"),
  tick: z.number().int().min(1).max(100_000).default(1).describe("cents/MWh"),
  minimumPrice: z.number().int().min(-1_000_000_000).default(-50_000).describe("cents/MWh"),
  maximumPrice: z.number().int().max(1_000_000_000).default(500_000).describe("cents/MWh"),
  listing: listing.optional().describe(
    "Lists contracts as time goes by; without it the product has only those of `contracts`",
  ),
});

const contract = z.strictObject({
  id: identifier,
  productId: identifier,
  code: identifier,
  name: label,
  deliveryStart: z.iso.datetime({ offset: true }),
  deliveryEnd: z.iso.datetime({ offset: true }),
  hours: z.number().positive().max(100_000).multipleOf(0.25).describe("Hours of delivery between start and end"),
});

const entity = z.strictObject({ id: identifier, code: identifier, name: label });

const user = z.strictObject({
  id: z.string().regex(/^[\x21-\x7e]{1,200}$/, "1 to 200 printable ASCII characters without spaces"),
  name: label,
  entityId: identifier.nullable(),
  permissions: z.array(permission),
});

const limit = z.strictObject({
  limitType: z.enum(CREDIT_LIMIT_TYPES),
  scope: z.enum(CREDIT_LIMIT_SCOPES),
  contractId: identifier.optional(),
  limit: z.number().min(0).max(1e12).describe("Dollars, MW or MWh"),
  marginPercent: z.number().min(0).max(100).default(100),
});

const credit = z.strictObject({
  entityId: identifier,
  counterpartyId: identifier,
  limits: z.array(limit).default([]),
  documentation: z.enum(DOCUMENTATION_STATUSES).default("no_docs"),
  notes: z.string().max(1000).optional(),
});

export const marketDefinition = z.strictObject({
  $schema: z.string().optional().describe("For editors; not read"),
  markets: z.array(market).min(1).describe("The first is the default market"),
  products: z.array(product).min(1),
  contracts: z.array(contract).default([]).describe(
    "Contracts that are there from the beginning, beside the listed ones",
  ),
  entities: z.array(entity),
  users: z.array(user).min(1),
  credit: z.array(credit).default([]).describe("One entry for an entity and a counterparty"),
  creditDefaults: z.strictObject({
    limits: z.array(limit),
    documentation: z.enum(DOCUMENTATION_STATUSES),
  }).optional().describe("For every ordered pair of entities that `credit` does not list"),
});

/** The parsed definition, every default filled in. */
export type MarketDefinition = z.output<typeof marketDefinition>;
export type Schedule = z.output<typeof schedule>;
