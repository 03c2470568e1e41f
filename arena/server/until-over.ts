// When an episode is over, nothing can be changed in its market any more. Reads go on.

import { ToolError } from "../../core/error.ts";
import type { Tool } from "../../core/tools/tool.ts";
import type { EpisodeClock } from "../pack/episode-clock.ts";

/** The tool as it is until the episode is over. From then on it throws ToolError `limit_exceeded`, unless it only reads. */
export function untilOver(tool: Tool, clock: Pick<EpisodeClock, "isOver">): Tool {
  if (tool.annotations.readOnlyHint || tool.allowedInReadOnly === true) return tool;
  const handler: Tool["handler"] = (input, context) => {
    if (clock.isOver) throw new ToolError("limit_exceeded", "The episode is over; nothing was sent.", "You are done.");
    return tool.handler(input, context);
  };
  return Object.defineProperties({}, {
    ...Object.getOwnPropertyDescriptors(tool),
    handler: { value: handler },
  }) as Tool;
}
