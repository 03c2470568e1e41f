// An experiment: everything that determines a simulation. `mkt simulate --experiment FILE` reads it as JSON; the presets
// are such files.
//
// Each part declares its own settings, with unit and range: sim/information, sim/personas, and the strategies their
// parameters. So a new setting has one place, its schema there, and a value in each preset, unless it has a default.
// read-experiment.ts fills in what a file leaves out; check-experiment.ts checks it against a market.

import { z } from "zod";
import { BUILT_IN_MARKET, TIGHT_CREDIT_MARKET } from "../../engine/definition/built-in-markets.ts";
import { DEFAULT_PRESET, SIMULATION_PRESETS } from "../../protocol/index.ts";
import { informationSettings } from "../information/settings.ts";
import { gridFrom } from "./grid.ts";
import { MAX_SEED, seedsFromText } from "./seeds.ts";
import { batterySettings, loadSettings, plantSettings } from "../personas/physical/asset-settings.ts";
import { personaGroup, scheduledSpotEvent, tradingSettings } from "../personas/settings.ts";

export const MAX_STEPS = 1_000_000_000;
export const MIN_HOURS = 0.01;
/** A century. */
export const MAX_HOURS = 876_000;
const MAX_PERSONAS_IN_ALL = 20_000;
export const DEFAULT_SEED = 1;
export const DEFAULT_STEPS = 100_000;

const YEARS = { least: 2000, most: 2099 } as const;

const seeds = z.string().superRefine((text, context) => {
  const list = seedsFromText(text);
  if (!list.ok) context.addIssue({ code: "custom", message: list.fault });
});

const vary = z.record(z.string(), z.array(z.unknown())).superRefine((grid, context) => {
  const read = gridFrom(grid);
  for (const message of read.ok ? [] : read.faults) context.addIssue({ code: "custom", message });
});

const instant = z.iso.datetime({ offset: true, abort: true, error: "is not a time with an offset" }).refine(
  (text) => new Date(text).getUTCFullYear() >= YEARS.least && new Date(text).getUTCFullYear() <= YEARS.most,
  `is not from ${YEARS.least} to ${YEARS.most}`,
);

export const experiment = z.strictObject({
  name: z.string().regex(/^[^\p{C}]{1,200}$/u, "is not a visible name").describe(
    "Name of the experiment, in reports and tapes; 1 to 200 visible characters",
  ),
  description: z.string().max(10_000).optional().describe("What it is for, for readers"),
  preset: z.null().default(null).describe("A complete experiment takes nothing from a preset"),
  market: z.string().min(1).default(BUILT_IN_MARKET).describe(
    `Market file, relative to the folder of the experiment's file; "${BUILT_IN_MARKET}": the built-in market; ` +
      `"${TIGHT_CREDIT_MARKET}": the same with tight credit limits`,
  ),
  start: instant.nullable().default(null).describe(
    "Market time of the start, such as 2026-07-01T00:00:00-05:00; from 2000 to 2099; null: the market's first day",
  ),
  hours: z.number().min(MIN_HOURS).max(MAX_HOURS).nullable().default(null).describe(
    "Length in hours of market time, instead of steps; 0.01 to 876,000",
  ),
  steps: z.int().min(1).max(MAX_STEPS).nullable().default(null).describe(
    "Length in wake-ups of personas, instead of hours; 1 to 1,000,000,000",
  ),
  seed: z.int().min(0).max(MAX_SEED).nullable().default(null).describe(
    `Seed of everything random; 0 to 4,294,967,295; null: ${DEFAULT_SEED}`,
  ),
  seeds: seeds.nullable().default(null).describe(
    "Seeds of a study, instead of a seed: one run for each, such as 1..20 or 1,5,9..12; null: a single run",
  ),
  vary: vary.nullable().default(null).describe(
    'Grid of a study: lists of values by path, such as { "trading.halfSpread": [0.01, 0.02] }; null: no grid',
  ),
  information: informationSettings.describe("What personas know"),
  trading: tradingSettings.describe("Settings for all personas"),
  personas: z.array(personaGroup).min(1).max(1000).refine(
    (groups) => groups.reduce((sum, { count }) => sum + count, 0) <= MAX_PERSONAS_IN_ALL,
    `more than ${MAX_PERSONAS_IN_ALL} personas in all`,
  ).describe("Who trades: groups of personas; 20,000 personas in all at most"),
  events: z.array(scheduledSpotEvent).max(1000).describe("Events that act on spot prices"),
  plants: z.array(plantSettings).max(100).optional().describe(
    "Plants of its own, which personas name as their `asset`",
  ),
  loads: z.array(loadSettings).max(100).optional().describe("Loads of its own, as plants"),
  batteries: z.array(batterySettings).max(100).optional().describe("Batteries of its own, as plants"),
});

/** With a value for each setting. */
export type Experiment = z.output<typeof experiment>;

/** The schema without any field that must be there, also in the objects in it. */
function partly<Schema extends z.ZodObject>(schema: Schema): z.ZodObject {
  const fields = Object.entries(schema.shape).map(([name, field]) => {
    if (!(field instanceof z.ZodObject)) return [name, field.optional()];
    const { description } = field;
    return [
      name,
      description === undefined ? partly(field).optional() : partly(field).describe(description).optional(),
    ];
  });
  return z.strictObject(Object.fromEntries(fields));
}

/** As a file may say it: what is absent comes from the preset. */
export const experimentFile = experiment.partial().extend({
  $schema: z.string().optional().describe("For editors; ignored"),
  name: experiment.shape.name,
  preset: z.enum(SIMULATION_PRESETS).nullable().default(DEFAULT_PRESET).describe(
    "Preset that gives what is absent; null: nothing may be absent",
  ),
  information: partly(informationSettings).optional().describe("What personas know"),
  trading: partly(tradingSettings).optional().describe("Settings for all personas"),
});
