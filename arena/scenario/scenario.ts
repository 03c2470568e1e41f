// A scenario: what an episode is, but for its seed. Scenarios are JSON files, and these are their fields.

import { z } from "zod";
import { PERMISSIONS } from "../../protocol/index.ts";
import { drawnOperatingTerms } from "./operating-terms.ts";
import { timeMode } from "./time-mode.ts";
import { drawnTerms } from "./trading-terms.ts";

/** The longest that an episode may be, in minutes of market time. */
export const MAX_MINUTES = 720;
const MAX_WARM_UP_MINUTES = 1_440;
const MAX_BRIEF = 4_000;
const MAX_CALLS = 100_000;
const DEFAULT_CALLS = 2_000;

const drawnNumber = z.strictObject({
  least: z.number().describe("The least value"),
  most: z.number().describe("The greatest value"),
  step: z.number().positive().describe("Between two values that may be drawn"),
}).refine(({ least, most }) => least <= most, "least is above most");
const drawnText = z.strictObject({
  oneOf: z.array(z.string().min(1).max(100)).min(1).max(100).describe("The texts of which one is drawn"),
});

/** The fields of an experiment that a scenario decides by itself. */
const OWN_FIELDS = ["name", "start", "hours", "steps", "seed", "seeds", "vary"];

/** Its other faults are those of the experiment (read-scenario.ts). */
const others = z.record(z.string(), z.unknown()).superRefine((fields, context) => {
  for (const name of OWN_FIELDS.filter((name) => Object.hasOwn(fields, name))) {
    context.addIssue({ code: "custom", path: [name], message: "a scenario decides it by itself" });
  }
});

export const scenario = z.strictObject({
  $schema: z.string().optional().describe("For editors"),
  name: z.string().regex(/^[a-z][a-z0-9-]{0,39}$/, "is not a name").describe(
    "Lower case letters, digits and hyphens, at most 40; it begins with a letter",
  ),
  title: z.string().min(1).max(120).describe("One line for people"),
  kind: z.enum(["trading", "operating"]).describe(
    "trading: a result in dollars; operating: an answer or a state of the market",
  ),
  grade: z.int().min(1).max(3).describe("1 easy to 3 hard"),
  others: others.describe("The others in the market: a preset of the simulator, and what differs from it"),
  start: z.iso.datetime({ offset: true }).describe("Market time at which the agent begins, with an offset"),
  warmUpMinutes: z.int().min(0).max(MAX_WARM_UP_MINUTES).describe(
    "For how long the others trade before it; at most 1,440",
  ),
  minutes: z.int().min(1).max(MAX_MINUTES).describe("Of market time until the end; at most 720"),
  calls: z.int().min(1).max(MAX_CALLS).default(DEFAULT_CALLS).describe(
    "Calls after which the episode is over; at most 100,000",
  ),
  time: timeMode.default({ mode: "turns" }).describe("How market time passes besides in waits"),
  userId: z.string().min(1).describe("The user of the agent, of a company that no persona trades for"),
  permissions: z.array(z.enum(PERMISSIONS)).describe("The user's permissions in the episode, in place of the market's"),
  tools: z.array(z.string()).min(1).describe("The tools that are offered besides those of the arena"),
  draws: z.record(z.string().regex(/^[a-z]\w*$/i), z.union([drawnNumber, drawnText])).default({}).describe(
    "Amounts and texts that the seed decides, by the name that stands in braces in the brief",
  ),
  brief: z.string().min(1).max(MAX_BRIEF).describe("What the agent is told to do; {name} stands for what was drawn"),
  trading: drawnTerms.optional().describe("Of a trading scenario: what is asked for, and how it is scored"),
  operating: drawnOperatingTerms.optional().describe(
    "Of an operating scenario: what happens, what is asked for, and how it is scored",
  ),
}).refine(
  ({ kind, trading, operating }) =>
    (kind === "trading") === (trading !== undefined) && (kind === "operating") === (operating !== undefined),
  "a trading scenario has trading and not operating, and an operating scenario has operating and not trading",
);

export type Scenario = z.infer<typeof scenario>;
