// What the personas of a run know, and how much their opinions differ.

import { z } from "zod";

export const informationSettings = z.strictObject({
  disagreement: z.number().min(0).max(1).describe(
    "Standard deviation of private valuations around the forecast, as a share of the forecast; 0 to 1",
  ),
});

export type InformationSettings = z.output<typeof informationSettings>;
