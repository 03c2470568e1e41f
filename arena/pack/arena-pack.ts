// The pack that only an episode offers: what the agent is to do, and the time that passes in its calls.

import { definePack, type Pack } from "../../core/packs/pack.ts";
import { type Briefing, briefTool } from "./brief.ts";
import type { EpisodeClock } from "./episode-clock.ts";
import { type Submission, submitTool } from "./submit.ts";
import { waitTool } from "./wait.ts";

export function arenaPack(briefing: Briefing & Submission, clock: EpisodeClock): Pack {
  return definePack({
    name: "arena",
    description: "Take part in an episode of the arena",
    tools: [briefTool(briefing, clock), waitTool(clock), submitTool(briefing, clock)],
  });
}
