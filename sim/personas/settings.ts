// The settings of a run's personas and of the events that happen in it: parts of an experiment. A description gives unit
// and range.

import { z } from "zod";
import { DAY_MS } from "../../protocol/time-units.ts";
import { EVENT_HOURS, EVENT_SIZE } from "../spot/spot-events.ts";
import { SPOT_EVENT_TYPES } from "../spot/spot-prices.ts";
import { strategyEntry, strategyNames } from "../strategies/known-strategies.ts";
import { MAX_LIFE_MS } from "./assignments.ts";

/** Checked when it is used, because strategies from files are added when the process starts. */
const strategy = z.string().superRefine((name, context) => checkStrategy(name, [], context));

/** `params`: the names that would be right, for the message. */
function checkStrategy(name: string, path: string[], context: z.RefinementCtx): void {
  if (strategyEntry(name) !== undefined) return;
  const names = strategyNames();
  context.addIssue({ code: "custom", path, params: { names, given: name }, message: `one of ${names.join(", ")}` });
}

const pace = z.strictObject({
  kind: z.enum(["exponential", "jittered"]).describe(
    "exponential: independent decisions. jittered: regular intervals, varied by up to a quarter",
  ),
  meanMs: z.number().min(1).max(DAY_MS).describe("Mean time between two decisions, ms; 1 to 86,400,000"),
});

const parentOrders = z.strictObject({
  intervalMs: z.number().min(1_000).max(1e9).describe(
    "Mean time between two parent orders of a persona, over the day, ms; 1,000 to 1,000,000,000",
  ),
  lifeMs: z.number().min(1_000).max(MAX_LIFE_MS).describe(
    `Mean life of a parent order, ms; 1,000 to ${MAX_LIFE_MS}, which no life exceeds`,
  ),
  need: z.number().min(0).max(1).describe(
    "Standard deviation of the private needs in limit prices, as a share of the price; 0 to 1",
  ),
  leastLots: z.int().min(1).max(10_000).describe("Smallest quantity, lots; 1 to 10,000"),
  mostLots: z.int().min(1).max(10_000).describe("Largest quantity, lots; 1 to 10,000"),
});

/** The parent orders of traders with assignments. */
export type ParentOrderSettings = z.output<typeof parentOrders>;

/** Settings for all personas of a run. */
export const tradingSettings = z.strictObject({
  pace: pace.describe("Time between two decisions of a persona, for strategies without an entry in `paces`"),
  paces: z.record(z.string(), pace).superRefine((paces, context) => {
    for (const name of Object.keys(paces)) checkStrategy(name, [name], context);
  }).describe("Time between two decisions, by strategy"),
  halfSpread: z.number().min(0.0001).max(1).describe(
    "Half the spread of market makers without inventory, as a share of the price, and the price scale of other " +
      "strategies; 0.0001 to 1",
  ),
  parentOrders: parentOrders.describe("What traders with assignments (zic, zip, gvwy, shvr, aa) are told to trade"),
  contractsPerProduct: z.int().min(1).max(1000).describe(
    "Number of deliveries traded of each product, nearest first; 1 to 1000",
  ),
});

export type TradingSettings = z.output<typeof tradingSettings>;

export const personaGroup = z.strictObject({
  strategy: strategy.describe(
    "How they trade: the name of a strategy; in a file also the path of a strategy file, relative to the file's folder",
  ),
  count: z.int().min(1).max(20_000).describe("Number of personas; 1 to 20,000"),
  entityId: z.string().optional().describe(
    "Entity of the whole group; absent: spread over all entities that may trade",
  ),
  asset: z.string().optional().describe(
    "Name of the plant, load or battery that it has and trades for; `count` is then 1; absent: as usual for the strategy",
  ),
  pace: pace.optional().describe("Time between two decisions; absent: as `trading` says"),
  lossLimit: z.number().positive().max(1e12).nullable().optional().describe(
    "Loss of one persona, dollars, at which it stops until the next local day; above 0 to 10^12; null: no limit; absent: " +
      "as usual for the strategy",
  ),
  parameters: z.record(z.string(), z.unknown()).optional().describe(
    "Parameters of the strategy; those that are absent have their defaults",
  ),
});

export type PersonaGroup = z.output<typeof personaGroup>;

export const scheduledSpotEvent = z.strictObject({
  type: z.enum(SPOT_EVENT_TYPES).describe("What happens"),
  afterHours: z.number().min(0).max(876_000).describe("When it begins, hours after the start; 0 to 876,000"),
  node: z.union([z.string(), z.literal([1, 2])]).nullable().default(null).describe(
    "Id of the node it acts on, or 1 or 2 for the first or second node of the market; null: both",
  ),
  size: z.number().min(EVENT_SIZE.least).max(EVENT_SIZE.most).default(1).describe(
    `Expected size: 1 is a normal event of its kind; ${EVENT_SIZE.least} to ${EVENT_SIZE.most}`,
  ),
  durationHours: z.number().min(EVENT_HOURS.least).max(EVENT_HOURS.most).default(6).describe(
    `How long it is expected to last, hours; ${EVENT_HOURS.least} to ${EVENT_HOURS.most}`,
  ),
  aheadHours: z.number().min(0).max(876_000).default(0).describe(
    "How long before its beginning the market learns of it, hours; 0: it comes as a surprise; 0 to 876,000",
  ),
  falseAlarmChance: z.number().min(0).max(1).default(0).describe(
    "Chance that it turns out to be a false alarm half an hour later, which the market takes into account; 0 to 1",
  ),
});

export type ScheduledSpotEvent = z.output<typeof scheduledSpotEvent>;
