// Plants, loads and batteries of one's own: part of an experiment. A description gives unit and range.

import { z } from "zod";

const MAX_MW = 100_000;
/** A plant goes from its least to its full output in at most this many hours. */
const MOST_RAMP_HOURS = 24;

const named = {
  name: z.string().regex(
    /^[a-z][a-z0-9-]{0,31}$/,
    "must be lower case letters, digits and dashes, and begin with a letter",
  )
    .describe("Name, for `personas[].asset`; 1 to 32 characters"),
  node: z.string().describe("Id of the node where it is"),
};

function megawatts(description: string) {
  return z.number().min(0.001).max(MAX_MW).describe(`${description}, MW; 0.001 to ${MAX_MW}`);
}

export const plantSettings = z.strictObject({
  ...named,
  capacityMw: megawatts("Greatest output"),
  minimumMw: z.number().min(0).max(MAX_MW).default(0).describe(
    `Least output while it runs, MW; 0 to ${MAX_MW}, at most capacityMw`,
  ),
  rampMw: z.number().min(0.001).max(MAX_MW).nullable().default(null).describe(
    "Greatest change of output from one hour to the next, MW; at least a 24th of capacityMw less minimumMw; null: any",
  ),
  minimumRunHours: z.int().min(1).max(48).default(1).describe(
    "Hours for which it runs at least, once started; 1 to 48",
  ),
  startCost: z.number().min(0).max(10_000_000).default(0).describe("Cost of a start, dollars; 0 to 10,000,000"),
  heatRate: z.number().min(0).max(50).default(0).describe("Fuel, MMBtu/MWh; 0 to 50; 0: fuel does not matter"),
  fuelPrice: z.number().min(0).max(100_000).default(300).describe(
    "Normal price of fuel, which fuel shocks change, cents/MMBtu; 0 to 100,000",
  ),
  cost: z.number().min(0).max(500_000).default(0).describe("Cost of a MWh besides fuel, cents/MWh; 0 to 500,000"),
}).superRefine(({ capacityMw, minimumMw, rampMw }, context) => {
  if (minimumMw > capacityMw) {
    context.addIssue({ code: "custom", path: ["minimumMw"], message: `is above capacityMw, ${capacityMw}` });
  } else if (rampMw !== null && rampMw * MOST_RAMP_HOURS < capacityMw - minimumMw) {
    const least = (capacityMw - minimumMw) / MOST_RAMP_HOURS;
    context.addIssue({ code: "custom", path: ["rampMw"], message: `must be at least ${Number(least.toFixed(3))}` });
  }
});

export const loadSettings = z.strictObject({
  ...named,
  loadMw: megawatts("Mean over the hours of a weekday"),
  tariff: z.int().min(-100_000).max(1_000_000).default(4_000).describe(
    "What its customers pay, cents/MWh; -100,000 to 1,000,000",
  ),
  profile: z.array(z.number().min(0).max(1_000)).length(24).refine(
    (shares) => shares.some((share) => share > 0),
    "needs a number above 0",
  ).optional().describe(
    "24 numbers in proportion to the load of each local hour from midnight, 0 to 1,000; absent: that of a retailer",
  ),
  weekend: z.number().min(0).max(10).default(0.9).describe("Load at weekends, as a share of that on weekdays; 0 to 10"),
});

export const batterySettings = z.strictObject({
  ...named,
  powerMw: megawatts("Greatest charge and discharge"),
  capacityMwh: z.number().min(0.001).max(10 * MAX_MW).describe("Energy that it stores, MWh; 0.001 to 1,000,000"),
  efficiency: z.number().min(0.3).max(1).default(0.85).describe(
    "Energy discharged for each MWh charged, MWh; 0.3 to 1",
  ),
  cost: z.number().min(0).max(500_000).default(0).describe("Wear of a MWh discharged, cents/MWh; 0 to 500,000"),
  storedMwh: z.number().min(0).default(0).describe("Energy stored at the start, MWh; 0 to capacityMwh"),
}).superRefine(({ powerMw, capacityMwh, storedMwh }, context) => {
  if (storedMwh > capacityMwh) {
    context.addIssue({ code: "custom", path: ["storedMwh"], message: `is above capacityMwh, ${capacityMwh}` });
  }
  if (capacityMwh > MOST_RAMP_HOURS * powerMw) {
    const message = `is more than ${MOST_RAMP_HOURS} hours of powerMw, ${powerMw}`;
    context.addIssue({ code: "custom", path: ["capacityMwh"], message });
  }
});

export type PlantSettings = z.output<typeof plantSettings>;
export type LoadSettings = z.output<typeof loadSettings>;
export type BatterySettings = z.output<typeof batterySettings>;

/** What an experiment says of assets; absent: there are none. */
export interface AssetSettings {
  readonly plants?: readonly PlantSettings[] | undefined;
  readonly loads?: readonly LoadSettings[] | undefined;
  readonly batteries?: readonly BatterySettings[] | undefined;
}

/** One of them, with its kind. */
export type NamedAsset =
  | { readonly kind: "plant"; readonly settings: PlantSettings }
  | { readonly kind: "load"; readonly settings: LoadSettings }
  | { readonly kind: "battery"; readonly settings: BatterySettings };

/** All of them: plants, then loads, then batteries. */
export function namedAssets({ plants = [], loads = [], batteries = [] }: AssetSettings): NamedAsset[] {
  return [
    ...plants.map((settings) => ({ kind: "plant", settings }) as const),
    ...loads.map((settings) => ({ kind: "load", settings }) as const),
    ...batteries.map((settings) => ({ kind: "battery", settings }) as const),
  ];
}
