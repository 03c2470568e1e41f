// What the personas of a run know: how late and how wrong their forecasts are.

import { z } from "zod";
import { DAY_MS } from "../../protocol/time-units.ts";

const forecastSkill = z.strictObject({
  delayMs: z.number().min(0).max(DAY_MS / 6).describe("Mean age of the news that a revision uses, ms; 0 to 14,400,000"),
  revisionMeanMs: z.number().min(1_000).max(DAY_MS).describe(
    "Mean time between two revisions of a forecast, ms; 1,000 to 86,400,000",
  ),
  errorShare: z.number().min(0).max(1).describe(
    "Standard deviation of a forecast's error for a day's base, as a share of the price; 0 to 1",
  ),
});

/** How good a persona's forecasts are. */
export type ForecastSkill = z.output<typeof forecastSkill>;

export const informationSettings = z.strictObject({
  makers: forecastSkill.describe("Forecasts of market makers"),
  informed: forecastSkill.describe(
    "Forecasts of arbitrageurs and generators, who trade on them alone, and of owners of an asset",
  ),
  others: forecastSkill.describe("Forecasts of everybody else"),
});

export type InformationSettings = z.output<typeof informationSettings>;
