// Ends an episode before its time is up.

import { z } from "zod";
import { isoTime } from "../../common/iso-time.ts";
import { noParameters } from "../../core/tools/fields.ts";
import { defineTool } from "../../core/tools/tool.ts";
import type { EpisodeClock } from "./episode-clock.ts";

export function submitTool(clock: EpisodeClock) {
  return defineTool({
    name: "mkt_arena_submit",
    title: "End the episode",
    description: "Ends the episode as it is now: your orders and positions stay, and nothing can be changed any more.",
    input: noParameters,
    output: () => z.looseObject({ marketTime: z.string(), message: z.string() }),
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    handler: () => {
      clock.end();
      return { marketTime: isoTime(clock.now), message: "The episode is over." };
    },
  });
}
