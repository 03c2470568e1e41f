// Tells an agent what it is to do in an episode, and how much time is left.

import { z } from "zod";
import { isoTime } from "../../common/iso-time.ts";
import { noParameters } from "../../core/tools/fields.ts";
import { defineTool } from "../../core/tools/tool.ts";
import { MINUTE_MS } from "../../protocol/time-units.ts";
import type { Mandate } from "../scenario/mandate.ts";
import type { EpisodeClock } from "./episode-clock.ts";

export function briefTool(
  { title, brief, amounts, userId, entityId }: Mandate,
  clock: EpisodeClock,
  result: () => number | null,
) {
  return defineTool({
    name: "mkt_arena_brief",
    title: "Brief",
    description:
      "Gives your mandate in words and as amounts, for whom you act, the market time that is left, and your result. " +
      "Next: mkt_connect_pubsub, mkt_arena_wait.",
    input: noParameters,
    output: () =>
      z.looseObject({
        title: z.string(),
        brief: z.string(),
        amounts: z.record(z.string(), z.number()).describe("Those of the brief, by name"),
        userId: z.string(),
        entityId: z.string().nullable(),
        marketTime: z.string(),
        endsAt: z.string(),
        minutesLeft: z.number(),
        result: z.number().nullable().describe("Dollars so far, with what you hold at the forecast of its value"),
      }),
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    handler: () => ({
      title,
      brief,
      amounts: { ...amounts },
      userId,
      entityId,
      marketTime: isoTime(clock.now),
      endsAt: isoTime(clock.endTime),
      minutesLeft: clock.isOver ? 0 : (clock.endTime - clock.now) / MINUTE_MS,
      result: result(),
    }),
  });
}
