// The pack that only an episode offers: what the agent is to do, and the time that passes in its calls.

import { definePack, type Pack } from "../../core/packs/pack.ts";
import type { Mandate } from "../scenario/mandate.ts";
import { briefTool } from "./brief.ts";
import type { EpisodeClock } from "./episode-clock.ts";
import { submitTool } from "./submit.ts";
import { waitTool } from "./wait.ts";

/** `result`: what the agent has won until now, in dollars. */
export function arenaPack(mandate: Mandate, clock: EpisodeClock, result: () => number | null): Pack {
  return definePack({
    name: "arena",
    description: "Take part in an episode of the arena",
    tools: [briefTool(mandate, clock, result), waitTool(clock), submitTool(clock)],
  });
}
