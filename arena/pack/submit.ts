// Ends an episode before its time is up, with an answer if its scenario asks for one. The schema of the answer is part of the
// tool's, so an answer that does not fit ends nothing, and the agent is told what is wrong.

import { z } from "zod";
import { isoTime } from "../../common/iso-time.ts";
import { noParameters } from "../../core/tools/fields.ts";
import { defineTool } from "../../core/tools/tool.ts";
import type { Mandate } from "../scenario/mandate.ts";
import { type Answer, answerSchema } from "../scenario/operating-terms.ts";
import type { EpisodeClock } from "./episode-clock.ts";

export interface Submission {
  readonly mandate: Mandate;
  /** Gets the only answer. */
  readonly onAnswer: (answer: Answer) => void;
}

export function submitTool({ mandate: { operating }, onAnswer }: Submission, clock: EpisodeClock) {
  const schema = operating && answerSchema(operating);
  const asks = schema === null ? "" : " Takes your answer, once: leave out what you don't know.";
  return defineTool({
    name: "mkt_arena_submit",
    title: "End the episode",
    description:
      `Ends the episode as it is now: your orders and positions stay, and nothing can be changed any more.${asks}`,
    input: schema === null ? noParameters : z.strictObject({ answer: schema.optional() }),
    output: () => z.looseObject({ marketTime: z.string(), message: z.string() }),
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    handler: (input) => {
      // The schema has checked it.
      if ("answer" in input && input.answer !== undefined) onAnswer(input.answer as Answer);
      clock.end();
      return { marketTime: isoTime(clock.now), message: "The episode is over." };
    },
  });
}
