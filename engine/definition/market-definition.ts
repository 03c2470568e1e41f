// The initial state of a market: markets with their schedules, products, contracts, entities, users, credit and documents.
// `mkt engine --market FILE` reads it as JSON; built-in-market.ts has the default one.
//
// The schema checks each value. check-definition.ts checks references between parts, duplicates and sizes.

import { z } from "zod";
import { CREDIT_LIMIT_SCOPES, CREDIT_LIMIT_TYPES, DOCUMENTATION_STATUSES } from "../../protocol/modules/registry.ts";
import { permission } from "../../protocol/index.ts";
import { BUSINESSES } from "../market/business.ts";
import { PERIOD_KINDS } from "../market/listing-rule.ts";
import { WEEKDAYS } from "../market/session-schedule.ts";

const identifier = z.string().regex(
  /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/,
  "must be 1 to 100 letters, digits, dots, dashes and underscores, and start with a letter or digit",
);
const label = z.string().min(1).max(200);
const localTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, "must be a local time such as 08:30");

/** Sessions in local times of the market's time zone; less than 24 hours from preopen to close. */
const schedule = z.strictObject({
  days: z.array(z.enum(WEEKDAYS)).min(1).describe("Days on which the market opens"),
  preopen: localTime.describe("Orders are accepted and held from then on; on the day before if later than open"),
  open: localTime.describe("Orders are matched from then on; the same as preopen if the market has no preopen"),
  close: localTime.describe("Orders are refused from then on; on the next day if not later than open"),
});

const market = z.strictObject({
  id: identifier,
  code: identifier,
  name: label,
  timezone: z.string().describe("IANA time zone"),
  nodes: z.array(identifier).min(1),
  schedule: schedule.nullable().describe("null: the market trades around the clock"),
  keepDeliveredHours: z.number().int().min(0).max(8760).default(72)
    .describe("Hours that a contract, its orders and its trades are kept after its delivery has ended"),
});

const listing = z.strictObject({
  ahead: z.number().int().min(1).max(60)
    .describe("Number of periods listed after the current one; for type hour the number of days, at most 14"),
  at: localTime.default("00:00")
    .describe("Local time at which the next period is listed, on the first day of a period"),
  hours: z.enum(["base", "peak"]).default("base")
    .describe("Hours of delivery. peak: 06:00 to 22:00 on weekdays, for types week, month, quarter and year"),
});

const product = z.strictObject({
  id: identifier,
  marketId: identifier,
  code: identifier,
  name: label,
  type: z.enum(PERIOD_KINDS).describe("Delivery period of its contracts"),
  node: identifier,
  currency: z.string().length(3).default("USD"),
  lot: z.number().min(0.001).max(10_000).multipleOf(0.001).default(1).describe("MW"),
  tick: z.number().int().min(1).max(100_000).default(1).describe("cents/MWh"),
  minimumPrice: z.number().int().min(-1_000_000_000).default(-50_000).describe("cents/MWh"),
  maximumPrice: z.number().int().max(1_000_000_000).default(500_000).describe("cents/MWh"),
  listing: listing.optional().describe(
    "Lists contracts by a rule; without it the product has only those in `contracts`",
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

const entity = z.strictObject({
  id: identifier,
  code: identifier,
  name: label,
  business: z.enum(BUSINESSES).optional().describe(
    "What the company does: the simulator deals it only personas of that business; without it, personas of any",
  ),
  simulated: z.boolean().optional().describe(
    "false: the simulator deals it no personas, so it is free for people and agents; without it, it is simulated",
  ),
});

const user = z.strictObject({
  id: z.string().regex(/^[\x21-\x7e]{1,200}$/, "must be 1 to 200 printable ASCII characters without spaces"),
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
  $schema: z.string().optional().describe("For editors; ignored"),
  markets: z.array(market).min(1).describe("The first is the default market"),
  products: z.array(product).min(1),
  contracts: z.array(contract).default([]).describe(
    "Contracts that exist from the beginning, in addition to listed ones",
  ),
  entities: z.array(entity),
  users: z.array(user).min(1),
  credit: z.array(credit).default([]).describe("At most one entry for each entity and counterparty"),
  creditDefaults: z.strictObject({
    limits: z.array(limit),
    documentation: z.enum(DOCUMENTATION_STATUSES),
  }).optional().describe("For every ordered pair of entities that is not in `credit`"),
});

/** A parsed definition, with all defaults filled in. */
export type MarketDefinition = z.output<typeof marketDefinition>;
