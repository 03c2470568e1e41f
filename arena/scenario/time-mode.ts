// How market time passes for an agent, besides in its waits.

import { z } from "zod";

const MAX_SECONDS = 3_600;
const DEFAULT_SECONDS = 2;
const MAX_FACTOR = 1_000;

const seconds = z.number().min(0).max(MAX_SECONDS);

export const timeMode = z.discriminatedUnion("mode", [
  z.strictObject({ mode: z.literal("turns") }).describe("It stands still between waits"),
  z.strictObject({
    mode: z.literal("calls"),
    seconds: seconds.default(DEFAULT_SECONDS).describe("Of market time that a call takes, before it is carried out"),
    byTool: z.record(z.string(), seconds).default({}).describe("The same for some tools, by their names"),
  }).describe("Each call takes some"),
  z.strictObject({
    mode: z.literal("thinking"),
    factor: z.number().gt(0).max(MAX_FACTOR).default(1).describe(
      "Market time for each second of the agent's real time",
    ),
  }).describe("It passes while the agent thinks: the record keeps for how long, and whoever plays it again takes that"),
]);

export type TimeMode = z.infer<typeof timeMode>;
